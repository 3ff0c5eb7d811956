// The parts of the tour that are compiled once per backend.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace racewheel::cli {

struct queue_tour_row {
  std::optional<std::string> violation;
  std::size_t messages = 0;
  double seconds = 0;
  double rmws_per_message = 0;
  double locks_per_message = 0;
};

/// `messages` through Backend from `producers` threads, timed, then a smaller counted run.
template <class Backend>
queue_tour_row queue_tour(std::size_t producers, std::size_t messages);

struct timer_tour_plan {
  std::size_t producers = 4;
  std::size_t timeouts = 100'000;  // of all producers
  std::uint64_t seed = 1;
};

struct timer_tour_row {
  std::optional<std::string> violation;
  std::uint64_t scheduled = 0;
  std::uint64_t fired = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t returned = 0;
  std::uint64_t rejected = 0;
  std::uint64_t refused = 0;
  std::uint64_t aimed = 0;      // cancels aimed at the deadline
  std::uint64_t aimed_won = 0;  // of them, those that were in time
  double seconds = 0;
  double lateness_p50_us = 0;
  double lateness_p99_us = 0;
};

/// Producers schedule, cancel around the deadline and let expire; every id is accounted for.
template <class Backend, class Wheel>
timer_tour_row timer_tour(const timer_tour_plan& plan);

}  // namespace racewheel::cli
