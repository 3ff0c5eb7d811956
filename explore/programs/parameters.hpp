// What may be said of a program: its size, and what it runs on.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace racewheel::explore {

/// The size of a program. What is not said is the program's own default.
struct program_bounds {
  using value = std::optional<std::size_t>;

  value producers{};   // threads that push or schedule
  value items{};       // of each producer
  value pops{};        // tries of the consumer while producers run
  value capacity{};    // of bounded backends; 0: room for everything
  value timeouts{};    // that exist before the threads start
  value cancellers{};  // threads that cancel, each all of them
  value observers{};   // threads that look at the first timeout, twice
  value ticks{};       // turns of the worker, or ticks until time stands still

  bool operator==(const program_bounds&) const = default;
};

/// One number that a program takes, and the range it takes it from.
struct program_bound {
  std::string_view name;
  program_bounds::value program_bounds::* member;
  std::size_t least;
  std::size_t most;
  std::size_t usual;
};

/// What the command line and race files say.
struct program_parameters {
  std::string queue = "vyukov";
  std::string wheel = "hashed_wheel";
  program_bounds bounds{};
};

/// Fills in what was not said. Throws std::invalid_argument for a value that is out of range, or of
/// a bound which the program does not take; the message names the value and the range.
[[nodiscard]] program_bounds resolved(std::string_view program,
                                      std::span<const program_bound> takes,
                                      const program_bounds& said);

/// The bound of this name, set to the value; for race files and command lines. Throws
/// std::invalid_argument with the list of those that exist.
void set_bound(program_bounds& bounds, std::string_view name, std::size_t value);

/// Calls each(name, value) for those that are said.
template <class Each>
void for_each_bound(const program_bounds& bounds, Each&& each);

/// Every name there is.
inline constexpr struct {
  std::string_view name;
  program_bounds::value program_bounds::* member;
} bound_names[] = {
    {"producers", &program_bounds::producers}, {"items", &program_bounds::items},
    {"pops", &program_bounds::pops},           {"capacity", &program_bounds::capacity},
    {"timeouts", &program_bounds::timeouts},   {"cancellers", &program_bounds::cancellers},
    {"observers", &program_bounds::observers}, {"ticks", &program_bounds::ticks},
};

template <class Each>
void for_each_bound(const program_bounds& bounds, Each&& each) {
  for (const auto& bound : bound_names) {
    if (bounds.*bound.member) each(bound.name, *(bounds.*bound.member));
  }
}

}  // namespace racewheel::explore
