#include "core/timer_options.hpp"

#include <gtest/gtest.h>

namespace racewheel {
namespace {

using namespace std::chrono_literals;

template <class Change>
std::string refusal_of(Change change) {
  timer_options o;
  change(o);
  try {
    (void)validated(o);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "accepted";
}

TEST(timer_options, defaults_are_nettys) {
  const timer_options o = validated({});
  EXPECT_EQ(o.tick, 100ms);
  EXPECT_EQ(o.slots, 512u);
  EXPECT_EQ(o.max_pending, 0u);
  EXPECT_EQ(o.max_transfers_per_turn, 100'000u);
  EXPECT_NE(o.run_on.target<inline_executor>(), nullptr);
}

TEST(timer_options, slots_round_up_to_a_power_of_two) {
  for (const auto& [given, rounded] : std::initializer_list<std::pair<std::size_t, std::size_t>>{
           {1, 1}, {2, 2}, {3, 4}, {500, 512}, {513, 1024}, {most_slots, most_slots}}) {
    timer_options o;
    o.slots = given;
    o.tick = 1ms;
    EXPECT_EQ(validated(o).slots, rounded);
  }
}

TEST(timer_options, a_tick_below_a_microsecond_is_refused) {
  const auto with = [](std::chrono::nanoseconds tick) {
    return refusal_of([=](timer_options& o) { o.tick = tick; });
  };
  EXPECT_EQ(with(0ns), "timer_options.tick = 0 ns: must be at least 1000 ns");
  EXPECT_EQ(with(-5ms), "timer_options.tick = -5000000 ns: must be at least 1000 ns");
  EXPECT_EQ(with(999ns), "timer_options.tick = 999 ns: must be at least 1000 ns");
  EXPECT_EQ(with(1us), "accepted");
}

TEST(timer_options, slots_must_be_one_to_two_to_the_thirty) {
  const auto with = [](std::size_t slots) {
    return refusal_of([=](timer_options& o) { o.slots = slots; });
  };
  EXPECT_EQ(with(0), "timer_options.slots = 0: must be 1 to 1073741824 (2^30)");
  EXPECT_EQ(with(most_slots + 1),
            "timer_options.slots = 1073741825: must be 1 to 1073741824 (2^30)");
  EXPECT_EQ(with(1), "accepted");
}

TEST(timer_options, a_period_beyond_the_clock_is_refused) {
  const auto with = [](std::chrono::nanoseconds tick) {
    return refusal_of([=](timer_options& o) { o.tick = tick; });
  };
  EXPECT_EQ(with(never / 512), "accepted");
  EXPECT_EQ(with(never / 512 + 1ns),
            "timer_options.tick = 18014398509481984 ns: times 512 slots is beyond the clock's "
            "range");
  EXPECT_EQ(refusal_of([](timer_options& o) {
              o.tick = never / 500;
              o.slots = 500;
            }),
            "timer_options.tick = 18446744073709551 ns: times 512 slots is beyond the clock's "
            "range")
      << "the rounded number of slots counts";
}

TEST(timer_options, counts_and_durations_out_of_range_are_refused) {
  EXPECT_EQ(refusal_of([](timer_options& o) { o.max_pending = most_pending + 1; }),
            "timer_options.max_pending = 2147483648: must be 0 (no limit) to 2147483647");
  EXPECT_EQ(refusal_of([](timer_options& o) { o.max_pending = most_pending; }), "accepted");
  EXPECT_EQ(refusal_of([](timer_options& o) { o.max_transfers_per_turn = 0; }),
            "timer_options.max_transfers_per_turn = 0: must be at least 1");
  EXPECT_EQ(refusal_of([](timer_options& o) { o.max_cancels_per_turn = 0; }),
            "timer_options.max_cancels_per_turn = 0: must be at least 1");
  EXPECT_EQ(refusal_of([](timer_options& o) { o.spin = -1ns; }),
            "timer_options.spin = -1 ns: must not be negative");
  EXPECT_EQ(refusal_of([](timer_options& o) { o.housekeeping = 0ns; }),
            "timer_options.housekeeping = 0 ns: must be positive");
}

TEST(timer_options, empty_callables_are_refused) {
  EXPECT_EQ(refusal_of([](timer_options& o) { o.run_on = nullptr; }),
            "timer_options.run_on = empty: must be callable");
  EXPECT_EQ(refusal_of([](timer_options& o) { o.on_problem = nullptr; }),
            "timer_options.on_problem = empty: must be callable");
}

}  // namespace
}  // namespace racewheel
