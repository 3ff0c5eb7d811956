// racewheel litmus: the table of litmus programs, some typed by hand, or random ones.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>

#include "cli/command.hpp"
#include "cli/number_option.hpp"
#include "cli/searching.hpp"
#include "explore/litmus_comparison.hpp"
#include "explore/litmus_runner.hpp"
#include "explore/litmus_table.hpp"
#include "explore/oracle.hpp"

namespace racewheel::cli {
namespace {

using json = nlohmann::ordered_json;
using litmus::memory;
using litmus::outcome;
using litmus::run_result;
using table_rows = std::vector<litmus::table_row>;

constexpr std::size_t most_random = 10'000'000;

struct options {
  output_options output;
  std::vector<std::string> programs;
  std::string memory;
  std::string table;
  std::size_t random = 0;
  std::uint64_t seed = 1;
  double seconds = std::numeric_limits<double>::infinity();
};

struct job {
  std::string text;
  litmus::program code;
  const litmus::table_row* row = nullptr;  // its note; and, asked for by name, what to expect
  bool by_name = false;

  [[nodiscard]] std::string name() const { return by_name ? row->name : text; }
};

table_rows read_table(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    throw usage_error(fmt::format("--table {}: cannot be read", path));
  }
  table_rows rows = litmus::parse_table(text.str(), "--table " + path);
  if (rows.empty()) throw usage_error(fmt::format("--table {}: has no rows", path));
  return rows;
}

std::vector<memory> models(const std::string& name) {
  if (name.empty()) return {memory::rc11, memory::sc};
  if (name == "sc") return {memory::sc};
  if (name == "rc11") return {memory::rc11};
  unknown_name("memory model", name, {"sc", "rc11"});
}

job job_for(const std::string& argument, const table_rows& table) {
  if (const auto* row = litmus::find_row(table, argument)) return {row->text, row->code, row, true};
  const bool is_program = argument.find_first_of(" \t\n;|") != std::string::npos;
  if (!is_program && !argument.empty()) {  // every operation has a space in it: meant as a name
    std::vector<std::string> names;
    for (const auto& row : table) names.push_back(row.name);
    unknown_name("litmus program", argument, names);
  }
  litmus::program code = litmus::parse(argument);
  const auto* known = litmus::find_row(table, code);
  return {argument, std::move(code), known, false};
}

std::vector<job> jobs_for(const std::vector<std::string>& arguments, const table_rows& table) {
  std::vector<job> jobs;
  for (const std::string& argument : arguments) jobs.push_back(job_for(argument, table));
  if (!arguments.empty()) return jobs;
  for (const auto& row : table) jobs.push_back({row.text, row.code, &row, true});
  return jobs;
}

json json_of(const std::string& text, const litmus::program& code, memory m, const run_result& r) {
  const auto columns = litmus::outcome_columns(code);
  json outcomes = json::array();
  for (const outcome& o : r.seen.outcomes) {
    json values = json::object();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (o[i]) values[columns[i]] = *o[i];
    }
    outcomes.push_back(std::move(values));
  }
  return {{"program", text},
          {"memory", to_string(m)},
          {"graphs", r.seen.graphs},
          {"executions", r.executions},
          {"data_race", r.seen.data_race},
          {"outcomes", std::move(outcomes)}};
}

/// One line per outcome, with the models that allow it.
void print_outcomes(const litmus::program& p, const std::map<memory, run_result>& results) {
  std::map<outcome, std::string> allowed;
  for (const auto& [m, r] : results) {
    for (const outcome& o : r.seen.outcomes) {
      std::string& by = allowed[o];
      by.append(by.empty() ? "" : " ").append(to_string(m));
    }
  }
  std::vector<std::string> head = litmus::outcome_columns(p);
  head.emplace_back("allowed by");
  table t(std::move(head));
  for (const auto& [o, by] : allowed) {
    std::vector<std::string> row;
    for (const auto& v : o) row.push_back(v ? fmt::to_string(*v) : "-");
    row.push_back(by);
    t.add(std::move(row));
  }
  t.print();
}

void print_details(const job& j, const std::map<memory, run_result>& results) {
  fmt::print("{}{}\n", j.by_name ? j.row->name + ": " : "", j.text);
  for (const auto& [m, r] : results) {
    fmt::print("{}: graphs {}, outcomes {}, executions {}{}\n", to_string(m), r.seen.graphs,
               r.seen.outcomes.size(), r.executions,
               r.bound.empty() ? "" : ", stopped by " + r.bound);
    if (r.seen.data_race) fmt::print("{}: DATA RACE: {}\n", to_string(m), describe_race(j.code, m));
  }
  print_outcomes(j.code, results);
  if (j.row != nullptr && !j.row->note.empty()) fmt::print("note: {}\n", j.row->note);
  fmt::print("\n");
}

