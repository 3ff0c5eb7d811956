#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct dead_worker_accepts {
  static constexpr specimen_facts facts{
      .id = "dead-worker-accepts",
      .from = "Netty HashedWheelTimer 4.2 (D7)",
      .kind = race_kind::interleaving,
      .goes_wrong = "the worker dies, and the timer goes on accepting what nobody will run",
      .spoils = "death_closes",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "dead_worker"},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool death_closes = false;
  };
};
static_assert(specimen<dead_worker_accepts>);

}  // namespace racewheel::races
