// `racewheel litmus`: the table of litmus programs, or one typed by hand.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "explore/litmus_table.hpp"

namespace racewheel::cli {

struct litmus_report {
  std::string text;     // for people
  nlohmann::json rows;  // program, memory, graphs, executions, data_race, outcomes
  std::string reason;   // of a verdict that is not ok
  int exit_code = 0;    // 0 ok, 1 differs from the table, 3 a limit was reached
};

/// Each argument is the name of a row of the table, whose result must be the stated one, or a
/// program in its notation, whose outcomes are just shown. None: the whole table. Without a model
/// both are run, rc11 first.
/// Throws litmus::syntax_error and, for a name that is not in the table, std::invalid_argument.
[[nodiscard]] litmus_report run_litmus(
    const std::vector<std::string>& arguments, std::optional<litmus::memory> only,
    const std::vector<litmus::table_row>& table = litmus::table());

}  // namespace racewheel::cli
