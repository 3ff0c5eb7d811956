// The observer that counts, driven turn by turn on virtual time.
#include "core/metrics_observer.hpp"

#include <numeric>
#include <utility>

#include "core/backend.hpp"
#include "core/manual_clock_platform.hpp"
#include "core/timer_test_kit.hpp"
#include "queues/mpsc_array_queue.hpp"

namespace racewheel {
namespace {

using observed_core = timer_core<
    timer_config<wheel_kind<hashed_wheel>, backend<mpsc_array_queue, mpsc_array_recipe>,
                 manual_clock_platform, timer_recipe, metrics_observer<manual_clock_platform>>>;

class metrics : public testing::Test {
 protected:
  metrics() {
    manual_time::reset(1h);
    core_.begin(1h);
  }
  ~metrics() override { (void)finish(); }

  /// What stop() would return.
  std::size_t finish() {
    if (std::exchange(finished_, true)) return 0;
    core_.close();
    auto left = core_.finish();
    std::size_t count = 0;
    while (auto* const timeout = left.pop()) {
      (void)observed_core::handle::adopt(timeout);
      ++count;
    }
    return count;
  }

  auto schedule(std::chrono::nanoseconds delay) {
    return core_.schedule(manual_time::now(), delay, [] {}, [] {});
  }
  void turn_at(std::chrono::nanoseconds since_start) {
    manual_time::set_now(1h + since_start);
    (void)core_.turn(1h + since_start);
  }
  [[nodiscard]] timer_metrics now() { return core_.observed().snapshot(); }

  bool finished_ = false;
  bool executor_refuses_ = false;
  observed_core core_{timer_options{.tick = 1ms,
                                    .slots = 8,
                                    .max_pending = 3,
                                    .run_on =
                                        [this](expired_task task) {
                                          if (executor_refuses_) throw std::runtime_error("full");
                                          task();
                                        },
                                    .on_problem = [](timer_problem, std::exception_ptr) {}}};
};

TEST_F(metrics, count_each_fate_once) {
  const auto fires = schedule(1ms);
  auto cancelled = schedule(2ms);
  const auto refused = schedule(4ms);
  EXPECT_FALSE(schedule(1ms).timeout) << "max_pending";
  EXPECT_EQ(now().rejected, 1u);
  EXPECT_EQ(now().scheduled, 0u) << "still in the queue";

  turn_at(0ms);
  EXPECT_EQ(now().scheduled, 3u);
  EXPECT_EQ(now().pending(), 3u);
  EXPECT_TRUE(cancelled.timeout.cancel());
  turn_at(2ms);
  EXPECT_EQ(now().fired, 1u);
  EXPECT_EQ(now().cancelled, 1u);
  EXPECT_EQ(now().pending(), 1u);
  executor_refuses_ = true;
  turn_at(5ms);
  EXPECT_EQ(now().refused, 1u);
  EXPECT_EQ(now().fired, 1u);
  EXPECT_EQ(now().pending(), 0u);
}

TEST_F(metrics, count_what_stop_returns) {
  const auto left = schedule(1h);
  turn_at(0ms);
  EXPECT_EQ(finish(), 1u);
  EXPECT_EQ(now().returned, 1u);
  EXPECT_EQ(now().pending(), 0u);
}

TEST_F(metrics, know_how_many_timeouts_each_slot_holds) {
  auto first = schedule(3ms);
  const auto second = schedule(11ms);  // a rotation later, the same slot
  const auto third = schedule(4ms);
  turn_at(0ms);
  auto slots = now().per_slot;
  ASSERT_EQ(slots.size(), 8u);
  EXPECT_EQ(std::accumulate(slots.begin(), slots.end(), 0u), 3u);
  EXPECT_EQ(std::ranges::count(slots, 2u), 1);
  EXPECT_EQ(std::ranges::count(slots, 1u), 1);
  EXPECT_TRUE(first.timeout.cancel());
  turn_at(1ms);
  slots = now().per_slot;
  EXPECT_EQ(std::ranges::count(slots, 1u), 2);
  EXPECT_EQ(std::ranges::count(slots, 0u), 6);
}

TEST_F(metrics, count_ticks_and_those_that_were_missed) {
  turn_at(1ms);
  const auto before = now();
  turn_at(2ms);
  EXPECT_EQ(now().ticks, before.ticks + 1);
  EXPECT_EQ(now().missed_ticks, before.missed_ticks);
  turn_at(7ms);
  EXPECT_EQ(now().ticks, before.ticks + 6);
  EXPECT_EQ(now().missed_ticks, before.missed_ticks + 4);
  EXPECT_EQ(now().turns, before.turns + 2);
}

TEST_F(metrics, tell_lateness_within_a_bin) {
  EXPECT_EQ(now().lateness_quantile_ns(0.5), 0);
  const auto on_time = schedule(2ms);
  const auto late = schedule(3ms);
  turn_at(0ms);
  turn_at(103ms);  // 101 ms and 100 ms late
  const auto seen = now();
  EXPECT_EQ(seen.fired, 2u);
  for (const double q : {0.5, 0.99}) {
    EXPECT_GE(seen.lateness_quantile_ns(q), 100e6) << q;
    EXPECT_LE(seen.lateness_quantile_ns(q), 101e6 * 1.2) << q;
  }
}

}  // namespace
}  // namespace racewheel
