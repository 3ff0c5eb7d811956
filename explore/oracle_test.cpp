#include "explore/oracle.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "explore/litmus_generator.hpp"
#include "explore/litmus_table.hpp"

namespace racewheel::oracle {
namespace {

using litmus::kind;
using litmus::memory;
using litmus::value;

/// Thousands on request: RACEWHEEL_LITMUS_PROGRAMS=20000 ./oracle_test
std::uint64_t random_programs() {
  const char* const asked = std::getenv("RACEWHEEL_LITMUS_PROGRAMS");
  return asked == nullptr ? 300 : std::strtoull(asked, nullptr, 10);
}

/// Sequential consistency as one would explain it: every interleaving on one flat memory. An
/// independent second opinion on the oracle's SC graphs, outcomes and races.
class interleaver {
 public:
  explicit interleaver(const litmus::program& p) : program_(p), next_(p.threads.size()) {
    registers_.resize(p.threads.size());
    known_.resize(p.threads.size());
    message_.resize(p.locations.size());
    values_.resize(p.locations.size());
    stores_.resize(p.locations.size());
    accesses_.resize(p.locations.size());
  }

  litmus::result run() {
    step();
    result_.graphs = graphs_.size();
    return result_;
  }

 private:
  struct access {
    std::size_t event, thread;
    bool writes;
  };
  using registers = std::vector<std::optional<value>>;

  void step() {
    bool done = true;
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      if (next_[t] == program_.threads[t].size()) continue;
      done = false;
      const interleaver before = *this;
      execute(t, program_.threads[t][next_[t]]);
      ++next_[t];
      step();
      auto graphs = std::move(graphs_);
      auto result = std::move(result_);
      *this = before;
      graphs_ = std::move(graphs);
      result_ = std::move(result);
    }
    if (done) record();
  }

  std::optional<value> evaluate(const litmus::operand& o, std::size_t t) const {
    return o.reg ? registers_[t][*o.reg] : o.literal;
  }

  void execute(std::size_t t, const litmus::operation& op) {
    const auto argument = evaluate(op.argument, t);
    const auto expected = evaluate(op.expected, t);
    const bool runs = argument && expected &&
                      (!op.only_if || registers_[t][op.only_if->reg] == op.only_if->equals);
    if (op.result) registers_[t].push_back(std::nullopt);
    if (!runs || op.what == kind::fence) return;
    const std::size_t event = 1 + t * 100 + next_[t];  // 0 is the initial store
    const std::size_t at = op.location;
    const value old = values_[at];
    const bool plain = op.success == litmus::order::na;
    bool writes = op.what != kind::load;
    if (op.result) {
      registers_[t].back() = old;
      sources_[event] = stores_[at].empty() ? 0 : stores_[at].back();
      if (!plain) known_[t].insert(message_[at].begin(), message_[at].end());
      if (op.what == kind::compare_exchange) writes = old == *expected;
    }
    for (const access& a : accesses_[at]) {
      if (plain && a.thread != t && (a.writes || writes) && !known_[t].contains(a.event)) {
        raced_ = true;
      }
    }
    accesses_[at].push_back({event, t, writes});
    known_[t].insert(event);
    if (!writes) return;
    values_[at] = op.what == kind::fetch_add ? old + *argument : *argument;
    stores_[at].push_back(event);
    if (!plain) message_[at] = known_[t];
  }

  void record() {
    graphs_.insert({sources_, stores_});
    result_.data_race |= raced_;
    litmus::outcome o;
    for (const registers& r : registers_) o.insert(o.end(), r.begin(), r.end());
    o.insert(o.end(), values_.begin(), values_.end());
    result_.outcomes.insert(o);
  }

