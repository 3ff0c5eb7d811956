// Checks of arguments: what throws names the parameter and its value.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace racewheel {

/// The largest capacity of a bounded queue: beyond this a caller has passed a negative number or a
/// size in bytes. As JCTools and Netty, 2^30.
inline constexpr std::size_t max_capacity = std::size_t{1} << 30;

/// `value`, if it lies in [low, high]; otherwise throws std::invalid_argument with the name of the
/// parameter, the value (also as the negative number it may have been) and the range.
[[nodiscard]] inline std::size_t checked_range(std::string_view parameter, std::size_t value,
                                               std::size_t low, std::size_t high) {
  if (low <= value && value <= high) return value;
  std::string message(parameter);
  message += " is " + std::to_string(value);
  if (const auto negative = static_cast<std::ptrdiff_t>(value); negative < 0) {
    message += " (" + std::to_string(negative) + " as a signed number)";
  }
  message += "; it must be " + std::to_string(low) + " to " + std::to_string(high);
  throw std::invalid_argument(message);
}

/// What a bounded queue makes of its constructor's argument.
[[nodiscard]] inline std::size_t checked_capacity(std::size_t capacity) {
  return checked_range("capacity", capacity, 1, max_capacity);
}

}  // namespace racewheel
