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
using litmus::order;
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
  explicit interleaver(const litmus::program& p) : program_(p) {}

  litmus::result run() {
    step(state(program_));
    result_.graphs = graphs_.size();
    return result_;
  }

 private:
  using event_set = std::set<std::size_t>;
  using registers = std::vector<std::optional<value>>;
  struct access {
    std::size_t event, thread;
    bool writes;
  };
  struct thread_state {
    std::size_t next = 0;
    registers regs;
    event_set known;     // what happens before its next event
    event_set pending;   // what an acquire fence would add
    event_set released;  // what a relaxed store hands over since the last release fence
  };
  struct location_state {
    value current = 0;
    event_set message;                // what the newest store hands over
    std::vector<std::size_t> stores;  // the modification order
    std::vector<access> accesses;
  };
  struct state {
    explicit state(const litmus::program& p)
        : threads(p.threads.size()), locations(p.locations.size()) {}
    std::vector<thread_state> threads;
    std::vector<location_state> locations;
    std::map<std::size_t, std::size_t> sources;
    bool raced = false;
  };

  static bool acquires(order o) { return o == order::acq || o == order::ar || o == order::sc; }
  static bool releases(order o) { return o == order::rel || o == order::ar || o == order::sc; }
  static void join(event_set& into, const event_set& from) {
    into.insert(from.begin(), from.end());
  }

  void step(const state& s) {
    bool done = true;
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      const std::size_t next = s.threads[t].next;
      if (next == program_.threads[t].size()) continue;
      done = false;
      state after = s;
      execute(after, t, program_.threads[t][next]);
      ++after.threads[t].next;
      step(after);
    }
    if (done) record(s);
  }

  static void execute(state& s, std::size_t t, const litmus::operation& op) {
    thread_state& self = s.threads[t];
    const auto evaluate = [&](const litmus::operand& o) {
      return o.reg ? self.regs[*o.reg] : o.literal;
    };
    const auto argument = evaluate(op.argument);
    const auto expected = evaluate(op.expected);
    const bool runs =
        argument && expected && (!op.only_if || self.regs[op.only_if->reg] == op.only_if->equals);
    if (op.result) self.regs.push_back(std::nullopt);
    if (!runs) return;
    const std::size_t event = 1 + t * 100 + self.next;  // 0 is the initial store
    if (op.what == kind::fence) {
      if (acquires(op.success)) join(self.known, self.pending);
      if (releases(op.success)) self.released = self.known;
      return;
    }
    location_state& at = s.locations[op.location];
    const bool fails = op.what == kind::compare_exchange && at.current != *expected;
    const bool writes = op.what != kind::load && !fails;
    const order as = fails ? op.failure : op.success;
    if (op.result) {
      self.regs.back() = at.current;
      s.sources[event] = at.stores.empty() ? 0 : at.stores.back();
      join(acquires(as) ? self.known : self.pending, at.message);
    }
    for (const access& a : at.accesses) {
      const bool conflict = as == order::na && a.thread != t && (a.writes || writes);
      s.raced |= conflict && !self.known.contains(a.event);
    }
    at.accesses.push_back({event, t, writes});
    self.known.insert(event);
    if (!writes) return;
    at.current = op.what == kind::fetch_add ? at.current + *argument : *argument;
    at.stores.push_back(event);
    if (op.what == kind::store) at.message.clear();  // an RMW continues the release sequence
    if (as != order::na) join(at.message, releases(as) ? self.known : self.released);
  }

  void record(const state& s) {
    std::vector<std::vector<std::size_t>> mo;
    litmus::outcome o;
    for (const auto& t : s.threads) o.insert(o.end(), t.regs.begin(), t.regs.end());
    for (const auto& l : s.locations) {
      o.emplace_back(l.current);
      mo.push_back(l.stores);
    }
    graphs_.insert({s.sources, mo});
    result_.outcomes.insert(o);
    result_.data_race |= s.raced;
  }

  const litmus::program& program_;
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
        op.success = op.failure = order::sc;
      }
    }
    EXPECT_EQ(litmus::difference(p, enumerate(p, memory::sc), enumerate(p, memory::rc11)), "")
        << to_string(p);
  }
}

TEST(oracle, a_stronger_order_never_adds_a_graph) {
  for (std::uint64_t seed = 0; seed < random_programs() / 3; ++seed) {
    const auto p = litmus::random_program(seed);
    const auto weak = enumerate(p, memory::rc11);
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
      for (std::size_t i = 0; i < p.threads[t].size(); ++i) {
        auto stronger = p;
        auto& op = stronger.threads[t][i];
        if (op.success == order::na) continue;
        op.success = op.failure = order::sc;
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