  litmus::program program_;
  std::vector<std::size_t> next_;
  std::vector<registers> registers_;
  std::vector<std::set<std::size_t>> known_;    // thread -> events that happen before its next
  std::vector<std::set<std::size_t>> message_;  // location -> what its newest store hands over
  std::vector<value> values_;
  std::vector<std::vector<std::size_t>> stores_;  // location -> its modification order
  std::vector<std::vector<access>> accesses_;
  std::map<std::size_t, std::size_t> sources_;
  bool raced_ = false;
  std::set<std::pair<std::map<std::size_t, std::size_t>, std::vector<std::vector<std::size_t>>>>
      graphs_;
  litmus::result result_;
};

TEST(oracle, agrees_with_every_row_of_the_table) {
  for (const auto& row : litmus::table()) {
    for (const memory m : {memory::sc, memory::rc11}) {
      EXPECT_EQ(litmus::difference(row.code, row.expected(m), enumerate(row.code, m)), "")
          << row.name << " under " << to_string(m) << ": " << row.text;
    }
  }
}

TEST(oracle, under_sc_counts_what_interleaving_the_threads_produces) {
  const litmus::generator_limits limits{.max_operations = 3};
  for (std::uint64_t seed = 0; seed < random_programs(); ++seed) {
    const auto p = litmus::random_program(seed, limits);
    EXPECT_EQ(litmus::difference(p, interleaver(p).run(), enumerate(p, memory::sc)), "")
        << "racewheel litmus '" << to_string(p) << "' --memory sc";
  }
}

TEST(oracle, pruning_loses_no_graph) {
  const litmus::generator_limits limits{.max_threads = 2, .max_operations = 3};
  for (std::uint64_t seed = 0; seed < random_programs(); ++seed) {
    const auto p = litmus::random_program(seed, limits);
    for (const memory m : {memory::sc, memory::rc11}) {
      const auto whole = enumerate(p, m, pruning::off);
      EXPECT_EQ(litmus::difference(p, whole, enumerate(p, m)), "")
          << "racewheel litmus '" << to_string(p) << "' --memory " << to_string(m);
    }
  }
}

TEST(oracle, with_seq_cst_everywhere_rc11_is_sc) {
  for (std::uint64_t seed = 0; seed < random_programs(); ++seed) {
    auto p = litmus::random_program(seed);
    for (auto& thread : p.threads) {
      for (auto& op : thread) {
        op.success = op.failure = litmus::order::sc;
      }
    }
    EXPECT_EQ(litmus::difference(p, enumerate(p, memory::sc), enumerate(p, memory::rc11)), "")
        << to_string(p);
  }
}

TEST(oracle, a_stronger_order_never_adds_a_graph) {
  for (std::uint64_t seed = 0; seed < random_programs(); ++seed) {
    const auto p = litmus::random_program(seed);
    const auto weak = enumerate(p, memory::rc11);
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
      for (std::size_t i = 0; i < p.threads[t].size(); ++i) {
        auto stronger = p;
        auto& op = stronger.threads[t][i];
        if (op.success == litmus::order::na) continue;
        op.success = op.failure = litmus::order::sc;
        const auto strong = enumerate(stronger, memory::rc11);
        EXPECT_LE(strong.graphs, weak.graphs) << to_string(p) << "\n" << to_string(stronger);
        for (const auto& o : strong.outcomes) EXPECT_TRUE(weak.outcomes.contains(o));
      }
    }
  }
}

TEST(oracle, a_register_without_a_value_skips_what_needs_it) {
  const auto p = litmus::parse("R x rlx; ?r0=1 R y rlx; W z r1 rlx; ?r1=0 W u 1 rlx");
  const auto r = enumerate(p, memory::rc11);
  EXPECT_EQ(r.graphs, 1U);
  EXPECT_EQ(r.outcomes, (std::set<litmus::outcome>{{0, std::nullopt, 0, 0, 0, 0}}));
}

TEST(oracle, a_plain_race_is_found_and_does_not_stop_the_count) {
  const auto p = litmus::parse("W x 1 na | R x na");
  for (const memory m : {memory::sc, memory::rc11}) {
    const auto r = enumerate(p, m);
    EXPECT_TRUE(r.data_race);
    EXPECT_EQ(r.graphs, 2U);
  }
}

TEST(oracle, refuses_programs_that_do_not_fit) {
  std::string text = "F sc";
  for (int i = 0; i < 64; ++i) text += "; F sc";
  EXPECT_THROW((void)enumerate(litmus::parse(text), memory::sc), std::length_error);
}

}  // namespace
}  // namespace racewheel::oracle
