// racewheel list: what is registered, kind by kind.
#include <fmt/core.h>

#include "cli/command.hpp"
#include "core/wheels.hpp"
#include "explore/litmus_table.hpp"
#include "explore/programs/registry.hpp"
#include "explore/strategy.hpp"
#include "queues/registry.hpp"
#include "races/lookup.hpp"

namespace racewheel::cli {
namespace {

using json = nlohmann::ordered_json;

struct options {
  output_options output;
  std::string kind;
};

std::string_view name_of(progress p) {
  switch (p) {
    case progress::wait_free:
      return "wait-free";
    case progress::lock_free:
      return "lock-free";
    case progress::blocking:
      return "blocking";
  }
  return "?";
}

json row(std::string_view name, json traits) {
  return {{"name", name}, {"available", true}, {"why", ""}, {"traits", std::move(traits)}};
}

json queues() {
  json rows = json::array();
  queue_backends::for_each([&]<class Backend>() {
    const queue_traits& t = Backend::traits;
    rows.push_back(row(t.name, {{"ordering", t.order == ordering::fifo ? "fifo" : "per_producer"},
                                {"push", name_of(t.push)},
                                {"pop", name_of(t.pop)},
                                {"bounded", t.bounded},
                                {"intrusive", t.intrusive},
                                {"exact_full", t.exact_full},
                                {"exact_empty", t.exact_empty},
                                {"bulk_is_one_claim", t.bulk_is_one_claim},
                                {"explorable", t.explorable},
                                {"peer", t.peer}}));
  });
  for (const missing_backend& m : missing_backends) {
    rows.push_back({{"name", m.name}, {"available", false}, {"why", m.why}, {"traits", nullptr}});
  }
  return rows;
}

json wheels() {
  json rows = json::array();
  wheel_kinds::for_each([&]<class Kind>() {
    const wheel_traits& t = traits_of_wheel<Kind>;
    rows.push_back(row(t.name, {{"tickless", t.tickless}}));
  });
  return rows;
}

json races() {
  json rows = json::array();
  specimens::for_each([&]<class S>() {
    const specimen_facts& f = S::facts;
    rows.push_back(row(f.id, {{"kind", std::string(1, static_cast<char>(f.kind))},
                              {"from", f.from},
                              {"spoils", f.spoils},
                              {"goes_wrong", f.goes_wrong}}));
  });
  return rows;
}

json litmus_programs() {
  json rows = json::array();
  for (const litmus::table_row& r : litmus::table()) {
    rows.push_back(
        row(r.name, {{"family", r.family}, {"variant", r.variant}, {"program", r.text}}));
  }
  return rows;
}

json programs() {
  json rows = json::array();
  for (const explore::program_entry& p : explore::programs()) {
    json traits{{"summary", p.summary},
                {"runs_on", p.needs == explore::program_needs::timer ? "timer" : "queue"}};
    for (const explore::program_bound& b : p.bounds) {
      traits[std::string(b.name)] = fmt::format("{} ({} to {})", b.usual, b.least, b.most);
    }
    rows.push_back(row(p.name, std::move(traits)));
  }
  return rows;
}

json strategies() {
  json rows = json::array();
  for (const explore::strategy_entry& s : explore::strategies()) {
    rows.push_back(row(s.name, {{"summary", s.summary}, {"exhaustive", s.exhaustive}}));
  }
  return rows;
}

/// The kinds that can be listed: one line each.
struct kind {
  std::string name;
  json (*rows)();
};
const std::vector<kind> kinds{{"queues", queues},     {"wheels", wheels},
                              {"races", races},       {"litmus", litmus_programs},
                              {"programs", programs}, {"strategies", strategies}};

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void print(const kind& k, const json& rows) {
  fmt::print("{}\n", k.name);
  for (const json& r : rows) {
    if (!r["available"].get<bool>()) {
      fmt::print("  {:<24} missing: {}\n", r["name"].get<std::string>(),
                 r["why"].get<std::string>());
      continue;
    }
    std::string traits;
    for (const auto& [key, value] : r["traits"].items()) {
      if (value.is_boolean()) {
        if (value.get<bool>()) traits += (traits.empty() ? "" : ", ") + key;
      } else {
        traits += (traits.empty() ? "" : ", ") + key + ": " + text_of(value);
      }
    }
    fmt::print("  {:<24} {}\n", r["name"].get<std::string>(), traits);
  }
}

int run(context& c, const options& o) {
  report result{.command = "list", .args = c.args, .reason = {}, .replay = {}};
  const std::string asked = o.kind == "specimens" ? "races" : o.kind;
  bool found = o.kind.empty();
  std::vector<std::string> known;
  for (const kind& k : kinds) {
    known.push_back(k.name);
    if (!asked.empty() && asked != k.name) continue;
    found = true;
    json rows = k.rows();
    if (!o.output.json_on_stdout()) print(k, rows);
    for (json& r : rows) result.rows.push_back(std::move(r));
  }
  if (!found) unknown_name("kind of list", o.kind, known);
  return result.finish(o.output);
}

}  // namespace

void add_list(context& c) {
  auto o = std::make_shared<options>();
  add_command(c, "list", "what is registered: queues, races, programs, ...", o, run)
      ->add_option("kind", o->kind, "only this kind");
}

}  // namespace racewheel::cli
