// The queue contract: what every backend promises, as enums, traits and a concept.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>

#include "core/platform.hpp"

namespace racewheel {

enum class [[nodiscard]] push_result { ok, full };

/// item: here it is. empty: nothing inside at some instant of the call.
/// busy: an earlier push has claimed its place but not yet published its item (the stall gap).
enum class pop_state { item, empty, busy };

template <class T>
struct [[nodiscard]] pop_result {
  T* item;  // null unless state is item
  pop_state state;
};

enum class drain_end { empty, busy, limit };

struct [[nodiscard]] drain_result {
  std::size_t count;
  drain_end why;
};

enum class ordering { fifo, per_producer };
enum class progress { wait_free, lock_free, blocking };

/// What a backend claims of itself; the conformance suite and the explorer check the claims.
struct queue_traits {
  std::string_view name;
  ordering order;
  progress push;
  progress pop;
  bool bounded;            // takes a capacity and may say full
  bool intrusive;          // links the item's mpsc_hook instead of storing a pointer
  bool exact_full;         // full only if it was full at some instant of the call
  bool exact_empty;        // empty only if it was empty at some instant of the call
  bool bulk_is_one_claim;  // push_bulk's items are claimed together and stay adjacent
  bool explorable;         // runs on the explorer's platform
  bool peer;               // somebody else's queue, here for comparison
};

/// What an operation that nobody disturbs costs, exactly; checked on counting_platform. Absent
/// where a backend promises nothing.
struct queue_budget {
  std::size_t push_rmws;
  std::size_t pop_rmws;
  std::size_t last_pop_rmws;  // of the pop that leaves the queue empty
  std::size_t push_locks = 0;
  std::size_t drain_locks = 0;           // of draining a batch until it is used up
  std::size_t items_per_allocation = 0;  // 0: nothing is allocated or freed on the path
  std::size_t extra_rmw_period = 0;      // after so many pushes, and pops, one costs an RMW more
};

/// The base that intrusive backends link. Free for other use as soon as the item was popped.
template <class Platform>
struct mpsc_hook {
  typename Platform::template atomic<mpsc_hook*> next{nullptr};
};

/// The contract. T is the element; the queue carries pointers to it.
///   push(T*)            any thread     ok | full; an unbounded queue never says full
///   push_bulk(span)     any thread     length of the accepted prefix
///   try_pop()           the consumer   item | empty | busy; never spins
///   drain(limit, sink)  the consumer   {count, why}; the sink is noexcept and may re-push or
///                                      destroy the item at once
///   size_approx()       the consumer   advisory, clamped to [0, capacity]
///   capacity()          any thread     bounded backends only
/// Destroying a queue with items inside is allowed: the items belong to the caller.
template <class Q>
concept mpsc_queue =
    requires(Q q, typename Q::value_type* item, std::span<typename Q::value_type* const> items,
             void (*sink)(typename Q::value_type*) noexcept) {
      { Q::traits } -> std::convertible_to<queue_traits>;
      { q.push(item) } -> std::same_as<push_result>;
      { q.push_bulk(items) } -> std::same_as<std::size_t>;
      { q.try_pop() } -> std::same_as<pop_result<typename Q::value_type>>;
      { q.drain(std::size_t{1}, sink) } -> std::same_as<drain_result>;
      { q.size_approx() } -> std::same_as<std::size_t>;
      requires(Q::traits.bounded ? std::constructible_from<Q, std::size_t>
                                 : std::default_initializable<Q>);
      requires(!Q::traits.bounded || requires {
        { q.capacity() } -> std::same_as<std::size_t>;
      });
    };

/// One way to construct any backend; unbounded ones have no use for a capacity.
template <mpsc_queue Q>
[[nodiscard]] Q make_queue(std::size_t capacity) {
  if constexpr (Q::traits.bounded) {
    return Q(capacity);
  } else {
    return Q();
  }
}

/// drain() written once on top of try_pop(), for backends that have no better way.
template <class Queue, class Sink>
drain_result drain_by_pop(Queue& queue, std::size_t limit, Sink&& sink) {
  for (std::size_t count = 0; count < limit; ++count) {
    const auto popped = queue.try_pop();
    if (popped.state == pop_state::empty) return {count, drain_end::empty};
    if (popped.state == pop_state::busy) return {count, drain_end::busy};
    sink(popped.item);
  }
  return {limit, drain_end::limit};
}

}  // namespace racewheel
