#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct count_after_run {
  static constexpr specimen_facts facts{
      .id = "count-after-run",
      .from = "netty #6028",
      .kind = race_kind::interleaving,
      .goes_wrong =
          "a task schedules its successor while it is still counted itself: rejected "
          "although there is room",
      .spoils = "count_before_run",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "run_schedule"},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool count_before_run = false;
  };
};
static_assert(specimen<count_after_run>);

}  // namespace racewheel::races
