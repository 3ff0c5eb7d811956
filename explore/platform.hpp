// The platform of the explorer: every access is a scheduling point, time is virtual.
#pragma once

#include <cstddef>

#include "core/platform.hpp"
#include "explore/atomic.hpp"
#include "explore/event_object.hpp"
#include "explore/mutex.hpp"
#include "explore/plain.hpp"
#include "explore/thread.hpp"

namespace racewheel::explore {

namespace detail {
[[nodiscard]] time_point now() noexcept;
void pause() noexcept;
[[nodiscard]] void* allocate(std::size_t size, std::size_t alignment);
void deallocate(void* memory) noexcept;
}  // namespace detail

/// See core/platform.hpp. Objects of these types live and die inside an execution.
struct platform {
  template <class T>
  using atomic = explore::atomic<T>;
  template <class T>
  using plain = explore::plain<T>;
  using mutex = explore::mutex;
  using thread = explore::thread;
  using event = explore::event_object;

  [[nodiscard]] static thread::id this_thread_id() noexcept {
    return thread::id(detail::current_thread());
  }
  [[nodiscard]] static time_point now() noexcept { return detail::now(); }
  /// Ends one turn of a spin loop. A turn that wrote nothing and read the same stores as the one
  /// before must next read something newer, and blocks where nothing newer exists. Locking a mutex
  /// and plain::access() are no writes in this sense: the turn may only have looked.
  static void pause() noexcept { detail::pause(); }
  static void yield() noexcept { detail::pause(); }
  static void fence(site s) noexcept { explore::fence(s); }

  [[nodiscard]] static void* allocate(std::size_t size, std::size_t alignment) {
    return detail::allocate(size, alignment);
  }
  static void deallocate(void* memory, std::size_t /*size*/, std::size_t /*alignment*/) noexcept {
    detail::deallocate(memory);
  }
};

static_assert(racewheel::platform<platform>);

}  // namespace racewheel::explore