/// Runs one program under one model, notes what was seen, and compares it with the table where the
/// program was asked for by its name.
run_result run_job(const options& o, const job& j, memory m, report& result) {
  const run_result r = litmus::run(j.code, m, {.seconds = o.seconds});
  json row = json_of(j.text, j.code, m, r);
  if (j.row != nullptr) row["name"] = j.row->name;
  result.rows.push_back(std::move(row));
  test_case test{.name = fmt::format("{} under {}", j.name(), to_string(m)), .message = {}};
  std::string again =
      fmt::format("racewheel litmus {} --memory {}", shell_word(j.name()), to_string(m));
  if (!o.table.empty()) again += " --table " + shell_word(o.table);
  if (!r.bound.empty()) {
    test.result = verdict::inconclusive;
    test.message = "stopped by " + r.bound;
  } else if (j.by_name) {
    test.message = difference(j.code, j.row->expected(m), r.seen);
    if (!test.message.empty()) test.result = verdict::violation;
  }
  result.note(std::move(test), again);
  return r;
}

void run_jobs(const options& o, const table_rows& rows, report& result) {
  progress_line progress(o.output);
  const bool whole_table = o.programs.empty();
  const auto asked = models(o.memory);
  const std::vector<job> jobs = jobs_for(o.programs, rows);
  table t({"name", "memory", "graphs", "outcomes", "race", "", "program"});
  std::vector<std::string> notes;
  std::size_t differing = 0;
  for (const job& j : jobs) {
    progress.show(fmt::format("litmus: {}", j.name()));
    std::map<memory, run_result> results;
    for (const memory m : asked) {
      const run_result& r = results[m] = run_job(o, j, m, result);
      const bool ok = result.tests.back().result == verdict::ok;
      if (!ok) ++differing;
      t.add({j.name(), std::string(to_string(m)), std::to_string(r.seen.graphs),
             std::to_string(r.seen.outcomes.size()), r.seen.data_race ? "race" : "",
             ok ? "ok" : "DIFFERS: " + result.tests.back().message, j.text});
    }
    if (!whole_table && !o.output.json_on_stdout()) print_details(j, results);
    if (j.row != nullptr && !j.row->note.empty()) {
      notes.push_back(fmt::format("{}: {}", j.row->name, j.row->note));
    }
  }
  if (!whole_table || o.output.json_on_stdout()) return;
  t.print();
  for (const std::string& note : notes) fmt::print("note: {}\n", note);
  fmt::print("{} programs, {} results, {} differ from the table\n", jobs.size(),
             result.tests.size(), differing);
}

/// Rows only for the programs on which model and oracle disagree.
void run_random(const options& o, report& result) {
  progress_line progress(o.output);
  const auto asked = models(o.memory);
  std::uint64_t graphs = 0;
  for (std::uint64_t seed = o.seed; seed < o.seed + o.random; ++seed) {
    if ((seed - o.seed) % 100 == 0) {
      progress.show(fmt::format("litmus: {} of {} random programs", seed - o.seed, o.random));
    }
    for (const memory m : asked) {
      const auto c = litmus::compare_random(
          seed, m, [](const litmus::program& p, memory as) { return oracle::enumerate(p, as); });
      graphs += c.seen.seen.graphs;
      const std::string text = to_string(c.code);
      if (!c.difference.empty()) {
        result.rows.push_back(json_of(text, c.code, m, c.seen));
        if (!o.output.json_on_stdout()) fmt::print("{}\n  {}\n", text, c.difference);
      }
      result.note({.name = fmt::format("{} under {}", text, to_string(m)),
                   .result = c.difference.empty() ? verdict::ok : verdict::violation,
                   .message = c.difference},
                  c.replay);
    }
  }
  if (o.output.json_on_stdout()) return;
  fmt::print("{} random programs from seed {}, {} results, {} graphs, {} differ from the oracle\n",
             o.random, o.seed, result.tests.size(), graphs, result.rows.size());
}

int run(context& c, const options& o) {
  check_seconds(o.seconds);
  if (o.random != 0 && !(o.programs.empty() && o.table.empty())) {
    throw usage_error(fmt::format("--random {}: takes neither programs nor a table", o.random));
  }
  report result{.command = "litmus", .args = c.args, .seed = o.seed, .reason = {}, .replay = {}};
  if (o.random != 0) {
    run_random(o, result);
  } else {
    run_jobs(o, o.table.empty() ? litmus::table() : read_table(o.table), result);
  }
  return result.finish(o.output);
}

}  // namespace

void add_litmus(context& c) {
  auto o = std::make_shared<options>();
  CLI::App* const sub = add_command(
      c, "litmus", "the memory model against its table, or programs of your own", o, run);
  sub->add_option("program", o->programs,
                  "names of the table, or programs such as 'W x 1 rel | R x acq'; none: the table");
  sub->add_option("--memory", o->memory, "sc or rc11; both if not given");
  sub->add_option("--table", o->table,
                  "compare with the rows of FILE instead of the built-in ones");
  add_number(*sub, "--random", std::size_t{1}, most_random,
             "compare N random programs with the axiomatic oracle",
             [o](std::size_t number) { o->random = number; });
  add_seed(*sub, o->seed, "of the first random program");
  sub->add_option("--seconds", o->seconds, "for each program and model");
  add_junit(*sub, *o);
}

}  // namespace racewheel::cli
