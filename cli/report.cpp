#include "cli/report.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace racewheel::cli {
namespace {

/// As an attribute of XML.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void write(std::string_view option, const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw usage_error(fmt::format("{} {}: cannot be written", option, path));
}

}  // namespace

std::string_view name_of(verdict v) {
  switch (v) {
    case verdict::ok:
      return "ok";
    case verdict::violation:
      return "violation";
    case verdict::inconclusive:
      return "inconclusive";
  }
  return "?";
}

int exit_code(verdict v) {
  switch (v) {
    case verdict::ok:
      return 0;
    case verdict::violation:
      return 1;
    case verdict::inconclusive:
      return 3;
  }
  return 2;
}

verdict graver(verdict a, verdict b) {
  if (a == verdict::violation || b == verdict::violation) return verdict::violation;
  return a == verdict::inconclusive ? a : b;
}

void unknown_name(std::string_view kind, std::string_view name,
                  const std::vector<std::string>& known) {
  std::string list;
  for (const std::string& k : known) list += (list.empty() ? "" : ", ") + k;
  throw usage_error(fmt::format("unknown {} '{}'; known: {}", kind, name, list));
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!text.empty() && text.find_first_not_of(plain) == text.npos) return std::string(text);
  std::string word(1, '\'');
  for (const char c : text) {
    if (c == '\'') word.append("'\\'");
    word.push_back(c);
  }
  word.push_back('\'');
  return word;
}

std::string shell_line(std::string_view command, const std::vector<std::string>& args) {
  std::string line = fmt::format("racewheel {}", command);
  for (const std::string& argument : args) line.append(" ").append(shell_word(argument));
  return line;
}

void table::print() const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool number =
          !row[i].empty() && row[i].find_first_not_of("0123456789.,%") == row[i].npos;
      line += number ? fmt::format("{:>{}}  ", row[i], widths[i])
                     : fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

progress_line::progress_line(const output_options& options)
    : terminal_(::isatty(STDERR_FILENO) == 1), visible_(terminal_ || options.progress) {}

progress_line::~progress_line() {
  if (terminal_) fmt::print(stderr, "\r\033[K");
}

void progress_line::show(std::string_view text) {
  if (!visible_) return;
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
  } else {
    fmt::print(stderr, "{}\n", text);
  }
}

std::string junit_of(std::string_view suite, const std::vector<test_case>& tests) {
  const auto count = [&](verdict v) {
    return std::count_if(tests.begin(), tests.end(),
                         [&](const test_case& t) { return t.result == v; });
  };
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"racewheel {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n",
      escaped(suite), tests.size(), count(verdict::violation), count(verdict::inconclusive));
  for (const test_case& t : tests) {
    xml += fmt::format("  <testcase classname=\"racewheel.{}\" name=\"{}\" time=\"{:.3f}\"",
                       escaped(suite), escaped(t.name), t.seconds);
    if (t.result == verdict::ok) {
      xml += "/>\n";
      continue;
    }
    const std::string_view tag = t.result == verdict::violation ? "failure" : "error";
    xml += fmt::format(">\n    <{} message=\"{}\"/>\n  </testcase>\n", tag, escaped(t.message));
  }
  return xml + "</testsuite>\n";
}

void report::note(verdict v, std::string_view why) {
  if (v != verdict::ok && graver(result, v) != result) reason = why;
  result = graver(result, v);
}

void report::note(test_case test, const std::string& again) {
  if (graver(result, test.result) != result) replay = again;
  note(test.result, fmt::format("{}: {}", test.name, test.message));
  tests.push_back(std::move(test));
}

int report::finish(const output_options& options) const {
  if (!options.json.empty()) {
    const nlohmann::ordered_json envelope{
        {"schema", 1},      {"command", command},         {"args", args},
        {"seed", seed},     {"verdict", name_of(result)}, {"exit", exit_code(result)},
        {"reason", reason}, {"replay", replay},           {"rows", rows}};
    if (options.json_on_stdout()) {
      fmt::print("{}\n", envelope.dump(2));
    } else {
      write("--json", options.json, envelope.dump(2) + "\n");
    }
  }
  if (!options.junit.empty()) write("--junit", options.junit, junit_of(command, tests));
  if (result != verdict::ok) {
    fmt::print(stderr, "{}: {}\n", name_of(result), reason);
    if (!replay.empty()) fmt::print(stderr, "again: {}\n", replay);
  }
  return exit_code(result);
}

}  // namespace racewheel::cli
