// racewheel races: find every specimen of the corpus anew, and nothing in its fixed twin.
#include <fmt/format.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/searching.hpp"
#include "cli/subject.hpp"
#include "races/lookup.hpp"

namespace racewheel::cli {
namespace {

struct options {
  output_options output;
  std::vector<std::string> ids;
  double seconds = 60;
  std::string save;
};

/// One search and what it was expected to come to.
struct trial {
  races::specimen_search search;
  verdict result = verdict::ok;
  std::string text;  // for the table
};

trial found(races::specimen_search s) {
  const explore::result& r = s.result;
  if (r.verdict == explore::verdict::violation) {
    std::string kind(to_string(r.finding.kind));
    return {std::move(s), verdict::ok, std::move(kind)};
  }
  // Everything was searched and nothing found: the detectors miss the bug.
  if (r.exhausted) return {std::move(s), verdict::violation, "NOT FOUND, all searched"};
  std::string text = "not found until " + r.bound;
  return {std::move(s), verdict::inconclusive, std::move(text)};
}

trial clean(races::specimen_search s) {
  const explore::result& r = s.result;
  std::string text = r.exhausted ? fmt::format("clean, {} graphs", r.graphs)
                     : r.verdict == explore::verdict::violation
                         ? "FINDING: " + in_words(r.finding)
                         : fmt::format("clean until {}, {} graphs", r.bound, r.graphs);
  const verdict v = verdict_of(r.verdict);
  return {std::move(s), v, std::move(text)};
}

std::string replay_of(const trial& t) {
  const races::specimen_search& s = t.search;
  return fmt::format("racewheel replay {} {}", s.result.finding.schedule,
                     as_typed(races::race_of(s.what, s.options, s.result.finding)));
}

void run_specimen(const options& o, const specimen_facts& facts, table& t, report& result) {
  const std::string id(facts.id);
  const races::search_limits limits{.seconds = o.seconds};
  const bool weak = facts.kind == race_kind::weak_memory;
  const trial bug = found(races::find_specimen(id, limits));
  const trial twin = clean(races::exhaust_twin(id, limits));
  const bool is_found = bug.result == verdict::ok;
  if (is_found && !o.save.empty()) {
    const races::specimen_search& s = bug.search;
    save(races::race_of(s.what, s.options, s.result.finding), o.save + "/" + id + ".race");
  }
  verdict v = graver(bug.result, twin.result);
  std::string why = bug.result != verdict::ok ? bug.text : "its fixed twin: " + twin.text;
  std::string again = twin.result == verdict::violation ? replay_of(twin) : "racewheel races " + id;
  std::string strong;  // a W specimen must be invisible under sc
  if (weak) {
    const trial sc = clean(races::exhaust_under_sc(id, limits));
    strong = sc.text;
    if (graver(v, sc.result) != v) {
      v = sc.result;
      why = "under sc: " + sc.text;
      if (v == verdict::violation) again = replay_of(sc);
    }
  }
  const explore::result& r = bug.search.result;
  const std::string_view memory = to_string(bug.search.options.memory);
  const double seconds = r.seconds + twin.search.result.seconds;
  result.rows.push_back({{"id", id},
                         {"kind", std::string(1, static_cast<char>(facts.kind))},
                         {"detector", is_found ? to_string(r.finding.kind) : ""},
                         {"memory", memory},
                         {"found", is_found},
                         {"executions", r.executions},
                         {"seconds", seconds},
                         {"twin", twin.text},
                         {"pass", v == verdict::ok},
                         {"sc", strong},
                         {"program", bug.search.what.program},
                         {"schedule", r.finding.schedule},
                         {"replay", is_found ? replay_of(bug) : ""}});
  t.add({id, std::string(1, static_cast<char>(facts.kind)), bug.search.what.program,
         std::string(memory), bug.text, std::to_string(r.executions), r.finding.words, twin.text,
         strong, v == verdict::ok ? "ok" : std::string(name_of(v))});
  result.note({id, v, v == verdict::ok ? "" : why, seconds}, again);
}

/// Throws unknown_specimen for an id that does not exist, before anything is searched.
void check_ids(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) static_cast<void>(races::plan_of(id));
}

int run(context& c, const options& o) {
  check_ids(o.ids);
  check_seconds(o.seconds);
  if (!o.save.empty()) check_folder("--save", o.save);
  report result{.command = "races", .args = c.args, .reason = {}, .replay = {}};
  table t({"specimen", "kind", "program", "memory", "found as", "executions", "by", "fixed twin",
           "under sc", ""});
  {
    progress_line progress(o.output);
    specimens::for_each([&]<class S>() {
      if (!o.ids.empty() && std::find(o.ids.begin(), o.ids.end(), S::facts.id) == o.ids.end()) {
        return;
      }
      progress.show(fmt::format("races: {}", S::facts.id));
      run_specimen(o, S::facts, t, result);
    });
  }
  if (!o.output.json_on_stdout()) {
    t.print();
    const auto passed =
        std::count_if(result.tests.begin(), result.tests.end(),
                      [](const test_case& one) { return one.result == verdict::ok; });
    fmt::print("{} of {} specimens found with a clean twin\n", passed, result.tests.size());
  }
  return result.finish(o.output);
}

}  // namespace

void add_races(context& c) {
  auto o = std::make_shared<options>();
  CLI::App* const sub =
      add_command(c, "races", "find the bugs of the corpus anew, and nothing without them", o, run);
  sub->add_option("id", o->ids, "names of racewheel list races; all if none is given");
  sub->add_option("--seconds", o->seconds, "for each search")->capture_default_str();
  sub->add_option("--save", o->save, "write a race file for each to this folder");
  add_junit(*sub, *o);
}

}  // namespace racewheel::cli
