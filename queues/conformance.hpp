// The queue contract as checks: each runs a backend and says what it did wrong, or nothing.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/counting_platform.hpp"
#include "queues/numbered_item.hpp"

/// Functions, not test bodies, so that they can be run on a spoiled backend and be seen to fail.
namespace racewheel::conformance {

using violation = std::optional<std::string>;

template <class Backend, class Platform = std_platform>
using queue_of = typename Backend::template queue<numbered_item<Platform>, Platform>;

inline std::string to_string(pop_state state) {
  return state == pop_state::item ? "item" : state == pop_state::empty ? "empty" : "busy";
}
inline std::string to_string(drain_end why) {
  return why == drain_end::limit ? "limit" : why == drain_end::empty ? "empty" : "busy";
}

/// Pops, expecting these ids in this order and then empty.
template <class Queue, class Pool>
violation expect_pops(Queue& queue, Pool& items, const std::vector<std::size_t>& ids) {
  for (const std::size_t id : ids) {
    const auto popped = queue.try_pop();
    if (popped.state != pop_state::item) {
      return "pop said " + to_string(popped.state) + " where item " + std::to_string(id) +
             " was due";
    }
    if (!items.owns(popped.item)) return "a pointer came out that never went in";
    if (popped.item->id != id) {
      return "item " + std::to_string(popped.item->id) + " came out where " + std::to_string(id) +
             " was due";
    }
  }
  const auto popped = queue.try_pop();
  if (popped.state != pop_state::empty || popped.item != nullptr) {
    return "pop said " + to_string(popped.state) + " where empty was due";
  }
  return std::nullopt;
}

template <class Queue, class Pool>
violation expect_pushes(Queue& queue, Pool& items, std::size_t first, std::size_t last) {
  for (std::size_t id = first; id < last; ++id) {
    if (queue.push(&items[id]) == push_result::full) {
      return "push said full at item " + std::to_string(id);
    }
  }
  return std::nullopt;
}

/// The ids from `first` to before `last`.
inline std::vector<std::size_t> range(std::size_t first, std::size_t last) {
  std::vector<std::size_t> ids;
  for (std::size_t id = first; id < last; ++id) ids.push_back(id);
  return ids;
}

template <class Pool>
std::vector<typename Pool::item*> pointers(Pool& items, std::size_t first, std::size_t last) {
  std::vector<typename Pool::item*> result;
  for (std::size_t id = first; id < last; ++id) result.push_back(&items[id]);
  return result;
}

inline violation first_of(std::initializer_list<violation> violations) {
  for (const violation& v : violations) {
    if (v) return v;
  }
  return std::nullopt;
}

/// In the order of pushes, over interleaved pushes and pops and several laps of a ring.
template <class Backend>
violation items_come_out_in_the_order_of_pushes() {
  auto queue = make_queue<queue_of<Backend>>(4);
  item_pool<std_platform> items(1, 60);
  for (std::size_t id = 0; id < 60; id += 3) {
    if (const auto wrong = expect_pushes(queue, items, id, id + 3)) return wrong;
    const auto early = queue.try_pop();
    if (early.state != pop_state::item || early.item != &items[id]) {
      return "item " + std::to_string(id) + " did not come out first";
    }
    if (const auto wrong = expect_pops(queue, items, {id + 1, id + 2})) return wrong;
  }
  // A pop between pushes must not let later items overtake.
  if (const auto wrong = expect_pushes(queue, items, 0, 2)) return wrong;
  if (queue.try_pop().item != &items[0]) return "item 0 did not come out first";
  if (const auto wrong = expect_pushes(queue, items, 2, 4)) return wrong;
  return expect_pops(queue, items, {1, 2, 3});
}

/// Capacities that are powers of two and that are not, over three laps.
template <class Backend>
violation the_capacity_is_exact() {
  for (const std::size_t capacity : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 100u}) {
    auto queue = make_queue<queue_of<Backend>>(capacity);
    const std::string where = "capacity " + std::to_string(capacity) + ": ";
    if (queue.capacity() != capacity) {
      return where + "capacity() says " + std::to_string(queue.capacity());
    }
    item_pool<std_platform> items(1, capacity + 1);
    for (int lap = 0; lap < 3; ++lap) {
      if (const auto wrong = expect_pushes(queue, items, 0, capacity)) return where + *wrong;
      if (queue.push(&items[capacity]) == push_result::ok) return where + "one more went in";
      if (const auto wrong = expect_pops(queue, items, range(0, capacity))) return where + *wrong;
    }
  }
  return std::nullopt;
}

