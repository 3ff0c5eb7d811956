// The explorer's programs with the one member spoiled that a specimen names.
#pragma once

#include <string_view>

#include "explore/program.hpp"
#include "explore/programs/parameters.hpp"

namespace racewheel::races {

/// The program of the specimen's plan, with resolved bounds. A specimen of the timer is shown on
/// the hashed wheel and the vyukov queue.
[[nodiscard]] explore::program spoiled_program(std::string_view id,
                                               const explore::program_bounds& bounds);

}  // namespace racewheel::races
