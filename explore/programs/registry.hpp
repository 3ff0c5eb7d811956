// The registry of programs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "explore/program.hpp"

namespace racewheel::explore {

/// What the command line may say of a program. Every program states which of it it uses.
struct program_parameters {
  std::string queue;  // a backend of the registry
  std::string wheel;
  std::size_t producers = 2;
  std::size_t items = 1;
  std::size_t pops = 2;
  std::size_t capacity = 0;
  std::size_t ticks = 1;
};

struct program_entry {
  std::string_view name;
  std::string_view summary;
  bool takes_queue;
  bool takes_wheel;
  /// Throws std::invalid_argument that names the parameter and lists what exists.
  program (*make)(const program_parameters& p);
};

[[nodiscard]] std::span<const program_entry> programs() noexcept;
/// Throws std::invalid_argument with the list of those that exist.
[[nodiscard]] const program_entry& find_program(std::string_view name);

}  // namespace racewheel::explore
