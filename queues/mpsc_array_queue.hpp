// Bounded MPSC ring with exact capacity and a producer limit.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/access.hpp"
#include "core/checked.hpp"
#include "core/mpsc_queue.hpp"
#include "core/platform_allocator.hpp"
#include "core/std_platform.hpp"

namespace racewheel {

/// Bounded MPSC FIFO after JCTools' MpscArrayQueue: claim an index, then fill its slot. [JCT]
///   push     any thread    one CAS + one store; lock-free; looks at the consumer's index only when
///                          the producer limit, a cached bound of the indices that may be claimed,
///                          is used up: once per lap as long as the consumer keeps up
///   try_pop  the consumer  item | empty | busy (stall gap: a producer is between [claim] and
///                          [publish]); one load and two stores, no RMW; looks at the producers'
///                          index only when its slot is empty
///   memory   one slot per item, rounded up to a power of two, allocated once; the capacity is
///            exact, also where it is no power of two
///
///   site       access                  pairs with  what it hands over
///   [limit]    limit load     acquire  [raise]     the right to the slot: the [clear] of the lap
///                                                  before is older than my [publish]
///   [raise]    limit store    release  [limit]     what [room] received
///   [room]     consumer load  acquire  [free]      as [limit], from the consumer itself
///   [look]     producer load  acquire  [claim]     what the claimants knew of the consumer: else a
///                                                  newer producer index against an older consumer
///                                                  index could say full at no instant it was
///   [claim]    producer rmw   release  [look]      as [look]; the right to the slot came with
///                                                  [limit] or [room]
///   [lost]     producer load  relaxed  -           rechecked at [look]
///   [publish]  slot store     release  [take]      everything written before push()
///   [take]     slot load      acquire  [publish]   the right to read the payload
///   [clear]    slot store     relaxed  -           carried by [free]
///   [free]     consumer store release  [room]      the slot, read and cleared
///   [peek]     producer load  relaxed  -           rechecked at [take] by the next pop: it only
///                                                  tells empty from busy
///
/// [free] comes before the sink sees the item, so full is exact for a sink that pushes again.
struct mpsc_array_recipe {
  static constexpr site limit{"limit", std::memory_order::acquire};
  static constexpr site raise{"raise", std::memory_order::release};
  static constexpr site room{"room", std::memory_order::acquire};
  static constexpr site look{"look", std::memory_order::acquire};
  static constexpr site claim{"claim", std::memory_order::release};
  static constexpr site lost{"lost", std::memory_order::relaxed};
  static constexpr site publish{"publish", std::memory_order::release};
  static constexpr site take{"take", std::memory_order::acquire};
  static constexpr site clear{"clear", std::memory_order::relaxed};
  static constexpr site free{"free", std::memory_order::release};
  static constexpr site peek{"peek", std::memory_order::relaxed};

  static constexpr std::size_t excess = 0;         // items admitted beyond the capacity
  static constexpr bool refresh_limit = true;      // look at the consumer before saying full
  static constexpr bool refuse_at_limit = true;    // say full at all
  static constexpr bool clear_before_free = true;  // null the slot, then hand it back
  static constexpr bool tell_busy_from_empty = true;

  static constexpr stall_point stall{publish.name, access::store};

  template <class R>
  static constexpr std::array sites_of{R::limit,   R::raise, R::room,  R::look, R::claim, R::lost,
                                       R::publish, R::take,  R::clear, R::free, R::peek};
};

template <class T, class Platform = std_platform, class Recipe = mpsc_array_recipe>
class mpsc_array_queue {
  using index = std::uint64_t;  // counts items for ever; the slot is its low bits
  using slot = typename Platform::template atomic<T*>;

 public:
  using value_type = T;
  static constexpr queue_traits traits{.name = "mpsc_array",
                                       .order = ordering::fifo,
                                       .push = progress::lock_free,
                                       .pop = progress::wait_free,
                                       .bounded = true,
                                       .intrusive = false,
                                       .exact_full = true,
                                       .exact_empty = true,
                                       .bulk_is_one_claim = true,
                                       .explorable = true,
                                       .peer = false};
  static constexpr queue_budget budget{.push_rmws = 1, .pop_rmws = 0, .last_pop_rmws = 0};

