// A schedule: the decisions of one execution that were not the default.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "explore/strategy.hpp"

namespace racewheel::explore {

struct decision;

/// The token reads `t3=2.r7=1`: the third choice runs thread 2, the seventh reads one store behind
/// the newest. Letters: t thread, r read, s slot, f spurious failure, w wake, b block reuse. A
/// schedule without deviations is `-`. No addresses, no line numbers.
struct deviation {
  std::uint32_t number;  // of the choice, from 1; choices with one option do not count
  choice_kind kind;
  std::uint16_t value;

  bool operator==(const deviation&) const = default;
};

[[nodiscard]] std::string to_token(const std::vector<decision>& decisions);
/// The deviations counted by kind, for people: "2 switches, 1 stale read".
[[nodiscard]] std::string words_of(const std::vector<decision>& decisions,
                                   std::uint32_t clock_thread);
/// Throws std::invalid_argument that names the part it cannot read.
[[nodiscard]] std::vector<deviation> parse_token(std::string_view token);

/// A schedule that does not fit the program it is run on.
class replay_divergence : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace racewheel::explore
