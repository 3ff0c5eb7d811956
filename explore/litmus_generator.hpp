// Random litmus programs from a seed.
#pragma once

#include <cstdint>

#include "explore/litmus_program.hpp"

namespace racewheel::litmus {

struct generator_limits {
  std::size_t min_threads = 2;
  std::size_t max_threads = 3;
  std::size_t max_operations = 4;  // of a thread
  std::size_t max_locations = 3;   // the last of several is plain data now and then
};

/// Small programs of all kinds and orders, with conditions and register operands now and then. The
/// same seed and limits give the same program everywhere; print it with to_string() to run it
/// again.
[[nodiscard]] program random_program(std::uint64_t seed, const generator_limits& limits = {});

}  // namespace racewheel::litmus
