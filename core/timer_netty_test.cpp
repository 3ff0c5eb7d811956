// Netty's own tests of HashedWheelTimer, by number, on virtual time and on both wheels; 1, 2 and 6
// on real time as well.
#include <gtest/gtest.h>

#include <latch>
#include <set>

#include "core/timer_test_kit.hpp"
#include "queues/wheel_timer.hpp"

namespace racewheel {
namespace {

template <class Tested>
class netty : public testing::Test {
 protected:
  using config = typename Tested::template config<>;
  using virtual_type = virtual_timer<config>;
  using handle = typename virtual_type::handle;
  using real_type = timer<config>;

  static timer_options ticks(std::chrono::nanoseconds tick, std::size_t slots = 512,
                             std::uint32_t limit = 0) {
    timer_options o;
    o.tick = tick;
    o.slots = slots;
    o.max_pending = limit;
    return o;
  }
};
TYPED_TEST_SUITE(netty, both_wheels<default_backend>, wheel_names);

TYPED_TEST(netty, test_1_a_task_does_not_run_before_its_delay) {
  typename TestFixture::virtual_type t(this->ticks(100ms));
  bool ran = false;
  const auto kept = t.schedule(10s, [&] { ran = true; });
  t.run_for(10s - 1ns);
  EXPECT_FALSE(ran);
  EXPECT_FALSE(kept.is_expired());
  EXPECT_EQ(t.stop().size(), 1u);
}

TYPED_TEST(netty, test_2_a_task_runs_after_its_delay) {
  typename TestFixture::virtual_type t(this->ticks(100ms));
  bool ran = false;
  const auto kept = t.schedule(2s, [&] { ran = true; });
  t.run_for(2s + 100ms);
  EXPECT_TRUE(ran);
  EXPECT_TRUE(kept.is_expired());
}

TYPED_TEST(netty, tests_1_and_2_on_real_time) {
  typename TestFixture::real_type t(this->ticks(5ms));
  std::latch ran(1);
  time_point at{};
  const time_point begun = std_platform::now();
  const auto soon = t.schedule(30ms, [&] {
    at = std_platform::now();
    ran.count_down();
  });
  const auto late = t.schedule(1h, [] { ADD_FAILURE() << "an hour early"; });
  ran.wait();
  EXPECT_GE(at - begun, 30ms);
  EXPECT_LT(at - begun, 10s);
  EXPECT_TRUE(soon.is_expired());
  EXPECT_EQ(t.stop(), std::vector{late});
}

TYPED_TEST(netty, test_3_stop_returns_an_empty_or_a_non_empty_set) {
  typename TestFixture::virtual_type finished(this->ticks(100ms));
  for (int i = 0; i < 3; ++i) (void)finished.schedule(1ms, [] {});
  finished.run_for(200ms);
  EXPECT_TRUE(finished.stop().empty());
  typename TestFixture::virtual_type unfinished(this->ticks(100ms));
  for (int i = 0; i < 5; ++i) (void)unfinished.schedule(5s, [] {});
  unfinished.run_for(1s);
  EXPECT_EQ(unfinished.stop().size(), 5u);
}

TYPED_TEST(netty, test_4_schedule_after_stop_fails) {
  typename TestFixture::virtual_type t(this->ticks(100ms));
  for (int i = 0; i < 3; ++i) (void)t.schedule(1ms, [] {});
  (void)t.stop();
  EXPECT_THROW((void)t.schedule(1ms, [] {}), rejected);
  EXPECT_EQ(t.pending(), 0u);
}

TYPED_TEST(netty, test_5_a_small_wheel_overflows_with_a_task_that_re_arms_itself) {
  typename TestFixture::virtual_type t(this->ticks(100ms, 32));
  int runs = 0;
  std::function<void()> again = [&] {
    ++runs;
    (void)t.schedule(100ms, again);
  };
  (void)t.schedule(100ms, again);
  t.run_for(60s);
  // A wheel adds up to one tick to each period, the heap nothing.
  EXPECT_EQ(runs, timer_core<typename TestFixture::config>::tickless ? 600 : 300);
  EXPECT_EQ(t.pending(), 1u);
}

TYPED_TEST(netty, test_6_a_hundred_thousand_tasks_run_on_time) {
  typename TestFixture::virtual_type t(this->ticks(200ms));
  int runs = 0;
  for (int i = 0; i < 100'000; ++i) {
    const time_point begun = t.elapsed();
    (void)t.schedule(125ms, [&t, &runs, begun] {
      ++runs;
      EXPECT_GE(t.elapsed() - begun, 125ms);
      EXPECT_LT(t.elapsed() - begun, 650ms);
    });
    if (i % 100 == 0) t.run_for(1ms);
  }
  t.run_for(1s);
  EXPECT_EQ(runs, 100'000);
}

TYPED_TEST(netty, test_6_on_real_time) {
  typename TestFixture::real_type t(this->ticks(200ms));
  constexpr std::size_t tasks = 100'000;
  std::vector<time_point> delays(tasks, time_point(-1));  // written by the worker alone
  for (std::size_t id = 0; id < tasks; ++id) {
    const time_point begun = std_platform::now();
    (void)t.schedule(125ms, [&, id, begun] {
      EXPECT_EQ(delays[id], time_point(-1)) << "twice";
      delays[id] = std_platform::now() - begun;
    });
  }
  EXPECT_TRUE(eventually([&] { return t.pending() == 0; }));
  EXPECT_TRUE(t.stop().empty());
  for (const time_point delay : delays) {
    ASSERT_GE(delay, 125ms) << "exact: never early";
    ASSERT_LT(delay, 650ms + 10s) << "lax: a busy machine may be late";
  }
}

TYPED_TEST(netty, test_7_a_custom_executor_is_used) {
  timer_options o = this->ticks(100ms);
  std::vector<expired_task> received;
  o.run_on = [&](expired_task task) { received.push_back(std::move(task)); };
  typename TestFixture::virtual_type t(o);
  int runs = 0;
  for (int i = 0; i < 3; ++i) (void)t.schedule(1ms, [&] { ++runs; });
  t.run_for(200ms);
  EXPECT_EQ(received.size(), 3u);
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(t.pending(), 0u) << "handed over is no longer pending";
  for (expired_task& task : received) task();
  EXPECT_EQ(runs, 3);
}

TYPED_TEST(netty, test_8_the_third_over_a_limit_of_two_is_rejected) {
  typename TestFixture::virtual_type t(this->ticks(100ms, 512, 2));
  (void)t.schedule(5s, [] {});
  (void)t.schedule(5s, [] {});
  try {
    (void)t.schedule(1ms, [] {});
    FAIL() << "accepted";
  } catch (const rejected& e) {
    EXPECT_EQ(e.why(), rejection::too_many_pending);
    EXPECT_STREQ(e.what(), "rejected: max_pending timeouts are pending");
  }
  EXPECT_EQ(t.pending(), 2u);
}

TYPED_TEST(netty, test_9_accepted_again_after_a_cancel_was_processed) {
  typename TestFixture::virtual_type t(this->ticks(100ms, 512, 2));
  auto first = t.schedule(5s, [] {});
  (void)t.schedule(5s, [] {});
  t.run_for(100ms);
  EXPECT_TRUE(first.cancel());
  EXPECT_THROW((void)t.schedule(1ms, [] {}), rejected) << "not processed yet";
  t.jump_for(100ms);
  EXPECT_NO_THROW((void)t.schedule(1ms, [] {}));
}

TYPED_TEST(netty, test_10_accepted_at_once_after_an_execution) {
  typename TestFixture::virtual_type t(this->ticks(100ms, 512, 2));
  (void)t.schedule(5s, [] {});
  bool accepted = false;
  (void)t.schedule(90ms, [&] { accepted = bool(t.try_schedule(1s, [] {}).timeout); });
  t.run_for(200ms);
  EXPECT_TRUE(accepted) << "already while the task ran";
  EXPECT_EQ(t.pending(), 2u);
}

TYPED_TEST(netty, test_11_pending_goes_from_three_to_zero) {
  typename TestFixture::virtual_type t(this->ticks(100ms));
  auto first = t.schedule(5s, [] {});
  auto second = t.schedule(5s, [] {});
  (void)t.schedule(90ms, [] {});
  EXPECT_EQ(t.pending(), 3u);
  EXPECT_TRUE(first.cancel());
  EXPECT_TRUE(second.cancel());
  t.run_for(200ms);
  EXPECT_EQ(t.pending(), 0u);
}

TYPED_TEST(netty, test_12_a_maximal_delay_never_fires) {
  typename TestFixture::virtual_type t(this->ticks(100ms));
  t.run_for(1s);
  auto endless = t.schedule(std::chrono::nanoseconds::max(), [] { FAIL() << "never came"; });
  t.run_for(1h);
  EXPECT_FALSE(endless.is_expired());
  EXPECT_TRUE(endless.cancel());
}

TYPED_TEST(netty, test_13_what_stop_returns_is_cancelled) {
  typename TestFixture::virtual_type t(this->ticks(100ms));
  for (int i = 0; i < 3; ++i) (void)t.schedule(5s, [] { FAIL() << "must not run"; });
  auto cancelled = t.schedule(5s, [] { FAIL() << "must not run"; });
  EXPECT_TRUE(cancelled.cancel());
  const auto returned = t.stop();
  EXPECT_EQ(returned.size(), 3u);
  for (const auto& h : returned) EXPECT_TRUE(h.is_cancelled());
}

TYPED_TEST(netty, test_14_the_on_cancel_callback_is_called) {
  struct notified {
    int* called;
    void operator()() const { FAIL() << "must not run"; }
    void on_cancel() const { ++*called; }
  };
  typename TestFixture::virtual_type t(this->ticks(100ms));
  int called = 0;
  auto member = t.schedule(5s, notified{&called});
  auto pair = t.schedule(5s, task_with_cancel{[] { FAIL(); }, [&] { called += 10; }});
  t.run_for(100ms);
  EXPECT_TRUE(member.cancel() && pair.cancel());
  EXPECT_EQ(called, 0) << "the worker calls it";
  t.jump_for(100ms);
  EXPECT_EQ(called, 11);
  EXPECT_FALSE(member.cancel());
  t.jump_for(100ms);
  EXPECT_EQ(called, 11) << "once";
}

TYPED_TEST(netty, test_15_ten_cancels_while_the_worker_is_inside_expire_leave_nothing_pending) {
  for (const auto order :
       {turn_order::cancel_transfer_expire, turn_order::transfer_expire_cancel}) {
    timer_options o = this->ticks(100ms);
    o.order = order;
    typename TestFixture::virtual_type t(o);
    std::vector<typename TestFixture::handle> victims;
    for (int i = 0; i < 5; ++i) victims.push_back(t.schedule(10s, [] { FAIL(); }));
    (void)t.schedule(10ms, [&] {
      on_threads(2, [&](std::size_t half) {
        for (std::size_t i = half; i < victims.size(); i += 2) EXPECT_TRUE(victims[i].cancel());
      });
    });
    // Due in the same tick as the task that cancels them.
    for (int i = 0; i < 5; ++i) victims.push_back(t.schedule(10ms, [] { FAIL(); }));
    t.run_for(300ms);
    EXPECT_EQ(t.pending(), 0u);
    EXPECT_TRUE(t.stop().empty());
  }
}

}  // namespace
}  // namespace racewheel
