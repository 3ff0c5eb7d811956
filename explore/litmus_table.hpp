// The litmus table: programs with what they may do under each memory model, exactly.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "explore/litmus_result.hpp"

namespace racewheel::litmus {

struct table_row {
  std::string name;     // for the command line
  std::string family;   // as the literature calls it
  std::string variant;  // what is particular about this one
  std::string text;     // the program in its notation
  std::string note;     // a remark to print with the result; mostly empty
  program code;
  result sc;
  result rc11;

  [[nodiscard]] const result& expected(memory m) const noexcept {
    return m == memory::sc ? sc : rc11;
  }
};

/// explore/litmus_table.jsonl, compiled in; adding a program is one line there. The numbers were
/// computed by two axiomatic enumerators independent of this project and agree with the oracle.
[[nodiscard]] const std::vector<table_row>& table();

/// Rows in the form of that file, one a line. Throws std::invalid_argument with `source`, the line
/// and what is wrong there.
[[nodiscard]] std::vector<table_row> parse_table(std::string_view text, std::string_view source);

/// nullptr if there is no such row. Programs are the same if they print the same.
[[nodiscard]] const table_row* find_row(const std::vector<table_row>& rows, std::string_view name);
[[nodiscard]] const table_row* find_row(const std::vector<table_row>& rows, const program& p);

namespace detail {
[[nodiscard]] std::vector<std::string_view> table_rows();  // the lines of the file
}

}  // namespace racewheel::litmus
