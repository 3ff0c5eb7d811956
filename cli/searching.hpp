// What the commands that search share: verdicts, words and progress.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "cli/report.hpp"
#include "explore/explorer.hpp"

namespace racewheel::cli {

[[nodiscard]] inline verdict verdict_of(explore::verdict v) {
  switch (v) {
    case explore::verdict::ok:
      return verdict::ok;
    case explore::verdict::violation:
      return verdict::violation;
    case explore::verdict::inconclusive:
      break;
  }
  return verdict::inconclusive;
}

/// The limit of a search. Throws usage_error.
inline void check_seconds(double seconds) {
  if (!(seconds > 0)) throw usage_error(fmt::format("--seconds {}: must be above 0", seconds));
}

/// Before a search that may take long: can there be files in this folder? Throws usage_error.
inline void check_folder(std::string_view option, const std::filesystem::path& folder) {
  if (std::filesystem::is_directory(folder.empty() ? "." : folder)) return;
  throw usage_error(fmt::format("{} {}: there is no such folder", option, folder.string()));
}

/// "data race: ... (2 switches)".
[[nodiscard]] inline std::string in_words(const explore::finding& f) {
  return fmt::format("{}: {} ({})", to_string(f.kind), f.message, f.words);
}

/// Tells every half second or so how far a search is.
class search_progress {
 public:
  search_progress(const output_options& output, std::string what)
      : line_(output), what_(std::move(what)) {}

  void operator()() {
    if (++executions_ % 256 != 0) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - shown_ < std::chrono::milliseconds(500)) return;
    shown_ = now;
    line_.show(fmt::format("{}, {} executions", what_, executions_));
  }

 private:
  progress_line line_;
  std::string what_;
  std::uint64_t executions_ = 0;
  std::chrono::steady_clock::time_point shown_ = std::chrono::steady_clock::now();
};

}  // namespace racewheel::cli
