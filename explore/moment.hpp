// Happens-before for the checks of programs.
#pragma once

#include <cstdint>

namespace racewheel::explore {

/// A point in the life of a virtual thread. Specifications such as "empty only if it was empty" are
/// stated with it: under weak memory only what happens before can be held against anybody.
class moment {
 public:
  /// After the calling thread's latest visible operation.
  [[nodiscard]] static moment now() noexcept;
  /// Before its next one: whoever knows that operation knows what came before it.
  [[nodiscard]] static moment next() noexcept;
  /// Has it happened, and does the calling thread know?
  [[nodiscard]] bool happened_before_now() const noexcept;

 private:
  static constexpr std::uint32_t not_yet = 0xFFFFFFFF;
  std::uint32_t thread_ = 0;
  std::uint32_t index_ = not_yet;
};

}  // namespace racewheel::explore
