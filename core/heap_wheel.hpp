// A 4-ary heap behind the wheel contract: tickless, exact to the clock.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/wheel.hpp"

namespace racewheel {

/// Implicit 4-ary min-heap ordered by (deadline, order of arrival), with each timeout's index kept
/// in the timeout: place and remove O(log n), FIFO among equal deadlines. The shape of the JDK's
/// ScheduledThreadPoolExecutor and DelayScheduler. Keys are copied next to the pointers, so that a
/// sift touches the heap's own memory and not the timeouts'.
template <class Timeout>
class heap_wheel {
 public:
  static constexpr wheel_traits traits{.name = "heap", .tickless = true};

  explicit heap_wheel(wheel_geometry) {}

  void place(Timeout& timeout) {
    timeout.rank.set(arrivals_);
    entries_.push_back({timeout.deadline(), arrivals_, &timeout});
    ++arrivals_;
    sift_up(entries_.size() - 1);
  }

  void remove(Timeout& timeout) noexcept {
    const std::size_t hole = timeout.place.get();
    timeout.place.set(Timeout::none);
    const entry last = entries_.back();
    entries_.pop_back();
    if (hole == entries_.size()) return;
    set(hole, last);
    sift_down(hole);
    sift_up(last.timeout->place.get());
  }

  template <class Sink>
  std::uint64_t advance(time_point to, Sink&& sink) {
    while (!entries_.empty() && entries_.front().deadline <= to &&
           entries_.front().deadline != never) {
      Timeout& timeout = *entries_.front().timeout;
      remove(timeout);
      sink.due(timeout, 0);
    }
    return 1;
  }

  [[nodiscard]] time_point next_expiry() const noexcept {
    return entries_.empty() ? never : entries_.front().deadline;
  }

  /// In the order of expiry.
  template <class Each>
  void drain(Each&& each) {
    while (!entries_.empty()) {
      Timeout& timeout = *entries_.front().timeout;
      remove(timeout);
      each(timeout, 0);
    }
  }

  [[nodiscard]] std::size_t slot_of(const Timeout&) const noexcept { return 0; }
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

 private:
  static constexpr std::size_t arity = 4;

  struct entry {
    time_point deadline;
    std::uint64_t arrival;
    Timeout* timeout;

    [[nodiscard]] bool before(const entry& other) const noexcept {
      return std::pair(deadline, arrival) < std::pair(other.deadline, other.arrival);
    }
  };

  void set(std::size_t index, const entry& e) noexcept {
    entries_[index] = e;
    e.timeout->place.set(static_cast<std::uint32_t>(index));
  }

  void sift_up(std::size_t index) noexcept {
    const entry moving = entries_[index];
    while (index > 0) {
      const std::size_t parent = (index - 1) / arity;
      if (!moving.before(entries_[parent])) break;
      set(index, entries_[parent]);
      index = parent;
    }
    set(index, moving);
  }

  void sift_down(std::size_t index) noexcept {
    const entry moving = entries_[index];
    for (;;) {
      const std::size_t first = index * arity + 1;
      if (first >= entries_.size()) break;
      const std::size_t end = std::min(first + arity, entries_.size());
      std::size_t least = first;
      for (std::size_t child = first + 1; child < end; ++child) {
        if (entries_[child].before(entries_[least])) least = child;
      }
      if (!entries_[least].before(moving)) break;
      set(index, entries_[least]);
      index = least;
    }
    set(index, moving);
  }

  std::vector<entry> entries_;
  std::uint64_t arrivals_ = 0;
};

}  // namespace racewheel
