// The admission word: who is inside, how many are pending, and whether the door is closed.
#pragma once

#include <cstdint>

#include "core/platform.hpp"
#include "core/timer_recipe.hpp"

namespace racewheel {

/// One word {closed, unpublished, pending}, because schedule() must learn "closed" and announce
/// itself in a single step: a flag that is re-checked after the enqueue is the store-buffering
/// pattern and loses timeouts unless every queue is sequentially consistent.
///   enter      any thread  one RMW; a refusal leaves no trace
///   take_back  the thread that entered and could not enqueue
///   settle     the worker  subtracts a batch of drained and of finalised timeouts in one RMW
///   close      any thread  after it every enter() is refused; those inside stay unpublished
/// The worker may finish when, after close(), a settle() reports nothing unpublished: whoever
/// entered earlier in the word's modification order was drained, whoever comes later sees closed.
template <class Platform, class Recipe>
class admission {
 public:
  enum class verdict { admitted, closed, over_limit };

  struct counts {
    bool closed;
    std::uint32_t unpublished;  // admitted and not yet drained by the worker
    std::uint32_t pending;      // admitted and not yet finalised by the worker
  };

  static constexpr std::uint32_t unlimited = 0;

  [[nodiscard]] verdict enter(std::uint32_t limit) noexcept {
    if (limit == unlimited) {
      const std::uint64_t before = word_.fetch_add(one_inside, Recipe::admit);
      if ((before & closed_bit) == 0) return verdict::admitted;
      if constexpr (Recipe::rejection_takes_back) take_back();
      return verdict::closed;
    }
    // A limit needs compare-and-swap: an overshoot that is taken back would be seen by others, and
    // would reject them although there was room.
    std::uint64_t before = word_.load(Recipe::admit_look);
    for (;;) {
      if ((before & closed_bit) != 0) return verdict::closed;
      if (unpack(before).pending >= limit) return verdict::over_limit;
      if (word_.compare_exchange_weak(before, before + one_inside, Recipe::admit,
                                      Recipe::admit_retry)) {
        return verdict::admitted;
      }
    }
  }

  void take_back() noexcept { word_.fetch_sub(one_inside, Recipe::take_back); }

  /// Returns what is left.
  counts settle(std::uint32_t drained, std::uint32_t finalised) noexcept {
    const std::uint64_t less = one_unpublished * drained + finalised;
    const std::uint64_t before = word_.fetch_sub(less, Recipe::settle);
    return unpack(before - less);
  }

  void close() noexcept { word_.fetch_or(closed_bit, Recipe::close); }

  [[nodiscard]] counts look() const noexcept {
    const std::uint64_t word = word_.load(Recipe::closed_look);
    return unpack(word);
  }
  [[nodiscard]] bool closed() const noexcept { return look().closed; }

  [[nodiscard]] std::uint32_t pending() const noexcept {
    const std::uint64_t word = word_.load(Recipe::pending_look);
    return unpack(word).pending;
  }

 private:
  static constexpr std::uint64_t one_unpublished = std::uint64_t{1} << 32;
  static constexpr std::uint64_t one_inside = one_unpublished + 1;
  static constexpr std::uint64_t closed_bit = std::uint64_t{1} << 63;

  [[nodiscard]] static constexpr counts unpack(std::uint64_t word) noexcept {
    return {(word & closed_bit) != 0, static_cast<std::uint32_t>((word & ~closed_bit) >> 32),
            static_cast<std::uint32_t>(word)};
  }

  alignas(separation) typename Platform::template atomic<std::uint64_t> word_{0};
};

}  // namespace racewheel
