#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct stop_overtakes_start {
  static constexpr specimen_facts facts{
      .id = "stop-overtakes-start",
      .from = "Netty HashedWheelTimer 4.2 (D5)",
      .kind = race_kind::interleaving,
      .goes_wrong =
          "stop returns while start is creating the worker: a tick runs after stop has "
          "returned",
      .spoils = "stop_awaits_start",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "start_stop", .bounds = {.items = 0}},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool stop_awaits_start = false;
  };
};
static_assert(specimen<stop_overtakes_start>);

}  // namespace racewheel::races
