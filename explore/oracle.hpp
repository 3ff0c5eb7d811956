// The oracle: everything a litmus program may do, straight from the axioms.
#pragma once

#include <cstdint>

#include "explore/litmus_result.hpp"

namespace racewheel::oracle {

/// `off` keeps candidates until they are complete and leaves every decision to the axioms. It is
/// far slower and there to test that pruning loses nothing.
enum class pruning { on, off };

/// Enumerates all candidate executions (control flow and values that fit, a source for every read,
/// a modification order for every location) and keeps the consistent ones. It has the notation in
/// common with the explorer and nothing else: no virtual threads, no clocks, no schedule, so that
/// one can be the judge of the other.
///
/// Meant for programs of a dozen operations: the time grows with the number of graphs.
/// Throws std::length_error if operations and locations are more than 64 together.
[[nodiscard]] litmus::result enumerate(const litmus::program& p, litmus::memory memory,
                                       pruning prune = pruning::on);

}  // namespace racewheel::oracle
