// The execution graph so far, and what the memory model allows next.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/event.hpp"
#include "explore/explorer.hpp"
#include "explore/graph_hash.hpp"
#include "explore/sc_order.hpp"

namespace racewheel::explore {

/// Program order, reads-from and modification order of one execution, built event by event.
///
/// RC11 with C++20 release sequences [LVK17]; po and rf only ever point back, so there is no load
/// buffering and nothing out of thin air. A new event is the last in happens-before, hence
/// coherence needs one number per access, the floor: the newest store of the location which the
/// thread knows, because that store or a read of it happens before. A load reads the floor or
/// anything newer; a store lands anywhere after the floor, but never between an RMW and the store
/// it read. What is left is the psc axiom, in sc_order.
///
/// A choice is named by its distance from the newest: 0 reads the newest store, or appends.
class graph {
 public:
  struct location {
    std::vector<event_id> order;     // modification order
    std::vector<event_id> accesses;  // all reads and writes, in order of execution
    const void* address;
    std::uint64_t identity;
    std::uint64_t queue;  // hash of who parked and notified here, in order
    std::uint32_t creator;
    std::uint32_t created;  // the creator's event in progress then
    bool pointer;           // its values are addresses
    bool dead;
    bool plain;  // some access was not atomic
  };

  struct thread_view {
    vector_clock clock;            // what happens before its next event
    vector_clock unacquired;       // messages read by relaxed loads: an acquire fence takes them
    vector_clock fenced;           // clock of the last release fence: relaxed stores carry it
    vector_clock before_run;       // clock before its latest run of accesses to one location
    location_id last_location;     // of that run
    std::uint32_t created;         // locations and threads it made so far, for canonical names
    std::uint64_t identity;        // canonical name: the parent's, and the how-manieth child
    std::vector<event_id> events;  // by index - 1; none where a point in program order is no event
  };

  graph() : sc_(*this) {}
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;

  /// Forgets everything, keeps the memory.
  void reset(memory_model model, bool strengthen) noexcept;

  std::uint32_t add_thread(std::uint32_t parent);  // parent none: the main thread, or the clock
  /// A point in program order that other threads may learn of: a thread's start, end, join.
  void step(std::uint32_t thread);
  void learn(std::uint32_t thread, const vector_clock& clock) {
    threads_[thread].clock.join(clock);
  }

  location_id create(std::uint32_t thread, const void* address, std::uint64_t value, bool pointer);

  // What may happen next. Distances are appended to `out`, newest first, and never none.
  void read_options(std::uint32_t thread, location_id where, mode m,
                    std::vector<std::uint16_t>& out) const;
  void store_options(std::uint32_t thread, location_id where, mode m,
                     std::vector<std::uint16_t>& out) const;
  void rmw_options(std::uint32_t thread, location_id where, mode m,
                   std::vector<std::uint16_t>& out) const;
  /// Strong: a matching value must be swapped. With `may_fail` it may also be read and refused.
  void cas_options(std::uint32_t thread, location_id where, std::uint64_t expected, mode success,
                   mode failure, bool may_fail, std::vector<std::uint16_t>& out) const;
  [[nodiscard]] bool can_read(std::uint32_t thread, location_id where, std::uint32_t distance,
                              mode m) const;
  [[nodiscard]] bool can_update(std::uint32_t thread, location_id where, std::uint32_t distance,
                                mode m) const;

  // What happens. Each adds one event.
  event& read(std::uint32_t thread, location_id where, std::uint32_t distance, event_kind kind,
              const access& a);
  event& write(std::uint32_t thread, location_id where, std::uint32_t distance, std::uint64_t value,
               event_kind kind, const access& a);
  event& update(std::uint32_t thread, location_id where, std::uint32_t distance,
                std::uint64_t value, event_kind kind, const access& a);
  event& fence(std::uint32_t thread, const access& a);
  /// An event whose only effect is its place in a location's queue of sleepers.
  event& mark(std::uint32_t thread, location_id where, event_id cause, event_kind kind,
              const access& a);

  [[nodiscard]] event& at(location_id where, std::uint32_t distance) noexcept {
    const auto& order = locations_[where].order;
    return events_[order[order.size() - 1 - distance]];
  }
  [[nodiscard]] const event& at(location_id where, std::uint32_t distance) const noexcept {
    const auto& order = locations_[where].order;
    return events_[order[order.size() - 1 - distance]];
  }
  [[nodiscard]] const event& get(event_id id) const noexcept { return events_[id]; }
  [[nodiscard]] event_id newest(location_id where) const noexcept {
    return locations_[where].order.back();
  }
  [[nodiscard]] location& place(location_id id) noexcept { return locations_[id]; }
  [[nodiscard]] const location& place(location_id id) const noexcept { return locations_[id]; }
  [[nodiscard]] std::uint32_t location_count() const noexcept { return location_count_; }
  [[nodiscard]] thread_view& thread(std::uint32_t t) noexcept { return threads_[t]; }
  [[nodiscard]] const thread_view& thread(std::uint32_t t) const noexcept { return threads_[t]; }
  [[nodiscard]] std::uint32_t event_count() const noexcept { return event_count_; }
  [[nodiscard]] std::uint32_t index_of(std::uint32_t t) const noexcept {
    return threads_[t].clock.known[t];
  }

  /// The same for equal graphs, whatever order they were built in.
  [[nodiscard]] std::uint64_t hash() const noexcept { return hash_; }

  /// For what the graph does not show, such as whom a notification woke.
  void tag(std::uint64_t part) noexcept { hash_ += mix(part, 0x7461U); }

  /// The latest access to the same location that conflicts with this one and is not ordered with
  /// it, one of them not being atomic; or none.
  [[nodiscard]] event_id unordered_conflict(const event& e) const noexcept;

 private:
  [[nodiscard]] std::uint32_t floor(std::uint32_t thread, location_id where) const noexcept;
  [[nodiscard]] mode effective(mode m) const noexcept {
    return strengthen_ && m != mode::na ? mode::seq_cst : m;
  }
  [[nodiscard]] bool axiom_allows(std::uint32_t thread, location_id where, event_id source,
                                  std::uint32_t slot, bool writes, mode m) const;
  event& append(std::uint32_t thread, location_id where, event_kind kind, const access& a);
  void receive(thread_view& view, const event& source, mode m) noexcept;
  void send(event& e, const event* source) noexcept;
  void place_in_order(event& e, std::uint32_t slot);
  void add_to_hash(const event& e, const event* source) noexcept;
  void finish(event& e, std::uint32_t later);

  memory_model model_ = memory_model::rc11;
  bool strengthen_ = false;
  std::vector<event> events_;
  std::uint32_t event_count_ = 0;
  std::vector<location> locations_;
  std::uint32_t location_count_ = 0;
  std::vector<thread_view> threads_;
  std::uint32_t thread_count_ = 0;
  std::uint64_t hash_ = 0;
  sc_order sc_;
  vector_clock before_;      // of the event being added: its thread's clock before it
  vector_clock before_run_;  // and before its run of accesses to one location
};

}  // namespace racewheel::explore
