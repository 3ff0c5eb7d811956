#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct stop_forgets_canceller {
  static constexpr specimen_facts facts{
      .id = "stop-forgets-canceller",
      .from = "derived (D9)",
      .kind = race_kind::interleaving,
      .goes_wrong =
          "cancel wins and stalls, stop returns, cancel hands over to nobody: callback and "
          "count are lost",
      .spoils = "stop_awaits_cancellers",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "cancel_stop"},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool stop_awaits_cancellers = false;
  };
};
static_assert(specimen<stop_forgets_canceller>);

}  // namespace racewheel::races
