// What every command gives back: a verdict, rows for people, and their JSON twin.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace racewheel::cli {

enum class verdict { ok, violation, inconclusive };

[[nodiscard]] std::string_view name_of(verdict v);
/// 0 ok, 1 violation, 3 inconclusive; 2 is for usage_error.
[[nodiscard]] int exit_code(verdict v);
/// The graver of two: violation, then inconclusive, then ok.
[[nodiscard]] verdict graver(verdict a, verdict b);

/// Bad input: one line on standard error, exit code 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws a usage_error that lists the known names.
[[noreturn]] void unknown_name(std::string_view kind, std::string_view name,
                               const std::vector<std::string>& known);

/// As a shell takes it: quoted where it must be.
[[nodiscard]] std::string shell_word(std::string_view text);
/// The whole command, to paste.
[[nodiscard]] std::string shell_line(std::string_view command,
                                     const std::vector<std::string>& args);

/// Options that every command has.
struct output_options {
  std::string json;       // a file, or "-" for standard output and nothing else there
  std::string junit;      // a file; only of commands that have tests
  bool progress = false;  // also where standard error is no terminal

  [[nodiscard]] bool json_on_stdout() const { return json == "-"; }
};

/// A table for people: columns as wide as their widest cell, numbers to the right.
class table {
 public:
  explicit table(std::vector<std::string> head) : rows_{std::move(head)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// One line on standard error that says how far a command is; nothing where nobody would see it.
class progress_line {
 public:
  explicit progress_line(const output_options& options);
  ~progress_line();
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  void show(std::string_view text);

 private:
  bool terminal_;
  bool visible_;
};

/// One test of a command that has several.
struct test_case {
  std::string name;
  verdict result = verdict::ok;
  std::string message;
  double seconds = 0;
};

/// The tests as JUnit XML: a violation is a failure, an inconclusive test an error.
[[nodiscard]] std::string junit_of(std::string_view suite, const std::vector<test_case>& tests);

/// The envelope of the JSON output.
struct report {
  std::string command;
  std::vector<std::string> args;
  std::uint64_t seed = 0;
  verdict result = verdict::ok;
  std::string reason;
  std::string replay;  // a line to paste that repeats a failure
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::vector<test_case> tests{};  // for --junit

  /// Notes what the gravest row says.
  void note(verdict v, std::string_view why);
  /// Notes a test, and its replay line if it is the first that is not ok.
  void note(test_case test, const std::string& again);
  /// Writes JSON and JUnit where they were asked for, closes with one line for people; returns the
  /// exit code.
  [[nodiscard]] int finish(const output_options& options) const;
};

}  // namespace racewheel::cli
