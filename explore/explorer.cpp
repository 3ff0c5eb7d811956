#include "explore/explorer.hpp"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>

#include "explore/engine.hpp"
#include "explore/hash_set.hpp"
#include "explore/schedule.hpp"
#include "explore/strategy.hpp"
#include "explore/trace.hpp"

namespace racewheel::explore {

namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

/// Follows a schedule: the default everywhere but at the deviations.
class replay_strategy final : public strategy {
 public:
  explicit replay_strategy(std::vector<deviation> deviations)
      : deviations_(std::move(deviations)) {}

  bool start() override {
    number_ = 0;
    next_ = 0;
    return true;
  }

  std::uint32_t choose(const choice& c) override {
    ++number_;
    if (next_ == deviations_.size() || deviations_[next_].number != number_) return 0;
    const deviation& d = deviations_[next_++];
    for (std::uint32_t i = 0; i < c.options.size(); ++i) {
      if (d.kind == c.kind && c.options[i] == d.value) return i;
    }
    diverged_ = number_;
    return stop;
  }

  /// The choice that the schedule does not fit, or 0.
  [[nodiscard]] std::uint32_t diverged() const noexcept { return diverged_; }
  /// The first deviation that was never reached, or 0.
  [[nodiscard]] std::uint32_t unused() const noexcept {
    return next_ < deviations_.size() ? deviations_[next_].number : 0;
  }

 private:
  std::vector<deviation> deviations_;
  std::uint32_t number_ = 0;
  std::size_t next_ = 0;
  std::uint32_t diverged_ = 0;
};

finding describe_finding(const engine& e) {
  finding f;
  f.kind = e.found();
  f.message = e.message();
  f.words = words_of(e.decisions(), e.clock_thread());
  f.schedule = to_token(e.decisions());
  f.trace = trace_of(e);
  f.steps = steps_of(e);
  f.digest = digest_of(f.steps);
  return f;
}

[[noreturn]] void diverge(const std::vector<std::string>& seen, std::size_t at,
                          const std::string& expected) {
  const std::string got = at < seen.size() ? fmt::format("'{}'", seen[at]) : "the end";
  throw replay_divergence(
      fmt::format("replay diverged at step {}: expected {}, got {}", at + 1, expected, got));
}

void compare_steps(const std::vector<std::string>& seen, const std::vector<std::string>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (i >= seen.size() || seen[i] != expected[i])
      diverge(seen, i, fmt::format("'{}'", expected[i]));
  }
  if (seen.size() > expected.size()) diverge(seen, expected.size(), "the end");
}

const strategy_entry& entry_of(const options& o) {
  const strategy_entry* const entry = find_strategy(o.strategy);
  if (entry != nullptr) return *entry;
  std::string known;
  for (const strategy_entry& s : strategies()) known.append(" ").append(s.name);
  throw std::invalid_argument("strategy '" + o.strategy + "' does not exist; there are:" + known);
}

/// The limits that a search keeps to.
class limits {
 public:
  explicit limits(const options& o) : options_(o) {}

  /// Empty, or which limit is reached.
  [[nodiscard]] std::string reached(std::uint64_t executions) const {
    if (executions >= options_.executions) {
      return "executions " + std::to_string(options_.executions);
    }
    const bool look = executions % 64 == 0;  // the clock costs more than a small execution
    if (look && seconds_since(start_) >= options_.seconds) {
      return "seconds " + std::to_string(options_.seconds);
    }
    return {};
  }
  [[nodiscard]] double seconds() const { return seconds_since(start_); }

 private:
  const options& options_;
  clock::time_point start_ = clock::now();
};

/// The same schedule once more: a program that depends on anything else is told so.
void confirm(const program& p, const options& o, finding& f) {
  engine e(p, o);
  replay_strategy again(parse_token(f.schedule));
  again.start();
  e.run(again);
  const finding second = describe_finding(e);
  if (second.kind == f.kind && second.digest == f.digest && second.trace == f.trace) return;
  f.kind = finding_kind::misuse;
  f.message = "the program is not deterministic: the same schedule gave first '" + f.message +
              "', then '" + second.message + "'";
}

}  // namespace

