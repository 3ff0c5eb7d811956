// Netty's wheel: slots of one tick each, a round counter per timeout.
#pragma once

#include <cstdint>
#include <vector>

#include "core/bucket.hpp"
#include "core/wheel.hpp"

namespace racewheel {

/// Hashed timing wheel, scheme 6 of [VL87]. place and remove O(1), a tick walks one slot.
/// Slot k holds deadlines in [k, k+1) ticks, modulo the number of slots, and is processed when its
/// tick has ENDED, so nothing is early and everything is due within one tick.
/// FIFO within a slot and round. Ticks that were missed are replayed one by one.
template <class Timeout>
class hashed_wheel {
  using recipe = typename Timeout::recipe_type;

 public:
  static constexpr wheel_traits traits{.name = "hashed_wheel", .tickless = false};

  explicit hashed_wheel(wheel_geometry geometry)
      : tick_(geometry.tick), mask_(geometry.slots - 1), slots_(geometry.slots) {}

  void place(Timeout& timeout) noexcept {
    const std::uint64_t due = tick_of(timeout.deadline());
    const std::uint64_t target = due > current_ ? due : current_;
    const std::uint64_t base = recipe::rounds_relative ? target - current_ : target;
    const auto slot = static_cast<std::uint32_t>(target & mask_);
    timeout.rank.set(base / slots_.size());
    timeout.place.set(slot);
    slots_[slot].append(timeout);
    ++size_;
  }

  void remove(Timeout& timeout) noexcept {
    slots_[timeout.place.get()].remove(timeout);
    timeout.place.set(Timeout::none);
    --size_;
  }

  template <class Sink>
  std::uint64_t advance(time_point to, Sink&& sink) {
    const std::uint64_t target = tick_of(to);
    const std::uint64_t begun_at = current_;
    while (current_ < target) {
      if (size_ == 0) {
        current_ = target;  // nobody is waiting for the ticks between
        break;
      }
      bucket<Timeout> strays = walk(slots_[current_ & mask_], sink);
      ++current_;
      // Only now: rounds count visits of a slot, and this tick's visit is over.
      while (Timeout* const stray = strays.pop()) {
        place(*stray);
        sink.misplaced(*stray);
      }
    }
    return current_ - begun_at;
  }

  [[nodiscard]] time_point next_expiry() const noexcept {
    return tick_.count() > (never / static_cast<std::int64_t>(current_ + 1)).count()
               ? never
               : tick_ * static_cast<std::int64_t>(current_ + 1);
  }

  template <class Each>
  void drain(Each&& each) {
    for (bucket<Timeout>& slot : slots_) {
      while (Timeout* const timeout = slot.first()) {
        const std::size_t index = slot_of(*timeout);
        remove(*timeout);
        each(*timeout, index);
      }
    }
  }

  [[nodiscard]] std::size_t slot_of(const Timeout& timeout) const noexcept {
    return timeout.place.get();
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  [[nodiscard]] std::uint64_t tick_of(time_point t) const noexcept {
    return t.count() <= 0 ? 0 : static_cast<std::uint64_t>(t / tick_);
  }

  // The sink runs tasks, and a task may schedule or cancel; both only reach the queue or the cancel
  // stack, so the slot cannot change under the walk. Returns what does not belong here.
  template <class Sink>
  [[nodiscard]] bucket<Timeout> walk(bucket<Timeout>& slot, Sink& sink) {
    bucket<Timeout> strays;
    for (Timeout* timeout = slot.first(); timeout != nullptr;) {
      Timeout* const next = bucket<Timeout>::next(*timeout);
      if (timeout->rank.get() > 0) {
        if constexpr (!recipe::walk_to_the_end) break;
        timeout->rank.set(timeout->rank.get() - 1);
      } else {
        remove(*timeout);
        if (tick_of(timeout->deadline()) <= current_) {
          sink.due(*timeout, current_ & mask_);
        } else {
          strays.append(*timeout);
        }
      }
      timeout = next;
    }
    return strays;
  }

  time_point tick_;
  std::uint64_t mask_;
  std::vector<bucket<Timeout>> slots_;
  std::uint64_t current_ = 0;  // ticks that have ended; this one is running
  std::size_t size_ = 0;
};

}  // namespace racewheel
