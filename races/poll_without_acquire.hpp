#pragma once

#include "core/backend.hpp"
#include "queues/vyukov_queue.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct poll_without_acquire {
  static constexpr specimen_facts facts{
      .id = "poll-without-acquire",
      .from = "atomic_queue 2bc627d",
      .kind = race_kind::weak_memory,
      .goes_wrong = "the consumer follows a link and reads a stale payload",
      .spoils = "follow",
      .caught_by = {detector::explore_rc11},
      .find = {.program = "push_pop"},
  };

  using queue = backend<vyukov_queue, vyukov_recipe>;
  using base = queue::recipe;
  struct recipe : base {
    static constexpr site follow{"follow", std::memory_order::relaxed};
  };
};
static_assert(specimen<poll_without_acquire>);

}  // namespace racewheel::races