  explicit mpsc_array_queue(std::size_t capacity)
      : capacity_(checked_capacity(capacity)),
        mask_(std::bit_ceil(capacity_) - 1),
        slots_(mask_ + 1),
        limit_(capacity_ + Recipe::excess) {}
  mpsc_array_queue(const mpsc_array_queue&) = delete;
  mpsc_array_queue& operator=(const mpsc_array_queue&) = delete;

  push_result push(T* item) noexcept {
    const auto [first, count] = claim(1);
    if (count == 0) return push_result::full;
    at(first).store(item, Recipe::publish);
    return push_result::ok;
  }

  /// Claims the prefix that fits with one CAS. Less than all means: full after that prefix.
  std::size_t push_bulk(std::span<T* const> items) noexcept {
    if (items.empty()) return 0;
    const auto [first, count] = claim(items.size());
    for (index i = 0; i < count; ++i) at(first + i).store(items[i], Recipe::publish);
    return count;
  }

  pop_result<T> try_pop() noexcept {
    const index head = head_.get();
    T* const item = at(head).load(Recipe::take);
    if (item == nullptr) {
      const index claimed = producer_.load(Recipe::peek);
      const bool empty = claimed == head || !Recipe::tell_busy_from_empty;
      return {nullptr, empty ? pop_state::empty : pop_state::busy};
    }
    head_.set(head + 1);
    if constexpr (Recipe::clear_before_free) {
      at(head).store(nullptr, Recipe::clear);
      consumer_.store(head + 1, Recipe::free);
    } else {
      consumer_.store(head + 1, Recipe::free);
      at(head).store(nullptr, Recipe::clear);
    }
    return {item, pop_state::item};
  }

  template <class Sink>
  drain_result drain(std::size_t limit, Sink&& sink) {
    return drain_by_pop(*this, limit, sink);
  }

  [[nodiscard]] std::size_t size_approx() const noexcept {
    const index claimed = producer_.load(Recipe::peek);
    const index head = head_.get();
    return claimed < head ? 0 : std::min<std::size_t>(claimed - head, capacity_);
  }

  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

 private:
  struct claimed_range {
    index first;
    std::size_t count;
  };

  /// Claims up to `wanted` indices; fewer only if the queue is full behind them.
  claimed_range claim(std::size_t wanted) noexcept {
    index limit = limit_.load(Recipe::limit);
    for (;;) {
      index first = producer_.load(Recipe::look);
      if (Recipe::refresh_limit && first + wanted > limit) limit = raise_limit(limit);
      std::size_t count = wanted;
      if (Recipe::refuse_at_limit && first + wanted > limit) {
        count = first < limit ? limit - first : 0;
      }
      if (count == 0) return {first, 0};
      // Strong, so that a failure always means that another producer went ahead.
      if (producer_.compare_exchange_strong(first, first + count, Recipe::claim, Recipe::lost)) {
        return {first, count};
      }
    }
  }

  /// Producers may store limits out of order. A lower one costs a look at the consumer, no more.
  index raise_limit(index limit) noexcept {
    const index consumer = consumer_.load(Recipe::room);
    const index fresh = consumer + capacity_ + Recipe::excess;
    if (fresh <= limit) return limit;
    limit_.store(fresh, Recipe::raise);
    return fresh;
  }

  [[nodiscard]] slot& at(index i) noexcept { return slots_[i & mask_]; }

  const std::size_t capacity_;
  const std::size_t mask_;
  std::vector<slot, platform_allocator<slot, Platform>> slots_;                // null: free
  alignas(separation) typename Platform::template atomic<index> producer_{0};  // next to claim
  alignas(separation) typename Platform::template atomic<index> limit_;
  alignas(separation) typename Platform::template atomic<index> consumer_{0};  // next to free
  typename Platform::template plain<index> head_{0};  // the consumer's own copy of it
};

}  // namespace racewheel
