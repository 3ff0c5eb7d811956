#pragma once

#include "core/backend.hpp"
#include "queues/vyukov_queue.hpp"
#include "races/specimen.hpp"

namespace racewheel::races {

struct stub_double_insert {
  static constexpr specimen_facts facts{
      .id = "stub-double-insert",
      .from = "NVIDIA/stdexec #1812 (2026)",
      .kind = race_kind::interleaving,
      .goes_wrong =
          "a producer stalls before its link, the consumer inserts the stub twice: the stub "
          "links to itself",
      .spoils = "tail_check",
      .caught_by = {detector::forced, detector::explore_sc},
      .find = {.program = "push_pop", .bounds = {.producers = 2, .items = 1, .pops = 3}},
  };

  using queue = backend<vyukov_queue, vyukov_recipe>;
  using base = queue::recipe;
  struct recipe : base {
    static constexpr bool tail_check = false;
  };
};
static_assert(specimen<stub_double_insert>);

}  // namespace racewheel::races
