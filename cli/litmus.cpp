#include "cli/litmus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "explore/litmus_runner.hpp"
#include "explore/litmus_table.hpp"

namespace racewheel::cli {
namespace {

using litmus::memory;
using litmus::outcome;

struct job {
  std::string text;
  litmus::program code;
  const litmus::table_row* row = nullptr;  // its note; and, asked for by name, what to expect
  bool by_name = false;
};

using table_rows = std::vector<litmus::table_row>;

job job_for(const std::string& argument, const table_rows& table) {
  if (const auto* row = litmus::find_row(table, argument)) return {row->text, row->code, row, true};
  const bool is_program = argument.find_first_of(" \t\n;|") != std::string::npos;
  if (!is_program && !argument.empty()) {  // every operation has a space in it: meant as a name
    std::vector<std::string_view> names;
    for (const auto& row : table) names.push_back(row.name);
    throw std::invalid_argument(fmt::format("no litmus program is called '{}'; there are: {}",
                                            argument, fmt::join(names, " ")));
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

nlohmann::json json_of(const job& j, memory m, const litmus::run_result& r) {
  const auto columns = litmus::outcome_columns(j.code);
  nlohmann::json outcomes = nlohmann::json::array();
  for (const outcome& o : r.seen.outcomes) {
    nlohmann::json values = nlohmann::json::object();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (o[i]) values[columns[i]] = *o[i];
    }
    outcomes.push_back(std::move(values));
  }
  nlohmann::json row{{"program", j.text},
                     {"memory", to_string(m)},
                     {"graphs", r.seen.graphs},
                     {"executions", r.executions},
                     {"data_race", r.seen.data_race},
                     {"outcomes", std::move(outcomes)}};
  if (j.row != nullptr) row["name"] = j.row->name;
  return row;
}

std::string summary(memory m, const litmus::run_result& r) {
  return fmt::format("{:<4} {} graph{}, {} outcome{}, {} execution{}{}{}", to_string(m),
                     r.seen.graphs, r.seen.graphs == 1 ? "" : "s", r.seen.outcomes.size(),
                     r.seen.outcomes.size() == 1 ? "" : "s", r.executions,
                     r.executions == 1 ? "" : "s", r.seen.data_race ? ", DATA RACE" : "",
                     r.bound.empty() ? "" : ", stopped early: " + r.bound);
}

/// One line per outcome, with the models that allow it where several were run.
std::string outcome_table(const litmus::program& p,
                          const std::map<memory, litmus::run_result>& results) {
  const auto columns = litmus::outcome_columns(p);
  std::map<outcome, std::vector<std::string_view>> allowed;
  for (const auto& [m, r] : results) {
    for (const outcome& o : r.seen.outcomes) allowed[o].push_back(to_string(m));
  }
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    widths.push_back(columns[i].size());
    for (const auto& [o, models] : allowed) {
      if (o[i]) widths[i] = std::max(widths[i], fmt::formatted_size("{}", *o[i]));
    }
  }
  std::string text = " ";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    text += fmt::format(" {:>{}}", columns[i], widths[i]);
  }
  for (const auto& [o, models] : allowed) {
    text += "\n ";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      text += fmt::format(" {:>{}}", o[i] ? fmt::to_string(*o[i]) : "-", widths[i]);
    }
    if (models.size() < results.size()) text += fmt::format("  only {}", fmt::join(models, ", "));
  }
  return text + "\n";
}

/// Runs one program under one model and adds what was seen to the report; true if it is as the
/// table says, or nothing is expected.
bool run_job(const job& j, memory m, litmus_report& report,
             std::map<memory, litmus::run_result>& results) {
  const auto& r = results[m] = litmus::run(j.code, m);
  report.rows.push_back(json_of(j, m, r));
  report.text += fmt::format("  {}\n", summary(m, r));
  if (!r.bound.empty()) {
    report.exit_code = std::max(report.exit_code, 3);
    report.reason = fmt::format("'{}' under {}: {}", j.text, to_string(m), r.bound);
    return true;
  }
  if (!j.by_name) return true;
  const std::string wrong = difference(j.code, j.row->expected(m), r.seen);
  if (wrong.empty()) return true;
  report.text += fmt::format("  DIFFERS from the table: {}\n", wrong);
  report.reason = fmt::format("{} under {}: {}", j.row->name, to_string(m), wrong);
  return false;
}

}  // namespace

litmus_report run_litmus(const std::vector<std::string>& arguments, std::optional<memory> only,
                         const table_rows& table) {
  litmus_report report;
  report.rows = nlohmann::json::array();
  std::size_t differing = 0;
  const auto jobs = jobs_for(arguments, table);
  for (const job& j : jobs) {
    std::map<memory, litmus::run_result> results;
    report.text += j.by_name ? fmt::format("{}  {}\n", j.row->name, j.text) : j.text + "\n";
    for (const memory m : {memory::rc11, memory::sc}) {
      if (only && *only != m) continue;
      if (!run_job(j, m, report, results)) ++differing;
    }
    if (!arguments.empty()) report.text += outcome_table(j.code, results);
    if (j.row != nullptr && !j.row->note.empty() && results.contains(memory::rc11)) {
      report.text += fmt::format("  note: {}\n", j.row->note);
    }
  }
  if (arguments.empty()) {
    report.text +=
        fmt::format("{} programs, {} results differ from the table\n", jobs.size(), differing);
  }
  if (differing != 0) report.exit_code = 1;
  return report;
}

}  // namespace racewheel::cli
