#include "explore/race_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "explore/schedule.hpp"

namespace racewheel::explore {

namespace {

using json = nlohmann::ordered_json;

memory_model memory_from(const std::string& name) {
  for (const memory_model m : {memory_model::sc, memory_model::rc11}) {
    if (name == to_string(m)) return m;
  }
  throw std::invalid_argument(fmt::format("memory '{}' is neither sc nor rc11", name));
}

finding_kind kind_from(const std::string& name) {
  for (int k = 0; k <= static_cast<int>(finding_kind::misuse); ++k) {
    const auto kind = static_cast<finding_kind>(k);
    if (name == to_string(kind)) return kind;
  }
  throw std::invalid_argument(fmt::format("finding kind '{}' does not exist", name));
}

race_file parse(std::string_view text) {
  const json j = json::parse(text);
  if (const auto& format = j.at("format"); format != race_file::format) {
    throw std::invalid_argument(
        fmt::format("format {} is not \"{}\"", format.dump(), race_file::format));
  }
  race_file race;
  j.at("program").get_to(race.program);
  j.at("config").get_to(race.config);
  j.at("parameters").get_to(race.parameters);
  if (j.contains("orders")) j.at("orders").get_to(race.orders);
  race.memory = memory_from(j.at("memory"));
  j.at("schedule").get_to(race.schedule);
  static_cast<void>(parse_token(race.schedule));
  const json& found = j.at("finding");
  race.kind = kind_from(found.at("kind"));
  found.at("message").get_to(race.message);
  found.at("words").get_to(race.words);
  j.at("digest").get_to(race.digest);
  if (j.contains("steps")) j.at("steps").get_to(race.steps);
  return race;
}

}  // namespace

std::string to_json(const race_file& race) {
  json j{{"format", race_file::format},
         {"program", race.program},
         {"config", race.config},
         {"parameters", race.parameters}};
  if (!race.orders.empty()) j["orders"] = race.orders;
  j["memory"] = to_string(race.memory);
  j["schedule"] = race.schedule;
  j["finding"] = {{"kind", to_string(race.kind)}, {"message", race.message}, {"words", race.words}};
  j["digest"] = race.digest;
  j["steps"] = race.steps;
  return j.dump(2) + "\n";
}

race_file race_from_json(std::string_view text, std::string_view source) {
  try {
    return parse(text);
  } catch (const std::exception& e) {
    throw bad_race_file(fmt::format("{} is no race file: {}", source, e.what()));
  }
}

void save(const race_file& race, const std::string& path) {
  std::ofstream out(path);
  out << to_json(race);
  out.close();
  if (!out) throw bad_race_file(fmt::format("cannot write {}", path));
}

race_file load_race(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw bad_race_file(fmt::format("cannot read {}", path));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return race_from_json(text, path);
}

}  // namespace racewheel::explore
