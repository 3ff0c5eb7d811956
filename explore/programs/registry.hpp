// The registry of programs.
#pragma once

#include <span>
#include <string_view>

#include "explore/program.hpp"
#include "explore/programs/parameters.hpp"

namespace racewheel::explore {

/// What a program runs on beside its bounds.
enum class program_needs { queue, timer };

struct program_entry {
  std::string_view name;
  std::string_view summary;
  program_needs needs;  // queue: a backend; timer: a backend and a wheel
  std::span<const program_bound> bounds;
  /// With resolved bounds. Throws std::invalid_argument that lists the backends and wheels it
  /// knows.
  program (*make)(const program_parameters& p);
};

[[nodiscard]] std::span<const program_entry> programs() noexcept;
/// Throws std::invalid_argument with the list of those that exist.
[[nodiscard]] const program_entry& find_program(std::string_view name);

/// The program on what it says; a bound out of range, a queue or a wheel that does not exist throws
/// std::invalid_argument.
[[nodiscard]] program make_program(std::string_view name, program_parameters p);

}  // namespace racewheel::explore
