#include "explore/programs/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace racewheel::explore {

program_bounds resolved(std::string_view program, std::span<const program_bound> takes,
                        const program_bounds& said) {
  program_bounds all;
  for (const program_bound& b : takes) {
    const std::size_t value = (said.*b.member).value_or(b.usual);
    if (value < b.least || value > b.most) {
      throw std::invalid_argument(
          fmt::format("{} {}: {} takes {} to {}", b.name, value, program, b.least, b.most));
    }
    all.*b.member = value;
  }
  for_each_bound(said, [&](std::string_view name, std::size_t value) {
    const auto same = [&](const program_bound& b) { return b.name == name; };
    if (std::ranges::any_of(takes, same)) return;
    std::string known;
    for (const program_bound& b : takes) known.append(" ").append(b.name);
    throw std::invalid_argument(
        fmt::format("{} {}: {} does not take it, only{}", name, value, program, known));
  });
  return all;
}

void set_bound(program_bounds& bounds, std::string_view name, std::size_t value) {
  std::string known;
  for (const auto& bound : bound_names) {
    if (bound.name == name) {
      bounds.*bound.member = value;
      return;
    }
    known.append(" ").append(bound.name);
  }
  throw std::invalid_argument(
      fmt::format("parameter '{}' does not exist; there are:{}", name, known));
}

}  // namespace racewheel::explore
