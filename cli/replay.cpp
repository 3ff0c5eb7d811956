// racewheel replay: one schedule again, step by step.
#include <fmt/format.h>

#include <filesystem>

#include "cli/command.hpp"
#include "cli/searching.hpp"
#include "cli/subject.hpp"
#include "explore/schedule.hpp"

namespace racewheel::cli {
namespace {

struct options {
  output_options output;
  std::string what;  // a race file, or the token of a schedule
  subject_options program;
  bool trace = false;
};

bool is_file(const options& o) {
  return std::filesystem::exists(o.what) || o.what.ends_with(".race");
}

explore::race_file read(const options& o) {
  if (is_file(o)) {
    if (o.program.program.empty() && o.program.specimen.empty()) return explore::load_race(o.what);
    throw usage_error(fmt::format("{} says itself what it runs: leave out --program and --specimen",
                                  shell_word(o.what)));
  }
  try {
    static_cast<void>(explore::parse_token(o.what));
  } catch (const std::invalid_argument& e) {
    throw usage_error(
        fmt::format("'{}' is neither a race file nor a schedule: {}", o.what, e.what()));
  }
  if (o.program.program.empty() && o.program.specimen.empty()) {
    throw usage_error(fmt::format("schedule '{}': --program must say what it runs", o.what));
  }
  const subject s = resolved(o.program);
  explore::finding f;
  f.schedule = o.what;
  return races::race_of(s.what, s.options, f);
}

/// A file says what must be found, a schedule alone does not.
explore::result again(const options& o, const explore::race_file& race) {
  if (is_file(o)) return races::replay(race);
  return explore::replay(races::make_program(races::exploration_of(race)), races::options_of(race),
                         race.schedule);
}

void note(const explore::result& done, report& result) {
  if (done.verdict == explore::verdict::violation) {
    result.note(verdict::violation, in_words(done.finding));
  } else if (done.bound != explore::result::one_schedule) {
    result.note(verdict::inconclusive, "stopped by " + done.bound);
  }
}

int run(context& c, const options& o) {
  const explore::race_file race = read(o);
  const explore::result done = again(o, race);
  const explore::finding& f = done.finding;
  report result{.command = "replay", .args = c.args, .reason = {}, .replay = {}};
  note(done, result);
  result.replay = shell_line("replay", c.args);
  const auto configured = [&](const char* key) {
    return race.config.contains(key) ? race.config.at(key) : "";
  };
  nlohmann::ordered_json row{{"program", race.program},
                             {"queue", configured("queue")},
                             {"wheel", configured("wheel")},
                             {"specimen", configured("specimen")},
                             {"memory", to_string(race.memory)},
                             {"verdict", name_of(result.result)},
                             {"finding", to_string(f.kind)},
                             {"message", f.message},
                             {"schedule", f.schedule},
                             {"digest", f.digest},
                             {"steps", f.steps}};
  if (o.trace) row["trace"] = f.trace;
  result.rows.push_back(std::move(row));
  if (!o.output.json_on_stdout()) {
    fmt::print("racewheel replay {} {}\n", race.schedule, as_typed(race));
    if (o.trace) fmt::print("\n{}\n", f.trace);
    fmt::print("{} steps, digest {}\n", f.steps.size(), f.digest);
    if (result.result == verdict::ok) fmt::print("ok: no finding on this schedule\n");
  }
  return result.finish(o.output);
}

}  // namespace

void add_replay(context& c) {
  auto o = std::make_shared<options>();
  CLI::App* const sub = add_command(c, "replay", "run a recorded schedule again", o, run);
  sub->add_option("what", o->what, "a race file, or a schedule such as t3=2.r7=1")->required();
  sub->add_flag("--trace", o->trace, "show every step, one column per thread");
  add_subject_options(*sub, o->program, false);
}

}  // namespace racewheel::cli
