#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct stop_misses_late_add {
  static constexpr specimen_facts facts{
      .id = "stop-misses-late-add",
      .from = "Netty HashedWheelTimer 4.2 (D1)",
      .kind = race_kind::interleaving,
      .goes_wrong =
          "a timeout is enqueued after the final drain: accepted, never run, never returned",
      .spoils = "final_drain_waits",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "schedule_stop"},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool final_drain_waits = false;
  };
};
static_assert(specimen<stop_misses_late_add>);

}  // namespace racewheel::races
