#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct deadline_overflow {
  static constexpr specimen_facts facts{
      .id = "deadline-overflow",
      .from = "netty #7760",
      .kind = race_kind::interleaving,
      .goes_wrong = "a maximal delay wraps around, and the task runs at once",
      .spoils = "overflow_guard",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "turns"},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool overflow_guard = false;
  };
};
static_assert(specimen<deadline_overflow>);

}  // namespace racewheel::races
