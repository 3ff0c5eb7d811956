// What the race detector remembers of one piece of plain data.
#pragma once

#include <array>
#include <cstdint>
#include <source_location>

#include "explore/vector_clock.hpp"

namespace racewheel::explore {

/// Names plain data of the running execution; stale as soon as that is over.
struct plain_handle {
  std::uint32_t execution = 0;
  std::uint32_t index = 0;
};

/// The last write and the reads since. Older accesses happen before these, or were reported.
struct plain_shadow {
  const void* address;
  std::uint16_t writer;
  std::uint16_t written;  // the writer's event that comes after the write
  bool dead;
  bool any_reads;
  vector_clock reads;  // per thread the event that comes after its last read, 0: none
  std::source_location write_where;
  std::array<std::source_location, max_threads> read_where;
};

}  // namespace racewheel::explore
