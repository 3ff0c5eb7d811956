#pragma once

#include "core/timer_recipe.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct node_reoffered {
  static constexpr specimen_facts facts{
      .id = "node-reoffered",
      .from = "netty #2651",
      .kind = race_kind::interleaving,
      .goes_wrong =
          "cancel offers an intrusive node that is still in the queue: its link is wiped "
          "and what was behind it is lost",
      .spoils = "cancel_reoffers_node",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "cancel_transfer"},
  };

  using base = timer_recipe;
  struct recipe : base {
    static constexpr bool cancel_reoffers_node = true;
  };
};
static_assert(specimen<node_reoffered>);

}  // namespace racewheel::races
