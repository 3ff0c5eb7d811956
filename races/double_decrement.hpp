#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct double_decrement {
  static constexpr specimen_facts facts{
      .id = "double-decrement",
      .from = "netty #14959",
      .kind = race_kind::interleaving,
      .goes_wrong =
          "cancel lands between the cancel drain and expire: pending is counted down by "
          "both",
      .spoils = "walk_counts_cancelled",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "cancel_expire", .bounds = {.cancellers = 1, .observers = 0}},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool walk_counts_cancelled = true;
  };
};
static_assert(specimen<double_decrement>);

}  // namespace racewheel::races
