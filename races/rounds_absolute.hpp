#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct rounds_absolute {
  static constexpr specimen_facts facts{
      .id = "rounds-absolute",
      .from = "netty #1959",
      .kind = race_kind::interleaving,
      .goes_wrong =
          "rounds are computed from absolute ticks: late by whole rotations after the first "
          "one",
      .spoils = "rounds_relative",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "turns"},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool rounds_relative = false;
  };
};
static_assert(specimen<rounds_absolute>);

}  // namespace racewheel::races
