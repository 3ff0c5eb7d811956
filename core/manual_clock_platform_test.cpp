#include "core/manual_clock_platform.hpp"

#include <gtest/gtest.h>

#include "core/counting_platform.hpp"

namespace racewheel {
namespace {

using std::chrono::milliseconds;
static_assert(platform<manual_clock<counting_platform>>, "composes with any platform");

class manual_clock_platform_test : public testing::Test {
 protected:
  manual_clock_platform_test() { manual_time::reset(); }
};

TEST_F(manual_clock_platform_test, time_stands_still_until_it_is_moved) {
  EXPECT_EQ(manual_clock_platform::now(), milliseconds(0));
  manual_time::advance(milliseconds(5));
  EXPECT_EQ(manual_clock_platform::now(), milliseconds(5));
  manual_time::set_now(milliseconds(7));
  EXPECT_EQ(manual_clock_platform::now(), milliseconds(7));
  manual_time::advance(never);
  EXPECT_EQ(manual_clock_platform::now(), never) << "saturates instead of wrapping";
}

TEST_F(manual_clock_platform_test, time_does_not_go_back) {
  manual_time::set_now(milliseconds(7));
  EXPECT_THROW(manual_time::set_now(milliseconds(6)), std::invalid_argument);
  EXPECT_EQ(manual_clock_platform::now(), milliseconds(7));
}

TEST_F(manual_clock_platform_test, a_wait_ends_exactly_at_its_deadline) {
  manual_clock_platform::event e;
  std::atomic<bool> done{false};
  std::thread t([&] {
    EXPECT_FALSE(e.wait_until(milliseconds(10)));
    done.store(true, std::memory_order::release);
  });
  ASSERT_TRUE(manual_time::wait_until_parked());
  EXPECT_EQ(manual_time::next_deadline(), milliseconds(10));
  manual_time::set_now(milliseconds(10) - time_point(1));
  EXPECT_EQ(manual_time::parked(), 1u) << "one nanosecond early";
  EXPECT_FALSE(done.load(std::memory_order::acquire));
  manual_time::set_now(milliseconds(10));
  EXPECT_EQ(manual_time::parked(), 0u);
  t.join();
  EXPECT_EQ(manual_time::next_deadline(), never);
}

TEST_F(manual_clock_platform_test, a_signal_ends_a_wait_and_is_not_lost_before_it) {
  manual_clock_platform::event e;
  std::thread t([&] { EXPECT_TRUE(e.wait_until(milliseconds(10))); });
  ASSERT_TRUE(manual_time::wait_until_parked());
  e.signal();
  t.join();
  e.signal();
  EXPECT_TRUE(e.wait_until(never));
  EXPECT_FALSE(e.wait_until(milliseconds(0))) << "a signal is good for one wait";
}

TEST_F(manual_clock_platform_test, a_wait_for_never_is_woken_by_a_signal_only) {
  manual_clock_platform::event e;
  std::thread t([&] { e.wait(); });
  ASSERT_TRUE(manual_time::wait_until_parked());
  manual_time::advance(never);
  EXPECT_EQ(manual_time::parked(), 1u);
  e.signal();
  t.join();
}

TEST_F(manual_clock_platform_test, waiters_on_several_events_wake_in_their_own_time) {
  manual_clock_platform::event early;
  manual_clock_platform::event late;
  std::thread t1([&] { EXPECT_FALSE(early.wait_until(milliseconds(10))); });
  std::thread t2([&] { EXPECT_FALSE(late.wait_until(milliseconds(20))); });
  ASSERT_TRUE(manual_time::wait_until_parked(2));
  EXPECT_THROW(manual_time::reset(), std::logic_error);
  manual_time::set_now(milliseconds(10));
  t1.join();
  EXPECT_EQ(manual_time::next_deadline(), milliseconds(20));
  manual_time::set_now(milliseconds(20));
  t2.join();
}

}  // namespace
}  // namespace racewheel