/// Room that a pop made is there at once, wherever in the ring that happens.
template <class Backend>
violation full_is_said_only_when_full() {
  for (const std::size_t capacity : {1u, 3u, 4u}) {
    auto queue = make_queue<queue_of<Backend>>(capacity);
    item_pool<std_platform> items(1, capacity);
    if (const auto wrong = expect_pushes(queue, items, 0, capacity)) return wrong;
    for (std::size_t i = 0; i < 5 * capacity; ++i) {
      const auto popped = queue.try_pop();
      if (popped.item != &items[i % capacity]) return "the oldest item did not come out";
      if (queue.push(popped.item) == push_result::full) {
        return "push said full with " + std::to_string(capacity - 1) + " of " +
               std::to_string(capacity) + " inside";
      }
    }
  }
  return std::nullopt;
}

template <class Backend>
violation drain_stops_at_its_limit_or_when_empty() {
  auto queue = make_queue<queue_of<Backend>>(16);
  item_pool<std_platform> items(1, 10);
  if (const auto wrong = expect_pushes(queue, items, 0, 10)) return wrong;
  struct step {
    std::size_t limit;
    std::size_t count;
    drain_end why;
  };
  std::size_t next = 0;
  for (const step expected :
       {step{0, 0, drain_end::limit}, step{3, 3, drain_end::limit}, step{7, 7, drain_end::limit},
        step{1, 0, drain_end::empty}, step{0, 0, drain_end::limit}}) {
    bool in_order = true;
    const drain_result got = queue.drain(expected.limit, [&](auto* item) noexcept {
      in_order = in_order && item == &items[next % 10];
      ++next;
    });
    if (got.count != expected.count || got.why != expected.why || !in_order) {
      return "drain(" + std::to_string(expected.limit) + ") gave " + std::to_string(got.count) +
             " items and ended with " + to_string(got.why) + (in_order ? "" : ", out of order");
    }
  }
  return next == 10 ? std::nullopt : violation("the sink saw " + std::to_string(next) + " items");
}

/// A full queue, whose sink pushes every item once more: there is always room for it.
template <class Backend>
violation a_sink_may_push_again() {
  auto queue = make_queue<queue_of<Backend>>(8);
  item_pool<std_platform> items(1, 8);
  if (const auto wrong = expect_pushes(queue, items, 0, 8)) return wrong;
  std::vector<std::size_t> seen;
  std::size_t refused = 0;
  const drain_result first = queue.drain(8, [&](auto* item) noexcept {
    seen.push_back(item->id);
    if (queue.push(item) == push_result::full) ++refused;
  });
  if (refused != 0) return "full for " + std::to_string(refused) + " items of the sink";
  if (first.count != 8 || seen != range(0, 8)) return "the first round is not the 8 items";
  return expect_pops(queue, items, range(0, 8));
}

/// The sink destroys each item and fills its memory; the queue must neither read nor write it
/// afterwards. (A read shows as a wild pointer, a write in the bytes, both under ASan.)
template <class Backend>
violation a_sink_may_destroy_the_item() {
  using item = numbered_item<std_platform>;
  struct storage {
    alignas(item) std::array<unsigned char, sizeof(item)> bytes;
  };
  constexpr unsigned char gone = 0xdd;
  std::vector<storage> memory(6);
  auto queue = make_queue<queue_of<Backend>>(8);
  for (storage& s : memory) {
    if (queue.push(::new (s.bytes.data()) item) == push_result::full) return "push said full";
  }
  const drain_result drained = queue.drain(10, [&](item* i) noexcept {
    std::destroy_at(i);
    std::memset(static_cast<void*>(i), gone, sizeof(item));
  });
  if (drained.count != memory.size()) return "not every item came out";
  for (const storage& s : memory) {
    if (std::ranges::any_of(s.bytes, [](unsigned char b) { return b != gone; })) {
      return "the queue wrote into an item that its sink had destroyed";
    }
  }
  item_pool<std_platform> items(1, 3);
  return first_of({expect_pushes(queue, items, 0, 3), expect_pops(queue, items, {0, 1, 2})});
}

