#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct failed_start_sticks {
  static constexpr specimen_facts facts{
      .id = "failed-start-sticks",
      .from = "Netty HashedWheelTimer 4.2 (D6)",
      .kind = race_kind::interleaving,
      .goes_wrong =
          "no thread can be created, and the timer counts as started: it accepts and never "
          "runs",
      .spoils = "failed_start_recovers",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "failed_start"},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool failed_start_recovers = false;
  };
};
static_assert(specimen<failed_start_sticks>);

}  // namespace racewheel::races
