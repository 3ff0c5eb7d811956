// The kinds of accesses that instrumented platforms tell apart, and the sites of those that are
// not atomics of an algorithm.
#pragma once

#include <cstddef>

#include "core/site.hpp"

namespace racewheel {

enum class access {
  load,
  store,
  rmw,  // exchange and fetch_*: always succeeds
  cas,  // succeeds or not
  fence,
  wait,  // atomic wait and event wait
  wake,  // atomic notify and event signal
  lock,
  unlock,
  allocate,
  deallocate,
};

/// Labels of the platform's own operations, for gates. The dot keeps them apart from the sites of
/// recipes.
namespace platform_site {
inline constexpr site lock{"mutex.lock", std::memory_order::acquire};
inline constexpr site unlock{"mutex.unlock", std::memory_order::release};
inline constexpr site event_wait{"event.wait", std::memory_order::acquire};
inline constexpr site event_signal{"event.signal", std::memory_order::release};
inline constexpr site notify{"atomic.notify", std::memory_order::relaxed};
inline constexpr site allocate{"memory.allocate", std::memory_order::relaxed};
inline constexpr site deallocate{"memory.deallocate", std::memory_order::relaxed};
}  // namespace platform_site

/// Where a stall gap opens: a producer that is stopped just before this access has claimed its
/// place and not yet published its item. `skip`: accesses of this kind and name that one push makes
/// before it. A backend whose producers can stall says so in its recipe:
///   static constexpr stall_point stall{link.name, access::store};
struct stall_point {
  const char* site_name;
  access kind;
  std::size_t skip = 0;
};

}  // namespace racewheel
