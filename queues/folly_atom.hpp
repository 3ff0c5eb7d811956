// folly's Atom parameter on any platform.
#pragma once

#include <folly/detail/Futex.h>

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstdint>

#include "core/platform.hpp"

namespace racewheel {

/// folly's queues take their atomics as `template <typename> class Atom`, and park through
/// futexWaitImpl and futexWakeImpl, which they find by argument-dependent lookup on the Atom. So
/// `folly_atoms<Platform>::atom` is the platform's own atomic plus these two as hidden friends, and
/// a platform needs to know nothing of folly.
///
/// folly passes bare memory orders: its accesses have no sites, and instruments see them unnamed.
template <class Platform>
struct folly_atoms {
  template <class T>
  class atom : public Platform::template atomic<T> {
    using base = typename Platform::template atomic<T>;
    using result = folly::detail::FutexResult;
    using native = std::atomic<T>;

   public:
    using base::base;

    /// Parks while the value is `expected`. Like a futex it may return for no reason, so waking
    /// everybody for one and polling for a deadline are both allowed.
    friend result futexWaitImpl(const atom* futex, std::uint32_t expected,
                                const std::chrono::system_clock::time_point* system_deadline,
                                const std::chrono::steady_clock::time_point* steady_deadline,
                                [[maybe_unused]] std::uint32_t mask) {
      if constexpr (std::derived_from<atom, native>) {
        const native* const word = futex;
        return folly::detail::futexWaitImpl(word, expected, system_deadline, steady_deadline, mask);
      } else if (system_deadline == nullptr && steady_deadline == nullptr) {
        futex->wait(expected, park);
        return result::AWOKEN;
      } else {
        if (futex->load(park) != expected) return result::VALUE_CHANGED;
        if (passed(system_deadline) || passed(steady_deadline)) return result::TIMEDOUT;
        Platform::yield();
        return result::AWOKEN;
      }
    }

    friend int futexWakeImpl(const atom* futex, int count, std::uint32_t mask) {
      if constexpr (std::derived_from<atom, native>) {
        const native* const word = futex;
        return folly::detail::futexWakeImpl(word, count, mask);
      } else {
        const_cast<atom*>(futex)->notify_all();  // folly's futexes are const, the platform's not
        return count;
      }
    }

   private:
    /// acquire: whoever changed the value wrote what the woken thread goes on to read.
    static constexpr site park{"folly_park", std::memory_order::acquire};

    template <class TimePoint>
    static bool passed(const TimePoint* deadline) {
      return deadline != nullptr && TimePoint::clock::now() >= *deadline;
    }
  };
};

}  // namespace racewheel
