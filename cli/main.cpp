// racewheel: the command line. Exit codes: 0 ok, 1 violation, 2 usage or bad input, 3 inconclusive.
#include <fmt/core.h>

#include "cli/command.hpp"

int main(int argc, char** argv) {
  using namespace racewheel::cli;
  CLI::App app("racewheel: a lock-free concurrency testbed");
  app.require_subcommand(1);
  std::function<int()> action;
  context c{app, {}, action};
  for (int i = 2; i < argc; ++i) c.args.emplace_back(argv[i]);

  for (const auto add : {add_explore, add_list, add_litmus, add_races, add_replay, add_tour})
    add(c);  // the list of commands

  // CLI11 would only say that a command is missing.
  if (argc > 1 && argv[1][0] != '-') {
    std::string known;
    for (const CLI::App* sub : app.get_subcommands({})) known += " " + sub->get_name();
    if ((known + " ").find(fmt::format(" {} ", argv[1])) == std::string::npos) {
      fmt::print(stderr, "racewheel: unknown command '{}'; known:{}\n", argv[1], known);
      return 2;
    }
  }
  try {
    app.parse(argc, argv);
    return action();
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& e) {
    fmt::print(stderr, "racewheel: {}; see racewheel --help\n", e.what());
  } catch (const std::exception& e) {
    fmt::print(stderr, "racewheel: {}\n", e.what());
  }
  return 2;
}
