// Unbounded intrusive MPSC list with a stub.
#pragma once

#include <array>

#include "core/access.hpp"
#include "core/mpsc_queue.hpp"
#include "core/std_platform.hpp"

namespace racewheel {

/// Unbounded intrusive MPSC FIFO: exchange the tail, then link the predecessor. [VYU10]
///   push     any thread    one exchange + one store; wait-free, never full
///   try_pop  the consumer  item | empty | busy (stall gap: a producer is between [claim] and
///                          [link]); no RMW, but one exchange when it takes the last item (the
///                          stub goes back in)
///   memory   the caller owns the nodes; the queue never allocates or frees
///
///   site      access               pairs with        what it hands over
///   [init]    next store  relaxed  -                 carried by [claim]: my next = null is older
///                                                    than my successor's [link]
///   [chain]   next store  relaxed  -                 carried by [link]: the inner links of a bulk
///                                                    are older than the one that leads to them
///   [claim]   tail_ rmw   acq_rel  the next [claim]  the right to write my next: release sends
///                                                    [init], acquire receives the predecessor's
///   [link]    next store  release  [follow]          everything written before push()
///   [follow]  next load   acquire  [link]            the right to read the payload and to reuse
///                                                    the node before it
///   [look]    tail_ load  relaxed  -                 rechecked at [claim]: a stale tail only means
///                                                    one more stub in line, never two (own [claim]
///                                                    is seen)
///
/// The tail check before the stub is re-inserted is not an optimisation. Without it a consumer that
/// meets a stall gap twice inserts the stub twice, and the stub links to itself.
struct vyukov_recipe {
  static constexpr site init{"init", std::memory_order::relaxed};
  static constexpr site chain{"chain", std::memory_order::relaxed};
  static constexpr site claim{"claim", std::memory_order::acq_rel};
  static constexpr site link{"link", std::memory_order::release};
  static constexpr site follow{"follow", std::memory_order::acquire};
  static constexpr site look{"look", std::memory_order::relaxed};

  static constexpr bool tail_check = true;
  static constexpr bool tell_busy_from_empty = true;

  static constexpr stall_point stall{link.name, access::store};

  template <class R>
  static constexpr std::array sites_of{R::init, R::chain, R::claim, R::link, R::follow, R::look};

  template <class R>
  static constexpr std::array choices_of{choice{"tail_check", R::tail_check},
                                         choice{"tell_busy_from_empty", R::tell_busy_from_empty}};
};

template <class T, class Platform = std_platform, class Recipe = vyukov_recipe>
class vyukov_queue {
  using hook = mpsc_hook<Platform>;

 public:
  using value_type = T;
  static constexpr queue_traits traits{.name = "vyukov",
                                       .order = ordering::fifo,
                                       .push = progress::wait_free,
                                       .pop = progress::wait_free,
                                       .bounded = false,
                                       .intrusive = true,
                                       .exact_full = true,
                                       .exact_empty = true,
                                       .bulk_is_one_claim = true,
                                       .explorable = true,
                                       .peer = false};
  static constexpr queue_budget budget{.push_rmws = 1, .pop_rmws = 0, .last_pop_rmws = 1};

  vyukov_queue() = default;
  vyukov_queue(const vyukov_queue&) = delete;
  vyukov_queue& operator=(const vyukov_queue&) = delete;

  push_result push(T* item) noexcept {
    append(item, item);
    return push_result::ok;
  }

  /// Links the items privately and claims once.
  std::size_t push_bulk(std::span<T* const> items) noexcept {
    if (items.empty()) return 0;
    for (std::size_t i = 0; i + 1 < items.size(); ++i) {
      hook* const successor = items[i + 1];
      items[i]->hook::next.store(successor, Recipe::chain);
    }
    append(items.front(), items.back());
    return items.size();
  }

  pop_result<T> try_pop() noexcept {
    hook* head = head_.get();
    hook* next = head->next.load(Recipe::follow);
    if (head == &stub_) {
      if (next == nullptr) {
        hook* const tail = tail_.load(Recipe::look);
        return nothing(tail == &stub_);
      }
      head_.set(next);
      head = next;
      next = head->next.load(Recipe::follow);
    }
    if (next != nullptr) return take(head, next);
    if constexpr (Recipe::tail_check) {
      hook* const tail = tail_.load(Recipe::look);
      if (tail != head) return nothing(false);
    }
    append(&stub_, &stub_);  // head looks like the last: give it a successor, so that it can leave
    next = head->next.load(Recipe::follow);
    if (next != nullptr) return take(head, next);
    return nothing(false);
  }

  template <class Sink>
  drain_result drain(std::size_t limit, Sink&& sink) {
    return drain_by_pop(*this, limit, sink);
  }

  /// Walks the linked prefix: a list keeps no count.
  [[nodiscard]] std::size_t size_approx() const noexcept {
    std::size_t count = 0;
    for (const hook* node = head_.get(); node != nullptr; node = node->next.load(Recipe::follow)) {
      if (node != &stub_) ++count;
    }
    return count;
  }

 private:
  void append(hook* first, hook* last) noexcept {
    last->next.store(nullptr, Recipe::init);
    hook* const before = tail_.exchange(last, Recipe::claim);
    before->next.store(first, Recipe::link);
  }

  static pop_result<T> nothing(bool empty) noexcept {
    return {nullptr, empty || !Recipe::tell_busy_from_empty ? pop_state::empty : pop_state::busy};
  }

  pop_result<T> take(hook* head, hook* next) noexcept {
    head_.set(next);
    return {static_cast<T*>(head), pop_state::item};
  }

  alignas(separation) typename Platform::template atomic<hook*> tail_{&stub_};
  alignas(separation) typename Platform::template plain<hook*> head_{&stub_};  // the consumer's
  hook stub_;
};

}  // namespace racewheel
