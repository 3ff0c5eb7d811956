#include "cli/subject.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/number_option.hpp"
#include "cli/report.hpp"
#include "core/timer_recipe.hpp"
#include "queues/registry.hpp"

namespace racewheel::cli {
namespace {

constexpr std::size_t most = 1'000'000'000;  // steps, and failures

explore::memory_model memory_of(const std::string& name) {
  for (const auto m : {explore::memory_model::sc, explore::memory_model::rc11}) {
    if (name == to_string(m)) return m;
  }
  unknown_name("memory model", name, {"sc", "rc11"});
}

bool has_timer(const races::exploration& what) {
  return explore::find_program(what.program).needs == explore::program_needs::timer;
}

/// The sites that the program passes: an override of any other would do nothing, silently.
std::vector<std::string> sites_of(const races::exploration& what) {
  std::vector<std::string> names;
  const auto add = [&](const auto& sites) {
    for (const site& at : sites) names.emplace_back(at.name);
  };
  queue_backends::for_each([&]<class Backend>() {
    if (Backend::traits.name == what.parameters.queue) {
      add(racewheel::sites_of<typename Backend::recipe>());
    }
  });
  if (has_timer(what)) add(racewheel::sites_of<timer_recipe>());
  return names;
}

explore::order_override override_of(const std::string& text, const races::exploration& what) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    throw usage_error(fmt::format("--order {}: must be SITE=ORDER, such as link=relaxed", text));
  }
  const std::string site = text.substr(0, equals);
  const std::vector<std::string> known = sites_of(what);
  if (std::find(known.begin(), known.end(), site) == known.end()) unknown_name("site", site, known);
  return {site, explore::order_named(text.substr(equals + 1))};
}

/// By the plan of a specimen; it comes with its own program, queue and wheel.
races::exploration planned(const subject_options& o) {
  races::exploration what = races::plan_of(o.specimen);
  if (!o.program.empty()) what.program = o.program;
  const std::pair<const char*, const std::string&> said[] = {{"queue", o.queue},
                                                             {"wheel", o.wheel}};
  for (const auto& [name, value] : said) {
    if (!value.empty()) {
      throw usage_error(fmt::format("--{} {}: specimen {} has its own", name, value, o.specimen));
    }
  }
  for_each_bound(o.bounds, [&](std::string_view name, std::size_t value) {
    set_bound(what.parameters.bounds, name, value);
  });
  return what;
}

races::exploration unspoiled(const subject_options& o) {
  races::exploration what{o.program.empty() ? "push_pop" : o.program, {}, {}};
  if (!o.queue.empty()) what.parameters.queue = o.queue;
  if (!o.wheel.empty() && !has_timer(what)) {
    throw usage_error(fmt::format("--wheel {}: {} has no timer", o.wheel, what.program));
  }
  if (!o.wheel.empty()) what.parameters.wheel = o.wheel;
  what.parameters.bounds = o.bounds;
  return what;
}

}  // namespace

void add_subject_options(CLI::App& sub, subject_options& o, bool positional) {
  sub.add_option(positional ? "program,--program" : "--program", o.program,
                 "a name of racewheel list programs; push_pop if not given");
  sub.add_option("--queue,--backend", o.queue,
                 "a queue backend, to explore also all; vyukov if not given");
  sub.add_option("--wheel", o.wheel, "a wheel, to explore also all; hashed_wheel if not given");
  sub.add_option("--specimen", o.specimen, "a bug of racewheel list races");
  for (const auto& bound : explore::bound_names) {
    add_number(sub, fmt::format("--{}", bound.name), std::size_t{0}, most,
               "a bound of the program; see racewheel list programs",
               [&value = o.bounds.*bound.member](std::size_t number) { value = number; });
  }
  sub.add_option("--order", o.orders, "SITE=ORDER: this memory order instead of the written one")
      ->allow_extra_args(false);
  sub.add_option("--memory", o.memory, "sc or rc11")->capture_default_str();
  add_number(sub, "--steps", o.steps, std::uint32_t{1}, std::uint32_t{most},
             "most operations of one execution");
  add_number(sub, "--spurious-failures", o.spurious_failures, std::uint32_t{0}, std::uint32_t{most},
             "weak compare-exchanges that may fail for no reason");
  sub.add_flag("--reuse-blocks", o.reuse_blocks, "a freed block may be handed out again (ABA)");
}

std::string subject::wheel() const { return has_timer(what) ? what.parameters.wheel : ""; }

std::string subject::name() const {
  std::string text = what.program + " on " + what.parameters.queue;
  if (has_timer(what)) text += " and " + what.parameters.wheel;
  if (!what.specimen.empty()) text += " with " + what.specimen;
  return text;
}

subject resolved(const subject_options& o) {
  subject s;
  s.what = o.specimen.empty() ? unspoiled(o) : planned(o);
  static_cast<void>(races::make_program(s.what));  // throws for what does not exist
  s.options.memory = memory_of(o.memory);
  s.options.steps = o.steps;
  s.options.spurious_failures = o.spurious_failures;
  s.options.reuse_blocks = o.reuse_blocks;
  for (const std::string& order : o.orders) {
    s.options.overrides.push_back(override_of(order, s.what));
  }
  return s;
}

std::string as_typed(const explore::race_file& race) {
  std::string text = "--program " + race.program;
  const bool spoiled = race.config.contains("specimen");
  for (const auto& [key, value] : race.config) {
    if (!spoiled || key == "specimen") text += fmt::format(" --{} {}", key, shell_word(value));
  }
  for (const auto& [name, value] : race.parameters) {
    std::string option = name;
    std::replace(option.begin(), option.end(), '_', '-');
    text += fmt::format(" --{}={}", option, value);
  }
  for (const auto& [site, order] : race.orders) text += fmt::format(" --order {}={}", site, order);
  return text + fmt::format(" --memory {}", to_string(race.memory));
}

}  // namespace racewheel::cli
