#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct cancel_flag_not_cas {
  static constexpr specimen_facts facts{
      .id = "cancel-flag-not-cas",
      .from = "NETTY-431 (2011), Vert.x #2912",
      .kind = race_kind::interleaving,
      .goes_wrong =
          "expire reads \"not cancelled\", cancel sets its flag and returns true, and the "
          "task runs",
      .spoils = "cancel_by_cas",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "cancel_expire", .bounds = {.cancellers = 1, .observers = 0}},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool cancel_by_cas = false;
  };
};
static_assert(specimen<cancel_flag_not_cas>);

}  // namespace racewheel::races
