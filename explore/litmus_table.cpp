#include "explore/litmus_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace racewheel::litmus {
namespace {

result result_of(const nlohmann::json& json, const std::vector<std::string>& columns) {
  result r;
  r.graphs = json.at("graphs").get<std::uint64_t>();
  r.data_race = json.at("data_race").get<bool>();
  for (const auto& row : json.at("outcomes")) {
    outcome o;
    for (const auto& column : columns) {
      o.push_back(row.contains(column) ? std::optional(row.at(column).get<value>()) : std::nullopt);
    }
    r.outcomes.insert(std::move(o));
  }
  return r;
}

table_row row_of(std::string_view line) {
  const auto json = nlohmann::json::parse(line);
  table_row row;
  row.name = json.at("name");
  row.family = json.at("family");
  row.variant = json.at("variant");
  row.text = json.at("program");
  row.note = json.value("note", "");
  row.code = parse(row.text);
  const auto columns = outcome_columns(row.code);
  row.sc = result_of(json.at("sc"), columns);
  row.rc11 = result_of(json.at("rc11"), columns);
  return row;
}

template <class Matches>
const table_row* find_if(const std::vector<table_row>& rows, Matches matches) {
  const auto row = std::find_if(rows.begin(), rows.end(), matches);
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace

const std::vector<table_row>& table() {
  static const std::vector<table_row> rows = [] {
    std::vector<table_row> all;
    for (const auto line : detail::table_rows()) all.push_back(row_of(line));
    return all;
  }();
  return rows;
}

std::vector<table_row> parse_table(std::string_view text, std::string_view source) {
  std::vector<table_row> rows;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    try {
      rows.push_back(row_of(line));
    } catch (const std::exception& e) {
      throw std::invalid_argument(fmt::format("{} line {}: {}", source, number, e.what()));
    }
  }
  return rows;
}

const table_row* find_row(const std::vector<table_row>& rows, std::string_view name) {
  return find_if(rows, [&](const table_row& row) { return row.name == name; });
}

const table_row* find_row(const std::vector<table_row>& rows, const program& p) {
  const std::string text = to_string(p);
  return find_if(rows, [&](const table_row& row) { return to_string(row.code) == text; });
}

}  // namespace racewheel::litmus
