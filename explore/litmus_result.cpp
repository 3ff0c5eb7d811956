#include "explore/litmus_result.hpp"

#include <fmt/format.h>

namespace racewheel::litmus {

std::vector<std::string> outcome_columns(const program& p) {
  std::vector<std::string> columns;
  for (std::size_t t = 0; t < p.threads.size(); ++t) {
    for (std::size_t r = 0; r < register_count(p.threads[t]); ++r) {
      columns.push_back(fmt::format("P{}:r{}", t, r));
    }
  }
  columns.insert(columns.end(), p.locations.begin(), p.locations.end());
  return columns;
}

std::string to_string(const outcome& o, const std::vector<std::string>& columns) {
  std::string text;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    text +=
        fmt::format("{}{}={}", i == 0 ? "" : " ", columns[i], o[i] ? fmt::to_string(*o[i]) : "-");
  }
  return text;
}

namespace {

std::string only_in(const std::set<outcome>& here, const std::set<outcome>& there,
                    const std::vector<std::string>& columns, std::string_view prefix) {
  std::string text;
  for (const outcome& o : here) {
    if (!there.contains(o)) text += fmt::format("{}{{{}}}", prefix, to_string(o, columns));
  }
  return text;
}

}  // namespace

std::string difference(const program& p, const result& expected, const result& got) {
  std::string text;
  if (expected.graphs != got.graphs) {
    text += fmt::format("; {} graphs instead of {}", got.graphs, expected.graphs);
  }
  if (expected.data_race != got.data_race) {
    text += got.data_race ? "; an unexpected data race" : "; no data race where one is expected";
  }
  const auto columns = outcome_columns(p);
  text += only_in(expected.outcomes, got.outcomes, columns, "; missing ");
  text += only_in(got.outcomes, expected.outcomes, columns, "; not allowed ");
  return text.empty() ? text : text.substr(2);
}

}  // namespace racewheel::litmus
