// A program of its own, because the warning comes once per process.
#include <gtest/gtest.h>

#include <deque>

#include "core/timer_test_kit.hpp"
#include "queues/wheel_timer.hpp"

namespace racewheel {
namespace {

TEST(timer_census, the_65th_timer_alive_warns_once_per_process) {
  problem_log log;
  timer_options o;
  o.on_problem = log.handler();
  for (int i = 0; i < 100; ++i) const wheel_timer short_lived(o);
  EXPECT_EQ(log.count(timer_problem::many_timers), 0u) << "one after the other is fine";
  std::deque<wheel_timer> alive;
  for (int i = 0; i < 64; ++i) alive.emplace_back(o);
  EXPECT_EQ(log.count(timer_problem::many_timers), 0u);
  alive.emplace_back(o);
  EXPECT_EQ(log.count(timer_problem::many_timers), 1u);
  alive.emplace_back(o);
  alive.clear();
  for (int i = 0; i < 70; ++i) alive.emplace_back(o);
  EXPECT_EQ(log.count(timer_problem::many_timers), 1u) << "once";
}

}  // namespace
}  // namespace racewheel
