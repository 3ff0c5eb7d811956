// The body of push_pop, and what it checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/mpsc_queue.hpp"
#include "explore/moment.hpp"
#include "explore/platform.hpp"
#include "explore/programs/push_pop.hpp"
#include "explore/scratch_allocator.hpp"

namespace racewheel::explore {

/// One execution. The consumer is the main thread.
///   each item comes out once and only what went in    conservation by id
///   items of one producer come out in their order     per-producer FIFO
///   the payload is there and not raced for            publication, by plain<T>
///   full, empty, busy only where that can be true     exact by happens-before
///   after the producers ended, draining empties it    nothing is lost
template <class Backend>
class push_pop_run {
 public:
  explicit push_pop_run(const push_pop_bounds& b)
      : bounds_(b),
        capacity_(b.capacity != 0 ? b.capacity : b.producers * b.items),
        queue_(make_queue<queue>(capacity_)),
        items_(b.producers * b.items),
        next_number_(b.producers) {
    for (std::size_t id = 0; id < items_.size(); ++id) items_[id].id = id;
  }

  void run() {
    detail::thread_group producers;
    scratch_vector<producer> bodies;
    bodies.reserve(bounds_.producers);
    for (std::size_t p = 0; p < bounds_.producers; ++p) bodies.push_back({this, p});
    for (producer& body : bodies) producers.start(body);
    for (std::size_t i = 0; i < bounds_.pops; ++i) static_cast<void>(pop());
    producers.join();
    drain();
  }

 private:
  struct item : mpsc_hook<platform> {
    std::size_t id = 0;
    platform::plain<std::uint64_t> payload{0};
    // The explorer's own notes: not part of what the threads share.
    moment pushed;
    moment popped;
    bool begun = false;
    bool refused = false;
    bool out = false;
  };
  using queue = typename Backend::template queue<item, platform>;

  struct producer {
    push_pop_run* self;
    std::size_t number;
    void operator()() {
      for (std::size_t i = 0; i < self->bounds_.items; ++i) self->push(number, i);
    }
  };

  [[nodiscard]] static std::uint64_t payload_of(std::size_t id) { return (id + 1) * 0x9E3779B9U; }

  void push(std::size_t p, std::size_t number) {
    item& it = items_[p * bounds_.items + number];
    std::size_t freed = 0;  // places that were certainly free again when the push began
    for (const item& other : items_) freed += other.popped.happened_before_now() ? 1 : 0;
    it.payload.set(payload_of(it.id));
    it.begun = true;
    if (queue_.push(&it) == push_result::ok) {
      it.pushed = moment::now();
      return;
    }
    it.refused = true;
    std::size_t claimed = 0;
    for (const item& other : items_) claimed += other.begun && !other.refused ? 1 : 0;
    if (queue::traits.exact_full) {
      check(queue::traits.bounded && claimed >= freed + capacity_, "full only when full");
    }
  }

  [[nodiscard]] pop_state pop() {
    bool certain = false;    // an item was certainly inside when the pop began
    bool in_flight = false;  // some push may be between claim and publish
    for (const item& it : items_) {
      const bool known = it.pushed.happened_before_now();
      certain = certain || (known && !it.out);
      in_flight = in_flight || (!known && !it.out);
    }
    const auto popped = queue_.try_pop();
    switch (popped.state) {
      case pop_state::item:
        take(popped.item);
        break;
      case pop_state::empty:
        if (queue::traits.exact_empty) check(!certain, "empty only when empty");
        break;
      case pop_state::busy:
        check(in_flight, "busy only while a push is under way");
        break;
    }
    return popped.state;
  }

  void take(item* it) {
    const auto first = reinterpret_cast<std::uintptr_t>(items_.data());
    const auto offset = reinterpret_cast<std::uintptr_t>(it) - first;
    const bool ours = offset < items_.size() * sizeof(item) && offset % sizeof(item) == 0;
    check(ours, "only what was pushed comes out");
    check(it->begun && !it->refused, "only what was pushed comes out");
    check(!it->out, "each item comes out once");
    it->out = true;
    const std::uint64_t payload = it->payload.get();
    check(payload == payload_of(it->id), "the payload is there");
    std::size_t& next = next_number_[it->id / bounds_.items];
    check(it->id % bounds_.items >= next, "items of one producer come out in order");
    next = it->id % bounds_.items + 1;
    it->popped = moment::now();
  }

  /// Nobody pushes any more: it must become empty, and never say busy.
  void drain() {
    std::size_t tries = 0;
    for (pop_state state = pop(); state != pop_state::empty; state = pop()) {
      check(state != pop_state::busy, "busy only while a push is under way");
      check(++tries <= items_.size(), "draining ends");
    }
    for (const item& it : items_) check(it.out || it.refused, "every item comes out");
  }

  const push_pop_bounds bounds_;
  const std::size_t capacity_;
  queue queue_;
  scratch_vector<item> items_;
  scratch_vector<std::size_t> next_number_;  // of each producer, at the least
};

template <class Backend>
program push_pop(const push_pop_bounds& bounds) {
  return {"push_pop", [bounds] { push_pop_run<Backend>(bounds).run(); }};
}

}  // namespace racewheel::explore
