// A race is a file: everything that is needed to run a finding again, anywhere.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "explore/explorer.hpp"

namespace racewheel::explore {

/// A file that is no race file, or does not say what it must. The message names file and value.
class bad_race_file : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// JSON, keys as below plus `format`. `steps` lets a replay check every step, not only the end.
struct race_file {
  static constexpr std::string_view format = "racewheel-race-1";

  std::string program;
  std::map<std::string, std::string> config;        // queue, wheel, specimen
  std::map<std::string, std::uint64_t> parameters;  // producers, items, ...
  std::map<std::string, std::string> orders;        // sites whose order was overridden
  memory_model memory = memory_model::rc11;
  std::string schedule;
  finding_kind kind = finding_kind::none;
  std::string message;
  std::string words;
  std::string digest;
  std::vector<std::string> steps;

  bool operator==(const race_file&) const = default;
};

[[nodiscard]] std::string to_json(const race_file& race);
/// Throws bad_race_file; `source` is what its message calls the text.
[[nodiscard]] race_file race_from_json(std::string_view text, std::string_view source);

void save(const race_file& race, const std::string& path);
[[nodiscard]] race_file load_race(const std::string& path);

}  // namespace racewheel::explore
