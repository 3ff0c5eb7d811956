#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct early_break {
  static constexpr specimen_facts facts{
      .id = "early-break",
      .from = "netty #12888",
      .kind = race_kind::interleaving,
      .goes_wrong =
          "the walk ends at the first timeout of a later round: it and all behind it stay in their "
          "slot",
      .spoils = "walk_to_the_end",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "turns"},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool walk_to_the_end = false;
  };
};
static_assert(specimen<early_break>);

}  // namespace racewheel::races
