// The observer policy: who counts what a timer does.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "core/platform.hpp"

namespace racewheel {

enum class rejection { stopped, too_many_pending, queue_full };

/// All calls but rejected() come from the worker; none may throw.
template <class O>
concept timer_observer = requires(O o, std::size_t n, time_point t, rejection r) {
  o.rejected(r);              // by the thread that was rejected
  o.scheduled(n);             // n timeouts left the queue
  o.linked(n);                // one more in slot n
  o.unlinked(n);              // one less in slot n
  o.fired(t);                 // handed over; t is its deadline on the platform's clock
  o.cancelled();              // finalised after a cancel()
  o.refused();                // the executor threw
  o.returned();               // will be returned by stop()
  o.turned(std::uint64_t{});  // a turn ended in which so many ticks passed
};

/// Sees nothing and costs nothing.
struct null_observer {
  explicit null_observer(std::size_t /*slots*/ = 0) {}
  void rejected(rejection) noexcept {}
  void scheduled(std::size_t) noexcept {}
  void linked(std::size_t) noexcept {}
  void unlinked(std::size_t) noexcept {}
  void fired(time_point) noexcept {}
  void cancelled() noexcept {}
  void refused() noexcept {}
  void returned() noexcept {}
  void turned(std::uint64_t) noexcept {}
};
static_assert(timer_observer<null_observer>);

}  // namespace racewheel
