#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct cancel_drain_uncapped {
  static constexpr specimen_facts facts{
      .id = "cancel-drain-uncapped",
      .from = "Netty HashedWheelTimer 4.2 (D8)",
      .kind = race_kind::interleaving,
      .goes_wrong = "one turn processes every cancellation there is, and what is due has to wait",
      .spoils = "cancel_drain_capped",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "turns"},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool cancel_drain_capped = false;
  };
};
static_assert(specimen<cancel_drain_uncapped>);

}  // namespace racewheel::races
