#include "explore/litmus_runner.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "explore/litmus_generator.hpp"
#include "explore/litmus_table.hpp"
#include "explore/oracle.hpp"

namespace racewheel::litmus {
namespace {

/// Thousands on request: RACEWHEEL_LITMUS_PROGRAMS=5000 RACEWHEEL_LITMUS_SEED=1
/// ./litmus_runner_test
std::uint64_t from_environment(const char* name, std::uint64_t fallback) {
  const char* const asked = std::getenv(name);
  return asked == nullptr ? fallback : std::strtoull(asked, nullptr, 10);
}

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
  const std::uint64_t first = from_environment("RACEWHEEL_LITMUS_SEED", 1);
  const std::uint64_t count = from_environment("RACEWHEEL_LITMUS_PROGRAMS", 300);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const program p = random_program(seed);
    for (const memory m : {memory::sc, memory::rc11}) {
      const run_result r = run(p, m);
      EXPECT_EQ(r.bound, "");
      EXPECT_EQ(difference(p, oracle::enumerate(p, m), r.seen), "")
          << "seed " << seed << ": racewheel litmus '" << to_string(p) << "' --memory "
          << to_string(m);
    }
  }
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
