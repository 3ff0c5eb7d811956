// folly::MPMCQueue behind the contract.
#pragma once

#include <folly/MPMCQueue.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/access.hpp"
#include "core/checked.hpp"
#include "core/mpsc_queue.hpp"
#include "core/std_platform.hpp"
#include "queues/folly_atom.hpp"

namespace racewheel {

/// folly's orders are folly's own: there is nothing of ours to name, weaken or audit.
struct folly_mpmc_recipe {
  /// A push makes two compare-exchanges: the ticket, then the turn that publishes the slot.
  static constexpr stall_point stall{unnamed_site, access::cas, 1};

  template <class R>
  static constexpr std::array<site, 0> sites_of{};
};

/// Bounded MPMC ring of slots, each with a turn; a ticket dispenser per side. [FOLLY]
///   push     any thread    one CAS for the ticket, one for the turn; full when its slot still
///                          holds the item of a lap before; never waits
///   try_pop  the consumer  item | empty | busy (stall gap: a ticket is out, its slot not yet
///                          filled); two CAS that nobody contends for; never waits
///   memory   one block of slots, from operator new (folly allocates it, not the platform)
///
/// Only write() and read() are used. writeIfNotFull() and readIfNotEmpty() wait for whoever holds
/// the neighbouring ticket, which the contract forbids.
///
/// The slots are folly's own storage and not plain<T>: the explorer orders every access to tickets
/// and turns, but a race on a slot's content is out of its sight (ThreadSanitizer sees it).
template <class T, class Platform = std_platform, class Recipe = folly_mpmc_recipe>
class folly_mpmc_queue {
 public:
  using value_type = T;
  static constexpr queue_traits traits{.name = "folly_mpmc",
                                       .order = ordering::fifo,
                                       .push = progress::lock_free,
                                       .pop = progress::wait_free,
                                       .bounded = true,
                                       .intrusive = false,
                                       .exact_full = true,
                                       .exact_empty = true,
                                       .bulk_is_one_claim = false,
                                       .explorable = true,
                                       .peer = false};
  /// The ticket and the turn; folly adapts its spin limit at every 128th ticket of either side.
  static constexpr queue_budget budget{
      .push_rmws = 2, .pop_rmws = 2, .last_pop_rmws = 2, .extra_rmw_period = 128};

  explicit folly_mpmc_queue(std::size_t capacity) : queue_(checked_capacity(capacity)) {}
  folly_mpmc_queue(const folly_mpmc_queue&) = delete;
  folly_mpmc_queue& operator=(const folly_mpmc_queue&) = delete;

  push_result push(T* item) noexcept {
    return queue_.write(item) ? push_result::ok : push_result::full;
  }

  std::size_t push_bulk(std::span<T* const> items) noexcept {
    const auto refused =
        std::ranges::find_if(items, [this](T* item) { return push(item) == push_result::full; });
    return static_cast<std::size_t>(refused - items.begin());
  }

  pop_result<T> try_pop() noexcept {
    T* item = nullptr;
    if (queue_.read(item)) return {item, pop_state::item};
    const std::uint64_t written = queue_.writeCount();
    const std::uint64_t taken = queue_.readCount();
    return {nullptr, written == taken ? pop_state::empty : pop_state::busy};
  }

  template <class Sink>
  drain_result drain(std::size_t limit, Sink&& sink) {
    return drain_by_pop(*this, limit, sink);
  }

  [[nodiscard]] std::size_t size_approx() const noexcept {
    const std::uint64_t taken = queue_.readCount();
    const std::uint64_t written = queue_.writeCount();
    return std::min<std::size_t>(written - taken, capacity());
  }

  [[nodiscard]] std::size_t capacity() const noexcept { return queue_.capacity(); }

 private:
  folly::MPMCQueue<T*, folly_atoms<Platform>::template atom> queue_;
};

}  // namespace racewheel
