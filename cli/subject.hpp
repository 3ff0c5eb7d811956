// What is explored, as the options of a command line say it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "races/search.hpp"

namespace racewheel::cli {

/// As typed. What is empty or not set was not said.
struct subject_options {
  std::string program;
  std::string queue;
  std::string wheel;
  std::string specimen;
  explore::program_bounds bounds{};
  std::vector<std::string> orders;  // SITE=ORDER
  std::string memory = "rc11";
  std::uint32_t steps = explore::options{}.steps;
  std::uint32_t spurious_failures = 0;
  bool reuse_blocks = false;
};

/// The options for all of these. The program may stand alone, too, if it is `positional`.
void add_subject_options(CLI::App& sub, subject_options& o, bool positional);

struct subject {
  races::exploration what;
  explore::options options;

  /// "push_pop on vyukov", for people.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::string wheel() const;  // empty: the program has no timer
};

/// Fills in what was not said, by the plan of the specimen if one is named. What does not exist
/// throws usage_error or std::invalid_argument with the names that do.
[[nodiscard]] subject resolved(const subject_options& o);

/// The options that say what this race file says, without the schedule.
[[nodiscard]] std::string as_typed(const explore::race_file& race);

}  // namespace racewheel::cli
