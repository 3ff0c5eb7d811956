// Litmus programs on the explorer.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "explore/litmus_result.hpp"

namespace racewheel::litmus {

struct run_limits {
  double seconds = std::numeric_limits<double>::infinity();
  std::string strategy = "dfs";  // must be exhaustive for the result to be exact
};

struct run_result {
  result seen;
  std::uint64_t executions = 0;  // all that were started, also those cut short
  std::string bound;             // the limit that ended the search early; empty: it is exhaustive
};

/// Explores every execution of the program: virtual threads on the explorer's own memory model. A
/// data race is noted and does not end the search.
[[nodiscard]] run_result run(const program& p, memory m, const run_limits& limits = {});

/// The two accesses of the first data race that is found, in words; empty if there is none.
[[nodiscard]] std::string describe_race(const program& p, memory m);

}  // namespace racewheel::litmus
