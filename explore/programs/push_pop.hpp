// Producers push, one consumer pops, then everything is drained: for any backend.
#pragma once

#include <cstddef>

#include "explore/program.hpp"

namespace racewheel::explore {

struct push_pop_bounds {
  std::size_t producers = 2;
  std::size_t items = 1;     // of each producer
  std::size_t pops = 2;      // tries while the producers run
  std::size_t capacity = 0;  // of bounded backends; 0: room for everything
};

/// Defined in push_pop_body.hpp, instantiated once per backend.
template <class Backend>
[[nodiscard]] program push_pop(const push_pop_bounds& bounds);

}  // namespace racewheel::explore
