#include "explore/litmus_runner.hpp"

#include <gtest/gtest.h>

#include "explore/litmus_comparison.hpp"
#include "explore/litmus_table.hpp"
#include "explore/oracle.hpp"
#include "explore/sanitized.hpp"

namespace racewheel::litmus {
namespace {

TEST(litmus_runner, counts_every_row_of_the_table_exactly) {
  for (const table_row& row : table()) {
    for (const memory m : {memory::sc, memory::rc11}) {
      const run_result r = run(row.code, m);
      EXPECT_EQ(r.bound, "") << row.name;
      EXPECT_EQ(difference(row.code, row.expected(m), r.seen), "")
          << "racewheel litmus '" << row.text << "' --memory " << to_string(m);
    }
  }
}

TEST(litmus_runner, agrees_with_the_oracle_on_random_programs) {
  const std::uint64_t programs = explore::is_sanitized ? 100 : 500;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    for (const memory m : {memory::sc, memory::rc11}) {
      const comparison c = compare_random(
          seed, m, [](const program& p, memory as) { return oracle::enumerate(p, as); });
      EXPECT_EQ(c.difference, "") << to_string(c.code) << "\n" << c.replay;
    }
  }
}

TEST(litmus_runner, a_judge_who_says_something_else_is_heard) {
  const auto complaint = [](void (*spoil)(result&)) {
    const comparison c = compare_random(7, memory::rc11, [&](const program& p, memory m) {
      result r = oracle::enumerate(p, m);
      spoil(r);
      return r;
    });
    EXPECT_EQ(c.replay, "racewheel litmus --random 1 --seed 7 --memory rc11");
    return c.difference;
  };
  EXPECT_EQ(complaint([](result&) {}), "");
  EXPECT_NE(complaint([](result& r) { ++r.graphs; }), "");
  EXPECT_NE(complaint([](result& r) { r.outcomes.erase(r.outcomes.begin()); }), "");
  EXPECT_NE(complaint([](result& r) { r.data_race = !r.data_race; }), "");
}

TEST(litmus_runner, a_race_is_told_by_its_two_accesses) {
  const program p = parse("W x 1 na; W y 1 rlx | R y rlx; ?r0=1 R x na");
  const std::string race = describe_race(p, memory::rc11);
  EXPECT_NE(race.find("W x 1 na"), std::string::npos) << race;
  EXPECT_NE(race.find("R x na"), std::string::npos) << race;
  EXPECT_EQ(describe_race(parse("W x 1 na; W y 1 rel | R y acq; ?r0=1 R x na"), memory::rc11), "");
}

TEST(litmus_runner, says_so_when_time_runs_out) {
  const program p = parse(
      "R x rlx; W x 1 rlx; R x rlx; W x 2 rlx | R x rlx; W x 3 rlx; R x rlx; W x 4 rlx | "
      "R x rlx; W x 5 rlx; R x rlx; W x 6 rlx | R x rlx; W x 7 rlx; R x rlx; W x 8 rlx");
  EXPECT_NE(run(p, memory::rc11, {.seconds = 0.01}).bound, "");
}

TEST(litmus_runner, refuses_a_strategy_that_does_not_exist) {
  EXPECT_THROW((void)run(parse("F sc"), memory::sc, {.strategy = "guessing"}),
               std::invalid_argument);
}

}  // namespace
}  // namespace racewheel::litmus
