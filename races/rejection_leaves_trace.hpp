#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct rejection_leaves_trace {
  static constexpr specimen_facts facts{
      .id = "rejection-leaves-trace",
      .from = "Netty HashedWheelTimer 4.2 (D2), netty #6947",
      .kind = race_kind::interleaving,
      .goes_wrong = "a schedule that is rejected stays counted as pending",
      .spoils = "rejection_takes_back",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "schedule_stop"},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool rejection_takes_back = false;
  };
};
static_assert(specimen<rejection_leaves_trace>);

}  // namespace racewheel::races
