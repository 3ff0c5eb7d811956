// The explorer's front door: options in, verdict and finding out.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/site.hpp"
#include "explore/program.hpp"

namespace racewheel::explore {

/// sc: plain interleaving, every order counts as seq_cst. rc11: the C++ memory model without load
/// buffering.
enum class memory_model { sc, rc11 };

/// ok: the whole program was searched. inconclusive: a limit was reached first.
enum class verdict { ok, violation, inconclusive };

enum class finding_kind {
  none,
  assertion,
  exception,
  data_race,
  use_after_free,
  double_free,
  leak,
  deadlock,
  lost_wakeup,
  livelock,
  misuse,  // the program itself breaks a rule of the explorer
};

[[nodiscard]] std::string_view to_string(memory_model model) noexcept;
[[nodiscard]] std::string_view to_string(verdict v) noexcept;
[[nodiscard]] std::string_view to_string(finding_kind kind) noexcept;

/// Replaces the order of every access at the named site.
struct order_override {
  std::string site;
  std::memory_order order;
};

[[nodiscard]] std::string_view name_of(std::memory_order order) noexcept;
/// Throws std::invalid_argument with the list of those that exist.
[[nodiscard]] std::memory_order order_named(std::string_view name);

/// What an observer sees after each execution that ran to its end.
struct execution_view {
  std::uint64_t graph;  // canonical hash of (po, rf, mo), independent of the order of execution
  bool data_race;       // with options::stop_on_race off; else a race is a finding
};

struct options {
  memory_model memory = memory_model::rc11;
  std::string strategy = "dfs";  // a name from the registry in explore/strategy.hpp
  std::uint64_t executions = std::numeric_limits<std::uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
  std::uint32_t steps = 10'000;  // visible operations of one execution
  std::uint64_t seed = 1;
  std::uint32_t spurious_failures = 0;  // of compare_exchange_weak, at most so many per execution
  bool reuse_blocks = false;  // a freed block may be handed out again (ABA); a choice of its own
  std::vector<order_override> overrides;

  bool stop_on_race = true;
  /// Under sc every order counts as seq_cst for happens-before too. Off: races by the orders as
  /// written, which is what litmus tables ask for.
  bool sc_strengthens = true;
  /// Count distinct graphs. dfs always does.
  bool count_graphs = true;

  /// Call racewheel_step() before each visible operation. replay() does.
  bool announce_steps = false;

  /// Called after each execution that ran to its end (not after pruned ones).
  std::function<void(const execution_view&)> observer;
};

struct finding {
  finding_kind kind = finding_kind::none;
  std::string message;
  std::string words;               // the schedule for people: "2 switches, 1 stale read"
  std::string schedule;            // the token: deviations from the default choice
  std::string trace;               // one column per thread
  std::vector<std::string> steps;  // "P1 claim": thread and site of every visible operation
  std::string digest;              // of the steps
};

struct result {
  static constexpr const char* one_schedule = "one schedule";  // the bound of a replay

  explore::verdict verdict = explore::verdict::inconclusive;
  std::uint64_t executions = 0;  // all that were started
  std::uint64_t graphs = 0;      // distinct graphs of complete executions
  std::uint64_t blocked = 0;     // executions that were cut: pruned, or over the step limit
  bool exhausted = false;
  std::string bound;  // which limit was reached, empty if none
  double seconds = 0;
  explore::finding finding;
};

/// Searches the program. Throws std::invalid_argument for options that make no sense.
[[nodiscard]] result search(const program& p, const options& o);

/// Where a debugger stops: called on the virtual thread itself before each step of a replay, with
/// the step's number in the trace, so that the frames above are those of the code under test.
///   break racewheel_step if number == 7
extern "C" void racewheel_step(unsigned number, const char* thread, const char* site);

/// Runs one schedule. `steps` (from a finding, may be empty) is checked step by step.
/// Throws replay_divergence if the schedule does not fit the program.
[[nodiscard]] result replay(const program& p, const options& o, std::string_view schedule,
                            const std::vector<std::string>& steps = {});

}  // namespace racewheel::explore
