#include "races/search.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "explore/schedule.hpp"
#include "races/lookup.hpp"
#include "races/spoiled_programs.hpp"

namespace racewheel::races {

namespace {

const specimen_facts& facts_of(std::string_view id) {
  const specimen_facts* facts = nullptr;
  with_specimen<specimens>(id, [&]<class S>() { facts = &S::facts; });
  return *facts;
}

specimen_search search(exploration what, explore::memory_model memory, std::string_view strategy,
                       const search_limits& limits) {
  explore::options o;
  o.memory = memory;
  o.strategy = strategy;
  o.executions = limits.executions;
  o.seconds = limits.seconds;
  explore::result result = explore::search(make_program(what), o);
  return {std::move(what), std::move(o), std::move(result)};
}

// Options that change what a schedule means, as parameters of a race file.
constexpr struct {
  std::string_view name;
  std::uint32_t explore::options::* member;
} counts[] = {
    {"steps", &explore::options::steps},
    {"spurious_failures", &explore::options::spurious_failures},
};
constexpr std::string_view reuse_blocks = "reuse_blocks";

bool is_option(std::string_view name) {
  return name == reuse_blocks ||
         std::ranges::any_of(counts, [&](const auto& count) { return count.name == name; });
}

std::string value_or_empty(const std::map<std::string, std::string>& config, const char* key) {
  const auto found = config.find(key);
  return found == config.end() ? std::string() : found->second;
}

}  // namespace

explore::program make_program(const exploration& what) {
  if (what.specimen.empty()) return explore::make_program(what.program, what.parameters);
  const specimen_facts& facts = facts_of(what.specimen);
  if (facts.find.program != what.program) {
    throw std::invalid_argument(fmt::format("program '{}': specimen {} is shown by {}",
                                            what.program, facts.id, facts.find.program));
  }
  const explore::program_entry& entry = explore::find_program(what.program);
  return spoiled_program(facts.id, resolved(entry.name, entry.bounds, what.parameters.bounds));
}

exploration plan_of(std::string_view id) {
  const specimen_facts& facts = facts_of(id);
  exploration what{std::string(facts.find.program), {}, std::string(id)};
  what.parameters.bounds = facts.find.bounds;
  return what;
}

std::string strategy_of(std::string_view id) {
  return std::string(id.empty() ? search_plan{}.strategy : facts_of(id).find.strategy);
}

specimen_search find_specimen(std::string_view id, const search_limits& limits) {
  const specimen_facts& facts = facts_of(id);
  const auto memory = facts.kind == race_kind::weak_memory ? explore::memory_model::rc11
                                                           : explore::memory_model::sc;
  return search(plan_of(id), memory, facts.find.strategy, limits);
}

specimen_search exhaust_twin(std::string_view id, const search_limits& limits) {
  exploration twin = plan_of(id);
  twin.specimen.clear();
  return search(std::move(twin), explore::memory_model::rc11, "dfs", limits);
}

specimen_search exhaust_under_sc(std::string_view id, const search_limits& limits) {
  return search(plan_of(id), explore::memory_model::sc, "dfs", limits);
}

explore::race_file race_of(const exploration& what, const explore::options& o,
                           const explore::finding& f) {
  explore::race_file race;
  race.program = what.program;
  const explore::program_entry& entry = explore::find_program(what.program);
  race.config["queue"] = what.parameters.queue;
  if (entry.needs == explore::program_needs::timer) race.config["wheel"] = what.parameters.wheel;
  if (!what.specimen.empty()) race.config["specimen"] = what.specimen;
  for_each_bound(resolved(entry.name, entry.bounds, what.parameters.bounds),
                 [&](std::string_view name, std::size_t value) {
                   race.parameters[std::string(name)] = value;
                 });
  for (const auto& count : counts) {
    if (o.*count.member == explore::options{}.*count.member) continue;
    race.parameters[std::string(count.name)] = o.*count.member;
  }
  if (o.reuse_blocks) race.parameters[std::string(reuse_blocks)] = 1;
  for (const explore::order_override& over : o.overrides) {
    race.orders[over.site] = explore::name_of(over.order);
  }
  race.memory = o.memory;
  race.schedule = f.schedule;
  race.kind = f.kind;
  race.message = f.message;
  race.words = f.words;
  race.digest = f.digest;
  race.steps = f.steps;
  return race;
}

exploration exploration_of(const explore::race_file& race) {
  exploration what{race.program, {}, value_or_empty(race.config, "specimen")};
  if (race.config.contains("queue")) what.parameters.queue = race.config.at("queue");
  if (race.config.contains("wheel")) what.parameters.wheel = race.config.at("wheel");
  for (const auto& [name, value] : race.parameters) {
    if (!is_option(name)) set_bound(what.parameters.bounds, name, value);
  }
  return what;
}

explore::options options_of(const explore::race_file& race) {
  explore::options o;
  o.memory = race.memory;
  for (const auto& count : counts) {
    const auto found = race.parameters.find(std::string(count.name));
    if (found != race.parameters.end()) {
      o.*count.member = static_cast<std::uint32_t>(found->second);
    }
  }
  o.reuse_blocks = race.parameters.contains(std::string(reuse_blocks));
  for (const auto& [site, order] : race.orders)
    o.overrides.push_back({site, explore::order_named(order)});
  return o;
}

explore::result replay(const explore::race_file& race) {
  explore::program p;
  explore::options o;
  try {
    p = make_program(exploration_of(race));
    o = options_of(race);
  } catch (const std::invalid_argument& e) {
    throw explore::bad_race_file(e.what());
  }
  explore::result r = explore::replay(p, o, race.schedule, race.steps);
  if (r.finding.kind != race.kind || r.finding.digest != race.digest) {
    throw explore::replay_divergence(
        fmt::format("replay diverged at step {}: expected {} with digest {}, got {} with digest {}",
                    r.finding.steps.size(), explore::to_string(race.kind), race.digest,
                    explore::to_string(r.finding.kind), r.finding.digest));
  }
  return r;
}

}  // namespace racewheel::races
