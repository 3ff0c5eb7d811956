// Happens-before as numbers: per thread, how many of its events are known.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace racewheel::explore {

/// Virtual threads of one execution, the main thread and the clock included.
inline constexpr std::uint32_t max_threads = 16;

/// Sixteen 16-bit lanes, so that a join is a few vector instructions. An execution has therefore at
/// most 65,534 events per thread; options::steps keeps it far below.
struct vector_clock {
  std::array<std::uint16_t, max_threads> known{};

  void join(const vector_clock& other) noexcept {
    for (std::uint32_t i = 0; i < max_threads; ++i) {
      known[i] = std::max(known[i], other.known[i]);
    }
  }

  [[nodiscard]] bool covers(std::uint32_t thread, std::uint32_t index) const noexcept {
    return known[thread] >= index;
  }
};

/// Per thread the first of its events that writes or reads one store. Whoever knows any of these
/// events knows the store.
struct first_seen {
  static constexpr std::uint16_t unseen = 0xFFFF;
  std::array<std::uint16_t, max_threads> index;

  void reset() noexcept { index.fill(unseen); }

  void add(std::uint32_t thread, std::uint16_t event_index) noexcept {
    index[thread] = std::min(index[thread], event_index);
  }

  [[nodiscard]] bool known_to(const vector_clock& clock) const noexcept {
    std::uint16_t any = 0;
    for (std::uint32_t i = 0; i < max_threads; ++i) {
      any =
          static_cast<std::uint16_t>(any | static_cast<std::uint16_t>(index[i] <= clock.known[i]));
    }
    return any != 0;
  }
};

}  // namespace racewheel::explore
