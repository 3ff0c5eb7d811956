#pragma once

#include "core/backend.hpp"
#include "queues/vyukov_queue.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct relaxed_publish {
  static constexpr specimen_facts facts{
      .id = "relaxed-publish",
      .from = "Jiffy issue #6",
      .kind = race_kind::weak_memory,
      .goes_wrong = "the consumer sees the item before its payload",
      .spoils = "link",
      .caught_by = {detector::explore_rc11},
      .find = {.program = "push_pop"},
  };

  using queue = backend<vyukov_queue, vyukov_recipe>;
  using base = queue::recipe;
  struct recipe : base {
    static constexpr site link{"link", std::memory_order::relaxed};
  };
};
static_assert(specimen<relaxed_publish>);

}  // namespace racewheel::races
