// How a command joins the program: one file, and one line in main.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cli/report.hpp"

namespace racewheel::cli {

/// What main hands to each command.
struct context {
  CLI::App& app;
  std::vector<std::string> args;  // as typed, without the program and the command
  std::function<int()>& action;   // what the chosen command does; returns the exit code
};

/// A subcommand with the options that all have. `run` gets them when the command was chosen.
template <class Options, class Run>
CLI::App* add_command(context& c, const std::string& name, const std::string& what,
                      std::shared_ptr<Options> options, Run run) {
  CLI::App* const sub = c.app.add_subcommand(name, what);
  sub->add_option("--json", options->output.json,
                  "write the result as JSON to FILE, or - for stdout");
  sub->add_flag("--progress", options->output.progress, "show progress even without a terminal");
  sub->callback([&c, options, run] { c.action = [&c, options, run] { return run(c, *options); }; });
  return sub;
}

/// For commands that have tests.
template <class Options>
void add_junit(CLI::App& sub, Options& options) {
  sub.add_option("--junit", options.output.junit, "write the tests as JUnit XML to FILE");
}

void add_explore(context& c);
void add_list(context& c);
void add_litmus(context& c);
void add_races(context& c);
void add_replay(context& c);
void add_tour(context& c);

}  // namespace racewheel::cli
