// racewheel explore: search a program's interleavings and stale reads for a finding.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/number_option.hpp"
#include "cli/searching.hpp"
#include "cli/subject.hpp"
#include "core/wheels.hpp"
#include "explore/strategy.hpp"
#include "queues/registry.hpp"

namespace racewheel::cli {
namespace {

struct options {
  output_options output;
  subject_options what;
  std::string strategy;  // empty: that of the specimen, or dfs
  std::uint64_t executions = explore::options{}.executions;
  double seconds = 60;
  std::uint64_t seed = 1;
  std::string save;
};

explore::result search(const options& o, const subject& s) {
  explore::options with = s.options;
  search_progress progress(o.output, "explore: " + s.name());
  with.observer = [&](const explore::execution_view&) { progress(); };
  return explore::search(races::make_program(s.what), with);
}

/// Saves what was found where that was asked for; answers with the command that repeats it.
std::string keep(const options& o, const subject& s, const explore::finding& f) {
  const explore::race_file race = races::race_of(s.what, s.options, f);
  if (o.save.empty()) return fmt::format("racewheel replay {} {}", f.schedule, as_typed(race));
  save(race, o.save);
  return "racewheel replay " + shell_word(o.save);
}

/// Shows and notes one search.
void finish(const options& o, const subject& s, const explore::result& r, table& t,
            report& result) {
  const bool found = r.verdict == explore::verdict::violation;
  const std::string again = found ? keep(o, s, r.finding) : shell_line("explore", result.args);
  const std::string& queue = s.what.parameters.queue;
  const std::string_view memory = to_string(s.options.memory);
  result.rows.push_back({{"program", s.what.program},
                         {"queue", queue},
                         {"wheel", s.wheel()},
                         {"memory", memory},
                         {"strategy", s.options.strategy},
                         {"verdict", to_string(r.verdict)},
                         {"executions", r.executions},
                         {"graphs", r.graphs},
                         {"blocked", r.blocked},
                         {"exhausted", r.exhausted},
                         {"bound", r.bound},
                         {"seconds", r.seconds},
                         {"race_file", found ? o.save : ""},
                         {"specimen", s.what.specimen},
                         {"finding", found ? to_string(r.finding.kind) : ""},
                         {"message", r.finding.message},
                         {"schedule", r.finding.schedule}});
  t.add({s.what.program, queue, s.wheel(), std::string(memory), s.options.strategy,
         std::to_string(r.executions), std::to_string(r.graphs), std::to_string(r.blocked),
         fmt::format("{:.2f}", r.seconds),
         found         ? std::string(to_string(r.finding.kind))
         : r.exhausted ? "exhausted, no finding"
                       : "no finding until " + r.bound});
  result.note({fmt::format("{} under {}", s.name(), memory), verdict_of(r.verdict),
               found ? in_words(r.finding) : "no finding until " + r.bound, r.seconds},
              again);
}

/// `all` for a queue or a wheel is every one that can be explored.
std::vector<subject> subjects(const options& o) {
  std::vector<std::string> queues{o.what.queue};
  std::vector<std::string> wheels{o.what.wheel};
  if (o.what.queue == "all") {
    queues.clear();
    queue_backends::for_each([&]<class Backend>() {
      if (Backend::traits.explorable) queues.emplace_back(Backend::traits.name);
    });
  }
  if (o.what.wheel == "all") {
    wheels.clear();
    wheel_kinds::for_each([&]<class Kind>() { wheels.emplace_back(traits_of_wheel<Kind>.name); });
  }
  std::vector<subject> all;
  for (const std::string& queue : queues) {
    for (const std::string& wheel : wheels) {
      subject_options one = o.what;
      one.queue = queue;
      one.wheel = wheel;
      subject s = resolved(one);
      s.options.strategy = o.strategy;
      if (o.strategy.empty()) s.options.strategy = races::strategy_of(s.what.specimen);
      s.options.executions = o.executions;
      s.options.seconds = o.seconds;
      s.options.seed = o.seed;
      all.push_back(std::move(s));
    }
  }
  return all;
}

void validate(const options& o) {
  if (!o.strategy.empty() && explore::find_strategy(o.strategy) == nullptr) {
    std::vector<std::string> known;
    for (const auto& s : explore::strategies()) known.emplace_back(s.name);
    unknown_name("strategy", o.strategy, known);
  }
  check_seconds(o.seconds);
  if (!o.save.empty()) check_folder("--save", std::filesystem::path(o.save).parent_path());
}

int run(context& c, const options& o) {
  validate(o);
  const std::vector<subject> all = subjects(o);
  if (all.size() > 1 && !o.save.empty()) {
    throw usage_error(fmt::format("--save {}: takes one program, not {}", o.save, all.size()));
  }
  report result{.command = "explore", .args = c.args, .seed = o.seed, .reason = {}, .replay = {}};
  table t({"program", "queue", "wheel", "memory", "strategy", "executions", "graphs", "blocked",
           "seconds", "verdict"});
  std::string trace;
  for (const subject& s : all) {
    const explore::result r = search(o, s);
    finish(o, s, r, t, result);
    if (trace.empty()) trace = r.finding.trace;
  }
  if (!o.output.json_on_stdout()) {
    t.print();
    if (!trace.empty()) fmt::print("\n{}", trace);
  }
  return result.finish(o.output);
}

}  // namespace

void add_explore(context& c) {
  auto o = std::make_shared<options>();
  CLI::App* const sub =
      add_command(c, "explore", "search a program under the memory model for a bug", o, run);
  add_subject_options(*sub, o->what, true);
  sub->add_option("--strategy", o->strategy,
                  "a name of racewheel list strategies; dfs if not given");
  add_number(*sub, "--executions", std::uint64_t{1}, explore::options{}.executions,
             "stop after so many", [o](std::uint64_t number) { o->executions = number; });
  sub->add_option("--seconds", o->seconds, "stop after so many")->capture_default_str();
  add_seed(*sub, o->seed, "of strategies that draw");
  sub->add_option("--save,--race", o->save, "write the finding to FILE, to replay it anywhere");
  add_junit(*sub, *o);
}

}  // namespace racewheel::cli
