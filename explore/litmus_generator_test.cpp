#include "explore/litmus_generator.hpp"

#include <gtest/gtest.h>

#include <set>

namespace racewheel::litmus {
namespace {

TEST(litmus_generator, one_seed_is_one_program_and_prints_as_a_line_that_parses) {
  std::set<std::string> texts;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::string text = to_string(random_program(seed));
    EXPECT_EQ(text, to_string(random_program(seed)));
    EXPECT_EQ(text, to_string(parse(text)));
    texts.insert(text);
  }
  EXPECT_GT(texts.size(), 950U) << "seeds repeat programs";
}

TEST(litmus_generator, stays_within_its_limits) {
  const generator_limits limits{
      .min_threads = 2, .max_threads = 4, .max_operations = 2, .max_locations = 2};
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const program p = random_program(seed, limits);
    EXPECT_GE(p.threads.size(), 2U);
    EXPECT_LE(p.threads.size(), 4U);
    EXPECT_LE(p.locations.size(), 2U);
    for (const auto& thread : p.threads) EXPECT_LE(thread.size(), 2U);
  }
}

TEST(litmus_generator, uses_every_kind_with_every_order_it_may_have) {
  std::set<std::string> seen;
  bool condition_seen = false;
  bool register_seen = false;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const program p = random_program(seed);
    for (const auto& thread : p.threads) {
      for (const operation& op : thread) {
        operation bare = op;  // kind and orders only
        bare.only_if.reset();
        bare.argument = bare.expected = {};
        program one{{"x"}, {}};
        bare.location = 0;
        seen.insert(to_string(bare, one));
        condition_seen |= op.only_if.has_value();
        register_seen |= op.argument.reg.has_value();
      }
    }
  }
  // W and R 4 each, X and U 5 each, C 5 x 3, F all but rlx, which does nothing.
  EXPECT_EQ(seen.size(), 4U + 4U + 5U + 5U + 15U + 4U);
  EXPECT_TRUE(condition_seen);
  EXPECT_TRUE(register_seen);
}

}  // namespace
}  // namespace racewheel::litmus
