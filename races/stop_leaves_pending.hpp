#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct stop_leaves_pending {
  static constexpr specimen_facts facts{
      .id = "stop-leaves-pending",
      .from = "Netty HashedWheelTimer 4.2 (D3)",
      .kind = race_kind::interleaving,
      .goes_wrong = "what stop returns stays counted as pending and never gets its cancel callback",
      .spoils = "stop_finalises",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "schedule_stop"},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool stop_finalises = false;
  };
};
static_assert(specimen<stop_leaves_pending>);

}  // namespace racewheel::races
