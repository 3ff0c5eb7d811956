// schedule() against stop.
#pragma once

#include "explore/programs/timer_kit.hpp"

namespace racewheel::explore {

/// Producers schedule while the worker turns and, once somebody has closed the timer, finishes.
/// What was accepted fires or is returned; what was rejected leaves no trace.
struct schedule_stop {
  static constexpr std::string_view name = "schedule_stop";
  static constexpr std::string_view summary = "producers that schedule, against stop";
  static constexpr std::array bounds{
      program_bound{"producers", &program_bounds::producers, 1, 8, 1},
      program_bound{"items", &program_bounds::items, 1, 4, 1},
      program_bound{"ticks", &program_bounds::ticks, 0, 8, 1},
  };

  template <class Config>
  static void run(const program_bounds& b) {
    using namespace timer_kit;
    core_run<Config> all(timer_kit::options(), *b.producers * *b.items);
    run_crews(crew(*b.producers,
                   [&](std::size_t p) {
                     for (std::size_t i = 0; i < *b.items; ++i) {
                       const std::size_t id = p * *b.items + i;
                       all.schedule(id, time_point(0), soon);
                       check(all.book().accepted(id) || all.book().why(id) == rejection::stopped,
                             "rejected only because it is stopped");
                     }
                   }),
              crew(1, [&](std::size_t) { all.work(*b.ticks); }),
              crew(1, [&](std::size_t) { all.close(); }));
    all.settle_accounts();
  }
};

}  // namespace racewheel::explore