template <class Backend>
violation push_bulk_takes_the_prefix_that_fits() {
  auto queue = make_queue<queue_of<Backend>>(5);
  item_pool<std_platform> items(1, 12);
  const auto all = pointers(items, 0, 12);
  const std::span bulk(all);
  const auto push = [&](std::size_t first, std::size_t count) {
    return queue.push_bulk(bulk.subspan(first, count));
  };
  if (push(0, 0) != 0) return "an empty bulk took something";
  if (const auto n = push(0, 3); n != 3) return "3 of 3 should fit, took " + std::to_string(n);
  const std::size_t room = Backend::traits.bounded ? 2 : 9;
  if (const auto n = push(3, 9); n != room) {
    return std::to_string(room) + " of 9 should fit, took " + std::to_string(n);
  }
  if constexpr (Backend::traits.bounded) {
    if (push(5, 2) != 0) return "a full queue took part of a bulk";
    for (const std::size_t id : {0u, 1u, 2u}) {
      if (queue.try_pop().item != &items[id]) return "the bulk came out in another order";
    }
    if (const auto n = push(5, 7); n != 3) return "3 of 7 should fit, took " + std::to_string(n);
    return expect_pops(queue, items, range(3, 8));
  } else {
    return expect_pops(queue, items, range(0, 12));
  }
}

/// Items belong to the caller, memory of the queue goes back to the platform.
template <class Backend>
violation a_queue_may_be_destroyed_with_items_inside() {
  item_pool<counting_platform> items(1, 200);
  violation wrong;
  const access_counts counts = counting_platform::count([&] {
    auto queue = make_queue<queue_of<Backend, counting_platform>>(256);
    wrong = expect_pushes(queue, items, 0, 200);
    if (!wrong && queue.try_pop().item != &items[0]) wrong = "item 0 did not come out first";
  });
  if (wrong) return wrong;
  if (counts.allocations != counts.deallocations) {
    return std::to_string(counts.allocations) + " allocations, " +
           std::to_string(counts.deallocations) + " deallocations";
  }
  for (std::size_t id = 0; id < 200; ++id) {
    if (items[id].id != id) return "item " + std::to_string(id) + " was damaged";
  }
  auto next = make_queue<queue_of<Backend, counting_platform>>(256);
  return first_of({expect_pushes(next, items, 0, 200), expect_pops(next, items, range(0, 200))});
}

template <class Backend>
violation size_approx_counts_a_queue_at_rest() {
  auto queue = make_queue<queue_of<Backend>>(8);
  item_pool<std_platform> items(1, 8);
  for (std::size_t n = 0; n < 8; ++n) {
    if (queue.size_approx() != n) {
      return "size_approx is " + std::to_string(queue.size_approx()) + " with " +
             std::to_string(n) + " inside";
    }
    if (const auto wrong = expect_pushes(queue, items, n, n + 1)) return wrong;
  }
  const auto popped = queue.try_pop();
  if (popped.state != pop_state::item || queue.size_approx() != 7) {
    return "size_approx is " + std::to_string(queue.size_approx()) + " after a pop from 8";
  }
  return std::nullopt;
}

/// Zero, negative and absurd capacities are refused by an exception with parameter and value.
template <class Backend>
violation bad_capacities_are_refused_by_name_and_value() {
  for (const std::size_t bad : {std::size_t{0}, static_cast<std::size_t>(-1),
                                static_cast<std::size_t>(-1000), std::size_t{1} << 48}) {
    const std::string value = std::to_string(bad);
    try {
      const auto queue = make_queue<queue_of<Backend>>(bad);
      return "capacity " + value + " was accepted";
    } catch (const std::invalid_argument& e) {
      const std::string_view message = e.what();
      if (message.find("capacity") == message.npos || message.find(value) == message.npos) {
        return "capacity " + value + " is refused with: " + e.what();
      }
    }
  }
  return std::nullopt;
}

}  // namespace racewheel::conformance
