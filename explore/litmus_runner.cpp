#include "explore/litmus_runner.hpp"

#include <fmt/format.h>

#include <functional>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "explore/cell.hpp"
#include "explore/explorer.hpp"

namespace racewheel::litmus {
namespace {

explore::mode mode_of(order o) {
  switch (o) {
    case order::na:
      return explore::mode::na;
    case order::rlx:
      return explore::mode::relaxed;
    case order::acq:
      return explore::mode::acquire;
    case order::rel:
      return explore::mode::release;
    case order::ar:
      return explore::mode::acq_rel;
    case order::sc:
      break;
  }
  return explore::mode::seq_cst;
}

constexpr explore::word whole_word = ~explore::word{0};

explore::word to_word(value v) { return static_cast<explore::word>(v); }
value to_value(explore::word w) { return static_cast<value>(w); }

/// Interprets the program on the explorer's cells. The registers stand outside the execution: only
/// their thread writes them, and nobody reads them before the execution is over.
class interpreter {
 public:
  explicit interpreter(const program& p) : program_(p), registers_(p.threads.size()) {
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
      bodies_.emplace_back([this, t] { run_thread(t); });
      labels_.emplace_back();
      for (const operation& op : p.threads[t]) labels_.back().push_back(to_string(op, p));
    }
  }

  /// One execution, on the main virtual thread.
  void run() {
    for (auto& r : registers_) r.clear();
    const std::size_t count = program_.locations.size();
    // The execution's own memory: an execution may be dropped half-way, and nothing is freed then.
    void* const memory =
        explore::detail::scratch(sizeof(explore::cell) * (count + 1), alignof(explore::cell));
    cells_ = static_cast<explore::cell*>(memory);
    for (std::size_t l = 0; l < count; ++l) new (cells_ + l) explore::cell(0);
    explore::run_each(std::span(bodies_));
    final_values_.clear();
    for (std::size_t l = 0; l < count; ++l) final_values_.push_back(to_value(cells_[l].latest()));
  }

  /// Of the execution that just ended.
  [[nodiscard]] outcome last_outcome() const {
    outcome o;
    for (const auto& r : registers_) o.insert(o.end(), r.begin(), r.end());
    o.insert(o.end(), final_values_.begin(), final_values_.end());
    return o;
  }

 private:
  using registers = std::vector<std::optional<value>>;

  void run_thread(std::size_t t) {
    registers& regs = registers_[t];
    for (std::size_t i = 0; i < program_.threads[t].size(); ++i) {
      const operation& op = program_.threads[t][i];
      const auto evaluate = [&](const operand& o) { return o.reg ? regs[*o.reg] : o.literal; };
      const auto argument = evaluate(op.argument);
      const auto expected = evaluate(op.expected);
      std::optional<value> read;
      if (argument && expected && (!op.only_if || regs[op.only_if->reg] == op.only_if->equals)) {
        read = execute(op, labels_[t][i].c_str(), *argument, *expected);
      }
      if (op.result) regs.push_back(read);
    }
  }

  std::optional<value> execute(const operation& op, const char* label, value argument,
                               value expected) {
    const explore::access access(mode_of(op.success), label);
    if (op.what == kind::fence) {
      explore::fence(access);
      return std::nullopt;
    }
    explore::cell& cell = cells_[op.location];
    switch (op.what) {
      case kind::store:
        cell.store(to_word(argument), access);
        break;
      case kind::load:
        return to_value(cell.load(access));
      case kind::exchange:
        return to_value(
            cell.modify(explore::rmw_kind::exchange, to_word(argument), whole_word, access));
      case kind::fetch_add:
        return to_value(cell.modify(explore::rmw_kind::add, to_word(argument), whole_word, access));
      case kind::compare_exchange: {
        explore::word seen = to_word(expected);
        cell.compare_exchange(seen, to_word(argument), access,
                              explore::access(mode_of(op.failure), label), false);
        return to_value(seen);
      }
      case kind::fence:
        break;
    }
    return std::nullopt;
  }

  const program& program_;
  std::vector<registers> registers_;
  std::vector<value> final_values_;
  std::vector<std::vector<std::string>> labels_;
  std::vector<std::function<void()>> bodies_;
  explore::cell* cells_ = nullptr;
};

explore::options options_for(memory m) {
  explore::options options;
  options.memory = m == memory::sc ? explore::memory_model::sc : explore::memory_model::rc11;
  options.sc_strengthens = false;
  return options;
}

}  // namespace

run_result run(const program& p, memory m, const run_limits& limits) {
  interpreter code(p);
  run_result r;
  explore::options options = options_for(m);
  options.strategy = limits.strategy;
  options.seconds = limits.seconds;
  options.stop_on_race = false;
  options.observer = [&](const explore::execution_view& view) {
    r.seen.outcomes.insert(code.last_outcome());
    r.seen.data_race |= view.data_race;
  };
  const explore::result found = explore::search({to_string(p), [&] { code.run(); }}, options);
  if (found.verdict == explore::verdict::violation) {
    throw std::logic_error(fmt::format("litmus program '{}' ended with {}: {}", to_string(p),
                                       explore::to_string(found.finding.kind),
                                       found.finding.message));
  }
  r.seen.graphs = found.graphs;
  r.executions = found.executions;
  r.bound = found.bound;
  return r;
}

std::string describe_race(const program& p, memory m) {
  interpreter code(p);
  return explore::search({to_string(p), [&] { code.run(); }}, options_for(m)).finding.message;
}

}  // namespace racewheel::litmus
