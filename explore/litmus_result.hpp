// What a litmus program may do under a memory model: said by the table, the oracle and the
// explorer.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "explore/litmus_program.hpp"

namespace racewheel::litmus {

/// sc: every access takes its place in one total order.
/// rc11: RC11 with the release sequences of C++20; load buffering is excluded.
/// Whether an execution races is judged by the orders as they are written, under both: a program
/// that races only for want of order says so even where no stale value can be seen.
enum class memory { sc, rc11 };

[[nodiscard]] constexpr std::string_view to_string(memory m) noexcept {
  return m == memory::sc ? "sc" : "rc11";
}

/// One value per column of outcome_columns(): the registers, then the final values of the
/// locations. A register whose operation was skipped has none.
using outcome = std::vector<std::optional<value>>;

/// "P0:r0", "P0:r1", ..., and the names of the locations.
[[nodiscard]] std::vector<std::string> outcome_columns(const program& p);

struct result {
  std::uint64_t graphs = 0;  // consistent execution graphs: they differ in po, rf or mo
  std::set<outcome> outcomes;
  bool data_race = false;  // in one of the graphs

  friend bool operator==(const result&, const result&) = default;
};

/// Empty if equal, else what differs, in words: graphs, the race, the outcomes on one side only.
[[nodiscard]] std::string difference(const program& p, const result& expected, const result& got);

/// "P0:r0=1 P1:r0=- x=1".
[[nodiscard]] std::string to_string(const outcome& o, const std::vector<std::string>& columns);

}  // namespace racewheel::litmus
