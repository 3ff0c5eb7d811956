// The invariants that every timer keeps, by name, on virtual time and on one thread. The suite is
// instantiated once per backend, for both wheels.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "core/counting_platform.hpp"
#include "core/timer_test_kit.hpp"

namespace racewheel {

template <class Tested>
class timer_invariants : public testing::Test {
 protected:
  using backend = typename Tested::backend;
  using config = typename Tested::template config<>;
  using observed_config = typename Tested::template config<std_platform, counting_observer>;
  using counted_config = typename Tested::template config<counting_platform, counting_observer>;
  using virtual_type = virtual_timer<observed_config>;
  static constexpr bool tickless = timer_core<config>::tickless;
  static constexpr auto both_orders = {turn_order::cancel_transfer_expire,
                                       turn_order::transfer_expire_cancel};

  [[nodiscard]] timer_options options(turn_order order = turn_order::cancel_transfer_expire) {
    timer_options o;
    o.tick = 1ms;
    o.slots = 32;
    o.order = order;
    o.queue_capacity = 4096;
    o.on_problem = log_.handler();
    return o;
  }

  problem_log log_;
};
TYPED_TEST_SUITE_P(timer_invariants);

/// The same random life on virtual time, with a model of what must be pending.
template <class Timer>
void live_randomly(Timer& t, fate_ledger& ledger, std::uint32_t seed,
                   std::vector<typename Timer::handle>& handles) {
  std::mt19937 random(seed);
  const auto pick = [&](int below) {
    return std::uniform_int_distribution<>(0, below - 1)(random);
  };
  for (std::size_t id = 0; id < ledger.size(); ++id) {
    const auto delay = std::chrono::microseconds(pick(90'000) - 5'000);
    const time_point deadline = t.elapsed() + std::max<time_point>(delay, 0ns);
    handles.push_back(t.schedule(delay, [&t, &ledger, id, deadline] {
      ledger.enter(id, fate_ledger::fired);
      EXPECT_GE(t.elapsed(), deadline) << "early";
    }));
    ledger.enter(id, fate_ledger::accepted);
    if (const auto aim = static_cast<std::size_t>(pick(40)); pick(3) == 0 && aim <= id) {
      if (handles[id - aim].cancel()) ledger.enter(id - aim, fate_ledger::cancelled);
    }
    if (pick(8) != 0) continue;
    if (pick(2) == 0) {
      t.run_for(std::chrono::microseconds(pick(3000)));
    } else {
      t.jump_for(std::chrono::microseconds(pick(3000)));
    }
    const std::size_t ended =
        ledger.total(fate_ledger::fired) + ledger.total(fate_ledger::cancelled);
    EXPECT_EQ(t.pending(), id + 1 - ended) << "exact after each turn";
  }
}

/// Books what stop() returned, by id.
template <class Handle>
void book_returned(const std::vector<Handle>& returned, const std::vector<Handle>& handles,
                   fate_ledger& ledger) {
  std::vector<std::size_t> open;
  for (std::size_t id = 0; id < handles.size(); ++id) {
    if (!handles[id]) continue;
    if (ledger.has(id, fate_ledger::fired) || ledger.has(id, fate_ledger::cancelled)) continue;
    open.push_back(id);
  }
  for (const Handle& r : returned) {
    EXPECT_TRUE(r.is_cancelled()) << "stop() cancels what it returns";
    const auto found = std::ranges::find_if(open, [&](std::size_t id) { return handles[id] == r; });
    ASSERT_NE(found, open.end()) << "returned, and yet it had fired or been cancelled";
    ledger.enter(*found, fate_ledger::returned);
  }
}

TYPED_TEST_P(timer_invariants, exactly_once_and_exact_count_and_never_early_on_random_lives) {
  for (const turn_order order : this->both_orders) {
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      fate_ledger ledger(800);
      std::vector<typename TestFixture::virtual_type::handle> handles;
      typename TestFixture::virtual_type t(this->options(order));
      live_randomly(t, ledger, seed, handles);
      book_returned(t.stop(), handles, ledger);
      EXPECT_TRUE(ledger.each_ended_exactly_once());
      EXPECT_EQ(t.pending(), 0u);
      const counting_observer& seen = t.core().observed();
      EXPECT_EQ(seen.schedules, ledger.total(fate_ledger::accepted));
      EXPECT_EQ(seen.fires, ledger.total(fate_ledger::fired));
      EXPECT_EQ(seen.cancels, ledger.total(fate_ledger::cancelled));
      EXPECT_EQ(seen.returns, ledger.total(fate_ledger::returned));
      EXPECT_FALSE(seen.negative);
      for (const std::int64_t left : seen.in_slot) EXPECT_EQ(left, 0);
      EXPECT_TRUE(this->log_.entries().empty());
    }
  }
}

TYPED_TEST_P(timer_invariants, exactly_once_with_caps_on_transfers_and_cancels) {
  for (const turn_order order : this->both_orders) {
    timer_options capped = this->options(order);
    capped.max_transfers_per_turn = 3;
    capped.max_cancels_per_turn = 2;
    typename TestFixture::virtual_type t(capped);
    const counting_observer& seen = t.core().observed();
    std::vector<typename TestFixture::virtual_type::handle> handles;
    for (int i = 0; i < 10; ++i) handles.push_back(t.schedule(1h, [] {}));
    t.turn();
    EXPECT_EQ(seen.schedules, 3u);
    t.turn();
    EXPECT_EQ(seen.schedules, 6u);
    t.turn();
    t.turn();
    EXPECT_EQ(seen.schedules, 10u);
    for (auto& h : handles) EXPECT_TRUE(h.cancel());
    for (std::uint64_t turns = 1; turns <= 5; ++turns) {
      t.turn();
      EXPECT_EQ(seen.cancels, 2 * turns);
      EXPECT_EQ(t.pending(), 10 - 2 * turns);
    }
    EXPECT_TRUE(t.stop().empty());
  }
}

TYPED_TEST_P(timer_invariants, no_trace_rejection_after_stop) {
  virtual_timer<typename TestFixture::counted_config> t(this->options());
  (void)t.stop();
  const auto big = [padding = std::array<char, 200>{}] { (void)padding; };
  const access_counts costs = counting_platform::count([&] {
    const auto result = t.try_schedule(1ms, big);
    EXPECT_FALSE(result.timeout);
    EXPECT_EQ(result.why, rejection::stopped);
  });
  EXPECT_EQ(costs.allocations, 0u);
  EXPECT_EQ(t.pending(), 0u);
  EXPECT_EQ(t.core().observed().rejections, 1u);
}

TYPED_TEST_P(timer_invariants, no_trace_rejection_over_the_limit) {
  timer_options limited = this->options();
  limited.max_pending = 2;
  virtual_timer<typename TestFixture::counted_config> t(limited);
  const auto first = t.schedule(1ms, [] {});
  const auto second = t.schedule(1ms, [] {});
  EXPECT_EQ(counting_platform::count([&] {
              const auto third = t.try_schedule(1ms, [] {});
              EXPECT_FALSE(third.timeout);
              EXPECT_EQ(third.why, rejection::too_many_pending);
            }).allocations,
            0u);
  EXPECT_EQ(t.pending(), 2u);
  t.run_for(5ms);
  EXPECT_EQ(t.pending(), 0u);
  EXPECT_EQ(t.core().observed().fires, 2u);
}

TYPED_TEST_P(timer_invariants, no_trace_rejection_when_the_queue_is_full) {
  timer_options narrow = this->options();
  narrow.queue_capacity = 4;
  virtual_timer<typename TestFixture::counted_config> t(narrow);
  std::vector<typename decltype(t)::handle> handles;
  for (int i = 0; i < 4; ++i) handles.push_back(t.schedule(1ms, [] {}));
  const auto big = [padding = std::array<char, 200>{}] { (void)padding; };
  const access_counts costs = counting_platform::count([&] {
    const auto fifth = t.try_schedule(1ms, big);
    EXPECT_EQ(!fifth.timeout, TestFixture::backend::traits.bounded);
    if (!fifth.timeout) {
      EXPECT_EQ(fifth.why, rejection::queue_full);
    }
  });
  if (!TestFixture::backend::traits.bounded) return;
  EXPECT_EQ(costs.allocations, costs.deallocations);
  EXPECT_EQ(t.pending(), 4u);
  t.turn();
  EXPECT_TRUE(t.try_schedule(1ms, big).timeout) << "drained, so there is room again";
  EXPECT_EQ(t.stop().size(), 5u);
  EXPECT_EQ(t.pending(), 0u);
}

TYPED_TEST_P(timer_invariants, no_trace_of_a_task_that_is_empty_or_cannot_be_copied) {
  struct explosive {
    explosive() = default;
    explosive(const explosive&) { throw std::runtime_error("copy"); }
    void operator()() const {}
  };
  virtual_timer<typename TestFixture::counted_config> t(this->options());
  const explosive bad;
  const access_counts costs = counting_platform::count([&] {
    EXPECT_THROW((void)t.schedule(1ms, std::function<void()>{}), std::invalid_argument);
    EXPECT_THROW((void)t.schedule(1ms, bad), std::runtime_error);
  });
  EXPECT_EQ(costs.allocations, costs.deallocations);
  EXPECT_EQ(t.pending(), 0u);
  EXPECT_TRUE(t.stop().empty()) << "and stop() does not wait for them";
}

TYPED_TEST_P(timer_invariants, never_early_and_bounded_lateness) {
  for (const auto tick : {1ms, 7ms, 100ms}) {
    timer_options o = this->options();
    o.tick = tick;
    typename TestFixture::virtual_type t(o);
    std::mt19937 random(11);
    int fired = 0;
    for (int i = 0; i < 500; ++i) {
      const auto delay =
          std::chrono::microseconds(std::uniform_int_distribution<>(0, 2'000'000)(random));
      const time_point deadline = t.elapsed() + delay;
      const time_point latest = deadline + (TestFixture::tickless ? 0ns : time_point(tick));
      (void)t.schedule(delay, [&t, &fired, deadline, latest] {
        ++fired;
        EXPECT_GE(t.elapsed(), deadline);
        EXPECT_LE(t.elapsed(), latest);
      });
      t.run_for(std::chrono::microseconds(i * 10));
    }
    t.run_for(3s);
    EXPECT_EQ(fired, 500);
  }
}

TYPED_TEST_P(timer_invariants, never_early_and_bounded_lateness_with_sub_millisecond_ticks) {
  timer_options o = this->options();
  o.tick = 1us;
  typename TestFixture::virtual_type t(o);
  int fired = 0;
  for (int i = 0; i < 200; ++i) {
    const auto delay = std::chrono::nanoseconds(i * 333);
    (void)t.schedule(delay, [&t, &fired, delay] {
      ++fired;
      EXPECT_GE(t.elapsed(), delay);
      EXPECT_LE(t.elapsed(), delay + (TestFixture::tickless ? 0ns : 1us));
    });
  }
  t.run_for(100us);
  EXPECT_EQ(fired, 200);
}

TYPED_TEST_P(timer_invariants, arithmetic_of_zero_negative_and_maximal_delays) {
  typename TestFixture::virtual_type t(this->options());
  t.run_for(5ms);
  std::vector<int> fired;
  (void)t.schedule(0ns, [&] { fired.push_back(0); });
  (void)t.schedule(-1ns, [&] { fired.push_back(1); });
  (void)t.schedule(std::chrono::nanoseconds::min(), [&] { fired.push_back(2); });
  const auto endless = t.schedule(std::chrono::nanoseconds::max(), [&] { fired.push_back(3); });
  const auto almost = t.schedule(never - 1h, [&] { fired.push_back(4); });
  EXPECT_EQ(endless.deadline(), never) << "clamped";
  EXPECT_EQ(almost.deadline(), never - 1h + 5ms) << "not clamped";
  t.run_for(1ms);
  EXPECT_EQ(fired, (std::vector{0, 1, 2}));
  t.run_for(10s);
  EXPECT_EQ(fired.size(), 3u);
  EXPECT_EQ(t.stop().size(), 2u);
}

TYPED_TEST_P(timer_invariants, arithmetic_of_multiples_of_the_period_over_many_rotations) {
  typename TestFixture::virtual_type t(this->options());  // period 32 ms
  t.run_for(100ms);
  int fired = 0;
  for (int k = 0; k <= 30; ++k) {
    for (const auto skew : {-1ns, 0ns, 1ns}) {
      const time_point deadline = t.elapsed() + std::max<time_point>(32ms * k + skew, 0ns);
      (void)t.schedule(32ms * k + skew, [&t, &fired, deadline] {
        ++fired;
        EXPECT_GE(t.elapsed(), deadline);
        EXPECT_LE(t.elapsed(), deadline + (TestFixture::tickless ? 0ms : 1ms));
      });
    }
  }
  t.run_for(1100ms);
  EXPECT_EQ(fired, 93);
}

TYPED_TEST_P(timer_invariants, arithmetic_after_years_of_uptime_and_at_the_end_of_the_clock) {
  typename TestFixture::virtual_type t(this->options());
  t.jump_for(24h * 365 * 200);
  int fired = 0;
  (void)t.schedule(3ms, [&] { ++fired; });
  const auto clamped = t.schedule(24h * 365 * 150, [&] { ++fired; });
  EXPECT_EQ(clamped.deadline(), never);
  t.run_for(3ms);
  EXPECT_EQ(fired, TestFixture::tickless ? 1 : 0);
  t.run_for(1ms);
  EXPECT_EQ(fired, 1);
}

TYPED_TEST_P(timer_invariants, prompt_release_of_what_a_cancelled_timeout_holds) {
  for (const turn_order order : this->both_orders) {
    virtual_timer<typename TestFixture::counted_config> t(this->options(order));
    const auto held = std::make_shared<int>(1);
    auto queued = t.schedule(1h, [held] {});
    auto linked = t.schedule(1h, [held, pad = std::array<char, 100>{}] { (void)pad; });
    EXPECT_TRUE(queued.cancel());
    t.turn();
    EXPECT_EQ(held.use_count(), 2) << "cancelled while queued";
    EXPECT_TRUE(linked.cancel());
    EXPECT_EQ(held.use_count(), 2) << "the worker's to release";
    EXPECT_EQ(counting_platform::count([&] { t.turn(); }).deallocations, 1u) << "the large task";
    EXPECT_EQ(held.use_count(), 1);
    EXPECT_EQ(t.pending(), 0u);
    queued = {};
    EXPECT_EQ(counting_platform::count([&] { linked = {}; }).deallocations, 1u);
  }
}

TYPED_TEST_P(timer_invariants, prompt_release_after_the_task_ran_although_a_handle_is_kept) {
  typename TestFixture::virtual_type t(this->options());
  const auto held = std::make_shared<int>(1);
  const auto kept = t.schedule(1ms, [held] {});
  t.run_for(3ms);
  EXPECT_TRUE(kept.is_expired());
  EXPECT_EQ(held.use_count(), 1);
}

TYPED_TEST_P(timer_invariants, worker_owned_lists_are_not_touched_by_cancel) {
  typename TestFixture::virtual_type t(this->options());
  std::vector<typename TestFixture::virtual_type::handle> handles;
  for (int i = 0; i < 64; ++i) handles.push_back(t.schedule((i + 1) * 1ms, [] {}));
  t.turn();
  on_threads(4, [&](std::size_t i) {
    for (std::size_t n = i; n < handles.size(); n += 4) EXPECT_TRUE(handles[n].cancel());
  });
  const counting_observer& seen = t.core().observed();
  EXPECT_EQ(seen.in_slot[0], TestFixture::tickless ? 64 : 2) << "still linked";
  t.run_for(100ms);
  EXPECT_EQ(seen.cancels, 64u);
  EXPECT_EQ(seen.list_keepers, std::set{std::this_thread::get_id()});
  for (const std::int64_t left : seen.in_slot) EXPECT_EQ(left, 0);
}

TYPED_TEST_P(timer_invariants, exact_count_lets_a_task_re_arm_at_the_limit) {
  timer_options limited = this->options();
  limited.max_pending = 1;
  typename TestFixture::virtual_type t(limited);
  int runs = 0;
  std::function<void()> again = [&] {
    if (++runs < 5) (void)t.schedule(1ms, again);
  };
  (void)t.schedule(1ms, again);
  EXPECT_THROW((void)t.schedule(1ms, [] {}), rejected);
  t.run_for(20ms);
  EXPECT_EQ(runs, 5);
  EXPECT_EQ(t.pending(), 0u);
}

TYPED_TEST_P(timer_invariants, exact_count_of_a_cancel_from_a_task_and_from_an_on_cancel_callback) {
  for (const turn_order order : this->both_orders) {
    typename TestFixture::virtual_type t(this->options(order));
    auto victim = t.schedule(1h, [] {});
    auto second = t.schedule(1h, task_with_cancel{[] {}, [&] { EXPECT_TRUE(victim.cancel()); }});
    (void)t.schedule(1ms, [&] { EXPECT_TRUE(second.cancel()); });
    t.run_for(10ms);
    EXPECT_TRUE(victim.is_cancelled());
    EXPECT_EQ(t.pending(), 0u);
    EXPECT_TRUE(t.stop().empty());
  }
}

TYPED_TEST_P(timer_invariants, handle_outlives_timer) {
  using handle = typename TestFixture::virtual_type::handle;
  handle fired, cancelled, returned_linked, returned_queued;
  {
    typename TestFixture::virtual_type t(this->options());
    fired = t.schedule(1ms, [] {});
    cancelled = t.schedule(1h, [] {});
    returned_linked = t.schedule(1h, [] {});
    t.run_for(5ms);
    EXPECT_TRUE(cancelled.cancel());
    returned_queued = t.schedule(1h, [] {});
    EXPECT_EQ(t.stop().size(), 2u);
  }
  for (handle* h : {&fired, &cancelled, &returned_linked, &returned_queued}) {
    EXPECT_FALSE(h->cancel());
    EXPECT_EQ(h->is_expired(), h == &fired);
    EXPECT_EQ(h->is_cancelled(), h != &fired);
    const handle copy = *h;
    EXPECT_EQ(copy.deadline(), h->deadline());
  }
}

TYPED_TEST_P(timer_invariants, stop_is_final_and_calls_on_cancel_of_what_it_returns) {
  typename TestFixture::virtual_type t(this->options());
  int called = 0;
  const task_with_cancel task{[] { FAIL() << "must not run"; }, [&] { ++called; }};
  const auto linked = t.schedule(1h, task);
  t.turn();
  const auto queued = t.schedule(0ms, task);
  auto cancelled = t.schedule(1h, task);
  EXPECT_TRUE(cancelled.cancel());
  EXPECT_EQ(t.stop().size(), 2u);
  EXPECT_EQ(called, 3);
  EXPECT_TRUE(linked.is_cancelled() && queued.is_cancelled());
  EXPECT_EQ(t.pending(), 0u);
}

REGISTER_TYPED_TEST_SUITE_P(
    timer_invariants, exactly_once_and_exact_count_and_never_early_on_random_lives,
    exactly_once_with_caps_on_transfers_and_cancels, no_trace_rejection_after_stop,
    no_trace_rejection_over_the_limit, no_trace_rejection_when_the_queue_is_full,
    no_trace_of_a_task_that_is_empty_or_cannot_be_copied, never_early_and_bounded_lateness,
    never_early_and_bounded_lateness_with_sub_millisecond_ticks,
    arithmetic_of_zero_negative_and_maximal_delays,
    arithmetic_of_multiples_of_the_period_over_many_rotations,
    arithmetic_after_years_of_uptime_and_at_the_end_of_the_clock,
    prompt_release_of_what_a_cancelled_timeout_holds,
    prompt_release_after_the_task_ran_although_a_handle_is_kept,
    worker_owned_lists_are_not_touched_by_cancel, exact_count_lets_a_task_re_arm_at_the_limit,
    exact_count_of_a_cancel_from_a_task_and_from_an_on_cancel_callback, handle_outlives_timer,
    stop_is_final_and_calls_on_cancel_of_what_it_returns);

}  // namespace racewheel
