#pragma once

#include "core/backend.hpp"
#include "queues/vyukov_queue.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct init_after_exchange {
  static constexpr specimen_facts facts{
      .id = "init-after-exchange",
      .from = "ponyc #2174",
      .kind = race_kind::weak_memory,
      .goes_wrong =
          "a node's own null link lands after its successor's link: the rest of the queue "
          "is lost",
      .spoils = "claim",
      .caught_by = {detector::explore_rc11},
      .find = {.program = "push_pop"},
  };

  using queue = backend<vyukov_queue, vyukov_recipe>;
  using base = queue::recipe;
  struct recipe : base {
    static constexpr site claim{"claim", std::memory_order::relaxed};
  };
};
static_assert(specimen<init_after_exchange>);

}  // namespace racewheel::races
