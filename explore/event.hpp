// One visible operation of one execution, as the graph keeps it.
#pragma once

#include <cstdint>
#include <limits>

#include "explore/access.hpp"
#include "explore/vector_clock.hpp"

namespace racewheel::explore {

using event_id = std::uint32_t;
using location_id = std::uint32_t;
inline constexpr std::uint32_t no_id = std::numeric_limits<std::uint32_t>::max();

enum class event_kind : std::uint8_t {
  init,
  load,
  store,
  rmw,
  failed_cas,     // a load with the failure order
  spurious_fail,  // a weak compare-exchange that read what it expected and failed
  fence,
  lock,
  try_lock_failed,
  unlock,
  signal,
  wake,     // an event's wait that was signalled
  timeout,  // an event's wait that reached its deadline
  jump,     // of the clock
  now,
  park,    // atomic wait goes to sleep
  notify,  // notify_one, notify_all
  resume,  // a parked thread goes on
};

[[nodiscard]] constexpr bool is_write(event_kind k) noexcept {
  switch (k) {
    case event_kind::init:
    case event_kind::store:
    case event_kind::rmw:
    case event_kind::lock:
    case event_kind::unlock:
    case event_kind::signal:
    case event_kind::wake:
    case event_kind::timeout:
    case event_kind::jump:
      return true;
    default:
      return false;
  }
}

/// Reads and writes in one: nothing may come between it and the store it read.
[[nodiscard]] constexpr bool is_rmw(event_kind k) noexcept {
  return is_write(k) && k != event_kind::init && k != event_kind::store && k != event_kind::unlock;
}

struct event {
  std::uint64_t identity;  // canonical: which thread, which of its events; the same in every order
  std::uint64_t value;     // what it wrote, else what it read
  event_id source;         // the store it read, or none
  event_id newest;         // the newest store when it read or was placed, if it ignored that one
  location_id location;    // none for fences
  std::uint32_t sc_node;   // its number among the seq_cst events, or none
  std::uint32_t position;  // in modification order, for stores
  std::uint16_t thread;
  std::uint16_t index;  // of its thread's events, from 1
  event_kind kind;
  explore::mode mode;     // in effect
  explore::mode written;  // in the source; they differ under sc, where everything is seq_cst
  const char* name;
  std::source_location where;
  vector_clock clock;    // what happens before it, itself included
  vector_clock message;  // stores: what an acquiring reader learns
  first_seen seen;       // stores
};

}  // namespace racewheel::explore
