// The model against a judge, program by program.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "explore/litmus_result.hpp"
#include "explore/litmus_runner.hpp"

namespace racewheel::litmus {

/// Says what a program may do, from something other than the explorer: the oracle, mostly.
using judge = std::function<result(const program&, memory)>;

struct comparison {
  program code;
  run_result seen;
  std::string difference;  // empty: they agree
  std::string replay;      // a command that repeats this one
};

/// The random program of this seed on the explorer, and what the judge says of it.
[[nodiscard]] comparison compare_random(std::uint64_t seed, memory m, const judge& expected);

}  // namespace racewheel::litmus
