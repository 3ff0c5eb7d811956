// An execution for people: one column per thread, one line per visible operation.
#pragma once

#include <string>
#include <vector>

#include "explore/engine.hpp"

namespace racewheel::explore {

/// "P1 claim", one per visible operation, in the order of execution.
[[nodiscard]] std::vector<std::string> steps_of(const engine& e);

/// 16 hexadecimal digits over the steps.
[[nodiscard]] std::string digest_of(const std::vector<std::string>& steps);

/// Site, operation, order, value; for a stale read which newer store it ignored.
[[nodiscard]] std::string trace_of(const engine& e);

}  // namespace racewheel::explore
