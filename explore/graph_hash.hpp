// Mixing for canonical graph hashes: sums of well-mixed parts do not depend on their order.
#pragma once

#include <cstdint>

namespace racewheel::explore {

/// Two rounds of 64x64 -> 128 bit multiply and fold, as in wyhash.
[[nodiscard]] inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using wide = unsigned __int128;
  const auto fold = [](std::uint64_t x, std::uint64_t y) {
    const wide product = static_cast<wide>(x) * y;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  const std::uint64_t first = fold(a ^ 0xA0761D6478BD642FU, b ^ 0xE7037ED1A0B428DBU);
  return fold(first ^ 0x8EBC6AF09C88C6E3U, b + 0x589965CC75374CC3U);
}

}  // namespace racewheel::explore
