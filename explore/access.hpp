// How one access looks to the model: its order and its label.
#pragma once

#include <atomic>
#include <cstdint>
#include <source_location>

#include "core/site.hpp"

namespace racewheel::explore {

/// The C++ orders plus `na`, plain data of litmus tests: it may race, and the race is reported.
enum class mode : std::uint8_t { na, relaxed, acquire, release, acq_rel, seq_cst };

[[nodiscard]] constexpr mode mode_of(std::memory_order order) noexcept {
  switch (order) {
    case std::memory_order::relaxed:
      return mode::relaxed;
    case std::memory_order::consume:  // promoted, as every compiler does
    case std::memory_order::acquire:
      return mode::acquire;
    case std::memory_order::release:
      return mode::release;
    case std::memory_order::acq_rel:
      return mode::acq_rel;
    case std::memory_order::seq_cst:
      break;
  }
  return mode::seq_cst;
}

[[nodiscard]] constexpr bool acquires(mode m) noexcept {
  return m == mode::acquire || m == mode::acq_rel || m == mode::seq_cst;
}
[[nodiscard]] constexpr bool releases(mode m) noexcept {
  return m == mode::release || m == mode::acq_rel || m == mode::seq_cst;
}

/// Order and label of one access. Named sites of ours; bare orders of third-party code, labelled by
/// where they stand in the source.
struct access {
  explore::mode mode = explore::mode::seq_cst;
  const char* name = nullptr;  // null: no site, `where` is the label
  std::source_location where{};

  constexpr access(site s) noexcept : mode(mode_of(s.order)), name(s.name) {}
  constexpr access(explore::mode m, const char* label) noexcept : mode(m), name(label) {}
  constexpr access(std::memory_order order, std::source_location w) noexcept
      : mode(mode_of(order)), where(w) {}
};

enum class rmw_kind : std::uint8_t { exchange, add, sub, bit_and, bit_or, bit_xor };

/// Names a location of the running execution; stale as soon as that is over.
struct location_handle {
  std::uint32_t execution = 0;
  std::uint32_t index = 0;
};

}  // namespace racewheel::explore