std::string_view to_string(memory_model model) noexcept {
  return model == memory_model::sc ? "sc" : "rc11";
}

std::string_view to_string(verdict v) noexcept {
  switch (v) {
    case verdict::ok:
      return "ok";
    case verdict::violation:
      return "violation";
    case verdict::inconclusive:
      break;
  }
  return "inconclusive";
}

std::string_view to_string(finding_kind kind) noexcept {
  constexpr std::string_view names[] = {"none",           "assertion",   "exception", "data race",
                                        "use after free", "double free", "leak",      "deadlock",
                                        "lost wake-up",   "livelock",    "misuse"};
  return names[static_cast<std::size_t>(kind)];
}

namespace {
constexpr struct {
  std::string_view name;
  std::memory_order order;
} order_names[] = {
    {"relaxed", std::memory_order::relaxed}, {"acquire", std::memory_order::acquire},
    {"release", std::memory_order::release}, {"acq_rel", std::memory_order::acq_rel},
    {"seq_cst", std::memory_order::seq_cst},
};
}  // namespace

std::string_view name_of(std::memory_order order) noexcept {
  for (const auto& known : order_names) {
    if (known.order == order) return known.name;
  }
  return "acquire";  // consume, which is promoted everywhere
}

std::memory_order order_named(std::string_view name) {
  std::string all;
  for (const auto& known : order_names) {
    if (known.name == name) return known.order;
    all.append(" ").append(known.name);
  }
  throw std::invalid_argument(fmt::format("order '{}' does not exist; there are:{}", name, all));
}

result search(const program& p, const options& o) {
  const strategy_entry& entry = entry_of(o);
  const std::unique_ptr<strategy> decide = entry.make(o);
  engine e(p, o);
  result r;
  const limits limit(o);
  hash_set graphs;
  bool cut = false;  // some execution was longer than the step limit
  while (true) {
    r.bound = limit.reached(r.executions);
    if (!r.bound.empty()) break;
    if (!decide->start()) {
      r.exhausted = !cut;
      break;
    }
    ++r.executions;
    const execution_end end = e.run(*decide);
    decide->finish(end);
    if (end == execution_end::complete) {
      if (o.count_graphs || entry.exhaustive) graphs.insert(e.graph_hash());
      if (o.observer) o.observer({e.graph_hash(), e.data_race()});
    } else if (end == execution_end::finding) {
      r.finding = describe_finding(e);
      break;
    } else {
      ++r.blocked;
      cut = cut || end == execution_end::step_limit;
    }
  }
  if (r.bound.empty() && cut) r.bound = "steps " + std::to_string(o.steps);
  if (r.finding.kind != finding_kind::none) confirm(p, o, r.finding);
  r.graphs = graphs.size();
  r.seconds = limit.seconds();
  r.verdict = r.finding.kind != finding_kind::none ? verdict::violation
              : r.exhausted                        ? verdict::ok
                                                   : verdict::inconclusive;
  return r;
}

result replay(const program& p, const options& o, std::string_view schedule,
              const std::vector<std::string>& steps) {
  const limits limit(o);
  options announced = o;
  announced.announce_steps = true;
  engine e(p, announced);
  replay_strategy follow(parse_token(schedule));
  follow.start();
  const execution_end end = e.run(follow);
  result r;
  r.executions = 1;
  r.finding = describe_finding(e);
  r.seconds = limit.seconds();
  if (!steps.empty()) compare_steps(r.finding.steps, steps);
  if (follow.diverged() != 0 || follow.unused() != 0) {
    const std::uint32_t number = follow.diverged() != 0 ? follow.diverged() : follow.unused();
    diverge(r.finding.steps, r.finding.steps.size(),
            "choice " + std::to_string(number) + " of the schedule");
  }
  r.graphs = end == execution_end::complete ? 1 : 0;
  r.bound =
      end == execution_end::step_limit ? "steps " + std::to_string(o.steps) : result::one_schedule;
  r.verdict = end == execution_end::finding ? verdict::violation : verdict::inconclusive;
  return r;
}

}  // namespace racewheel::explore
