// A deque under a mutex: the simplest thing that works, and the measure for the others.
#pragma once

#include <array>
#include <deque>
#include <mutex>

#include "core/mpsc_queue.hpp"
#include "core/platform_allocator.hpp"
#include "core/std_platform.hpp"

namespace racewheel {

/// Unbounded MPSC FIFO: producers append under the lock; the consumer swaps the whole deque for its
/// own empty one and works that off without the lock.
///   push     any thread    one lock; blocking, never full
///   try_pop  the consumer  item | empty; one lock when its own deque is used up, else none
///   memory   deque chunks from Platform::allocate: one per 64 items with libstdc++, given back as
///            they are worked off; push may throw std::bad_alloc and then has no effect
///
/// There are no sites: everything is ordered by the lock. A producer stopped inside push stops the
/// others and the consumer's next swap, so there is no stall gap to see either: never busy.
struct mutex_deque_recipe {
  static constexpr bool finish_before_swap = true;  // swap only when the own deque is used up

  template <class R>
  static constexpr std::array<site, 0> sites_of{};
};

template <class T, class Platform = std_platform, class Recipe = mutex_deque_recipe>
class mutex_deque_queue {
  using deque = std::deque<T*, platform_allocator<T*, Platform>>;

 public:
  using value_type = T;
  static constexpr queue_traits traits{.name = "mutex_deque",
                                       .order = ordering::fifo,
                                       .push = progress::blocking,
                                       .pop = progress::blocking,
                                       .bounded = false,
                                       .intrusive = false,
                                       .exact_full = true,
                                       .exact_empty = true,
                                       .bulk_is_one_claim = true,
                                       .explorable = true,
                                       .peer = false};
  static constexpr queue_budget budget{.push_rmws = 0,
                                       .pop_rmws = 0,
                                       .last_pop_rmws = 0,
                                       .push_locks = 1,
                                       .drain_locks = 1,
                                       .items_per_allocation = 64};

  mutex_deque_queue() = default;
  mutex_deque_queue(const mutex_deque_queue&) = delete;
  mutex_deque_queue& operator=(const mutex_deque_queue&) = delete;

  push_result push(T* item) {
    std::lock_guard lock(mutex_);
    pushed_.access().push_back(item);
    return push_result::ok;
  }

  std::size_t push_bulk(std::span<T* const> items) {
    if (items.empty()) return 0;
    std::lock_guard lock(mutex_);
    deque& pushed = pushed_.access();
    pushed.insert(pushed.end(), items.begin(), items.end());
    return items.size();
  }

  pop_result<T> try_pop() {
    deque& taken = taken_.access();
    if (taken.empty() || !Recipe::finish_before_swap) {
      std::lock_guard lock(mutex_);
      taken.swap(pushed_.access());
    }
    if (taken.empty()) return {nullptr, pop_state::empty};
    T* const item = taken.front();
    taken.pop_front();
    return {item, pop_state::item};
  }

  template <class Sink>
  drain_result drain(std::size_t limit, Sink&& sink) {
    return drain_by_pop(*this, limit, sink);
  }

  [[nodiscard]] std::size_t size_approx() const {
    std::lock_guard lock(mutex_);
    return taken_.get().size() + pushed_.get().size();
  }

 private:
  alignas(separation) mutable typename Platform::mutex mutex_;
  typename Platform::template plain<deque> pushed_;                     // under the mutex
  alignas(separation) typename Platform::template plain<deque> taken_;  // the consumer's
};

}  // namespace racewheel
