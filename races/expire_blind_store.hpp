#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct expire_blind_store {
  static constexpr specimen_facts facts{
      .id = "expire-blind-store",
      .from = "derived from cancel-flag-not-cas",
      .kind = race_kind::interleaving,
      .goes_wrong =
          "expire stores \"expired\" over a \"cancelled\" that came between: both sides win",
      .spoils = "expire_by_cas",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "cancel_expire", .bounds = {.cancellers = 1, .observers = 0}},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool expire_by_cas = false;
  };
};
static_assert(specimen<expire_blind_store>);

}  // namespace racewheel::races
