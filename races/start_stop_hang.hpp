#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct start_stop_hang {
  static constexpr specimen_facts facts{
      .id = "start-stop-hang",
      .from = "Netty HashedWheelTimer 4.2 (D4)",
      .kind = race_kind::interleaving,
      .goes_wrong =
          "stop overtakes a schedule that is about to start the timer, which then waits for "
          "a start that nobody publishes",
      .spoils = "start_heeds_stop",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "start_stop"},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool start_heeds_stop = false;
  };
};
static_assert(specimen<start_stop_hang>);

}  // namespace racewheel::races
