// The invariants again, on real threads: 1, 2, 4 and 8 producers against a real worker.
#pragma once

#include <gtest/gtest.h>

#include <latch>
#include <random>

#include "core/timer_invariants.hpp"

namespace racewheel {

template <class Tested>
class timer_storms : public testing::Test {
 protected:
  using observed_config = typename Tested::template config<std_platform, counting_observer>;
  using tested = timer<observed_config>;
  using handle = typename tested::handle;
  static constexpr auto crowds = {1u, 2u, 4u, 8u};
  static constexpr std::size_t timeouts = 3000;  // of all producers together

  [[nodiscard]] timer_options options() {
    timer_options o;
    o.tick = 200us;
    o.slots = 16;
    o.on_problem = log_.handler();
    return o;
  }

  void expect_at_rest(tested& t, const fate_ledger& ledger) {
    EXPECT_TRUE(ledger.each_ended_exactly_once());
    EXPECT_EQ(t.pending(), 0u);
    const counting_observer& seen = t.observed();
    EXPECT_EQ(seen.schedules, ledger.total(fate_ledger::accepted));
    EXPECT_EQ(seen.fires, ledger.total(fate_ledger::fired));
    EXPECT_EQ(seen.cancels, ledger.total(fate_ledger::cancelled));
    EXPECT_EQ(seen.returns, ledger.total(fate_ledger::returned));
    EXPECT_EQ(seen.refusals, ledger.total(fate_ledger::refused));
    EXPECT_FALSE(seen.negative);
    EXPECT_LE(seen.list_keepers.size(), 1u) << "worker-owned lists";
    for (const std::int64_t left : seen.in_slot) EXPECT_EQ(left, 0);
  }

  problem_log log_;
};
TYPED_TEST_SUITE_P(timer_storms);

/// One producer: schedules its ids and cancels around their deadlines. Rejections are allowed once
/// the timer stops; what was accepted is booked, and its handle kept.
template <class Timer>
void produce(Timer& t, fate_ledger& ledger, std::vector<typename Timer::handle>& handles,
             std::size_t first, std::size_t last) {
  std::mt19937 random(static_cast<std::uint32_t>(first + 1));
  for (std::size_t id = first; id < last; ++id) {
    const auto delay =
        std::chrono::microseconds(std::uniform_int_distribution<>(-50, 1500)(random));
    const time_point earliest = Timer::platform::now() + std::max<time_point>(delay, 0ns);
    auto result = t.try_schedule(delay, [&ledger, id, earliest] {
      ledger.enter(id, fate_ledger::fired);
      EXPECT_GE(Timer::platform::now(), earliest) << "never early";
    });
    if (!result.timeout) {
      EXPECT_EQ(result.why, rejection::stopped);
      continue;
    }
    ledger.enter(id, fate_ledger::accepted);
    handles[id] = std::move(result.timeout);
    const auto back = static_cast<std::size_t>(std::uniform_int_distribution<>(0, 60)(random));
    if (id % 2 == 0 && id >= first + back && handles[id - back].cancel()) {
      ledger.enter(id - back, fate_ledger::cancelled);
    }
    if (id % 16 == 0) std::this_thread::yield();
  }
}

TYPED_TEST_P(timer_storms, exactly_once_when_all_producers_return_before_stop) {
  for (const std::size_t producers : this->crowds) {
    SCOPED_TRACE(std::to_string(producers) + " producers");
    const std::size_t each = this->timeouts / producers;
    fate_ledger ledger(each * producers);
    std::vector<typename TestFixture::handle> handles(ledger.size());
    typename TestFixture::tested t(this->options());
    on_threads(producers,
               [&](std::size_t i) { produce(t, ledger, handles, i * each, (i + 1) * each); });
    EXPECT_TRUE(eventually([&] { return t.pending() == 0; })) << "exact count: 0 at rest";
    EXPECT_TRUE(t.stop().empty());
    this->expect_at_rest(t, ledger);
    EXPECT_EQ(ledger.total(fate_ledger::accepted), ledger.size());
  }
}

TYPED_TEST_P(timer_storms, exactly_once_when_stop_races_with_schedule_and_cancel) {
  for (const std::size_t producers : this->crowds) {
    for (int run = 0; run < 3; ++run) {
      SCOPED_TRACE(std::to_string(producers) + " producers, run " + std::to_string(run));
      const std::size_t each = this->timeouts / producers;
      fate_ledger ledger(each * producers);
      std::vector<typename TestFixture::handle> handles(ledger.size());
      std::vector<typename TestFixture::handle> returned;
      typename TestFixture::tested t(this->options());
      std::thread stopper([&] {
        std::this_thread::sleep_for(run * 500us);
        returned = t.stop();
      });
      on_threads(producers,
                 [&](std::size_t i) { produce(t, ledger, handles, i * each, (i + 1) * each); });
      stopper.join();
      book_returned(returned, handles, ledger);
      this->expect_at_rest(t, ledger);
    }
  }
}

TYPED_TEST_P(timer_storms, exactly_once_when_many_cancel_what_expires) {
  for (const std::size_t cancellers : this->crowds) {
    SCOPED_TRACE(std::to_string(cancellers) + " cancellers");
    fate_ledger ledger(600);
    std::vector<typename TestFixture::handle> handles(ledger.size());
    typename TestFixture::tested t(this->options());
    for (std::size_t id = 0; id < ledger.size(); ++id) {
      handles[id] = t.schedule(id * 5us, [&ledger, id] { ledger.enter(id, fate_ledger::fired); });
      ledger.enter(id, fate_ledger::accepted);
    }
    on_threads(cancellers, [&](std::size_t) {
      for (std::size_t id = 0; id < ledger.size(); ++id) {
        if (handles[id].cancel()) ledger.enter(id, fate_ledger::cancelled);
        if (id % 32 == 0) std::this_thread::sleep_for(150us);
      }
    });
    EXPECT_TRUE(eventually([&] { return t.pending() == 0; }));
    EXPECT_TRUE(t.stop().empty());
    this->expect_at_rest(t, ledger);
  }
}

TYPED_TEST_P(timer_storms, no_trace_rejection_while_the_limit_is_contended) {
  for (const std::size_t producers : this->crowds) {
    SCOPED_TRACE(std::to_string(producers) + " producers");
    timer_options limited = this->options();
    limited.max_pending = 16;
    const std::size_t each = 1200 / producers;
    fate_ledger ledger(each * producers);
    std::atomic<std::uint64_t> rejections{0};
    typename TestFixture::tested t(limited);
    on_threads(producers, [&](std::size_t i) {
      for (std::size_t id = i * each; id < (i + 1) * each; ++id) {
        auto result = t.try_schedule(0ns, [&ledger, id] { ledger.enter(id, fate_ledger::fired); });
        if (result.timeout) {
          ledger.enter(id, fate_ledger::accepted);
        } else {
          EXPECT_EQ(result.why, rejection::too_many_pending);
          ++rejections;
          std::this_thread::yield();
        }
        EXPECT_LE(t.pending(), 16u);
      }
    });
    EXPECT_TRUE(eventually([&] { return t.pending() == 0; }));
    EXPECT_TRUE(t.stop().empty());
    this->expect_at_rest(t, ledger);
    EXPECT_EQ(t.observed().rejections, rejections);
  }
}

TYPED_TEST_P(timer_storms, no_lost_wake_up_when_each_waits_for_its_own_timeout) {
  for (const std::size_t producers : this->crowds) {
    SCOPED_TRACE(std::to_string(producers) + " producers");
    timer_options o = this->options();
    o.tick = 50us;
    o.housekeeping = 1h;  // nothing but a wake-up can save a heap timer that sleeps
    typename TestFixture::tested t(o);
    std::atomic<int> lost{0};
    on_threads(producers, [&](std::size_t i) {
      for (int n = 0; n < 60 && lost == 0; ++n) {
        std::latch fired(1);
        const auto kept =
            t.schedule((n + static_cast<int>(i)) % 3 * 20us, [&] { fired.count_down(); });
        if (!eventually([&] { return fired.try_wait(); })) ++lost;
      }
    });
    EXPECT_EQ(lost, 0);
    (void)t.stop();
  }
}

TYPED_TEST_P(timer_storms, stop_is_final_for_concurrent_callers) {
  for (int run = 0; run < 20; ++run) {
    typename TestFixture::tested t(this->options());
    constexpr std::size_t pending = 5;
    for (std::size_t i = 0; i < pending; ++i) (void)t.schedule(1h, [] {});
    std::atomic<std::size_t> returned{0};
    on_threads(4, [&](std::size_t) {
      returned += t.stop().size();
      EXPECT_EQ(t.pending(), 0u) << "every caller waits for the first";
    });
    EXPECT_EQ(returned, pending) << "each is returned to one caller";
  }
}

TYPED_TEST_P(timer_storms, stop_is_final_while_tasks_re_arm_themselves) {
  for (int run = 0; run < 10; ++run) {
    typename TestFixture::tested t(this->options());
    std::atomic<std::uint64_t> runs{0};
    std::function<void()> again = [&] {
      ++runs;
      (void)t.try_schedule(0ns, again);
    };
    for (int i = 0; i < 4; ++i) (void)t.schedule(0ns, again);
    EXPECT_TRUE(eventually([&] { return runs >= 8; }));
    const std::size_t returned = t.stop().size();
    EXPECT_LE(returned, 4u);
    EXPECT_EQ(t.pending(), 0u);
    const std::uint64_t at_stop = runs;
    std::this_thread::sleep_for(1ms);
    EXPECT_EQ(runs, at_stop) << "nothing runs after stop()";
  }
}

TYPED_TEST_P(timer_storms, stop_is_final_when_it_overtakes_start_and_the_first_schedule) {
  for (int run = 0; run < 30; ++run) {
    typename TestFixture::tested t(this->options());
    fate_ledger ledger(3);
    std::vector<typename TestFixture::handle> handles(3);
    std::vector<typename TestFixture::handle> returned;
    on_threads(4, [&](std::size_t i) {
      if (i == 3) {
        returned = t.stop();
        return;
      }
      auto result = t.try_schedule(0ns, [&ledger, i] { ledger.enter(i, fate_ledger::fired); });
      if (!result.timeout) return;
      handles[i] = result.timeout;
      ledger.enter(i, fate_ledger::accepted);
    });
    book_returned(returned, handles, ledger);
    this->expect_at_rest(t, ledger);
  }
}

TYPED_TEST_P(timer_storms, handle_outlives_timer_while_others_still_cancel) {
  for (int run = 0; run < 10; ++run) {
    std::vector<typename TestFixture::handle> handles;
    fate_ledger ledger(200);
    auto t = std::make_unique<typename TestFixture::tested>(this->options());
    for (std::size_t id = 0; id < ledger.size(); ++id) {
      handles.push_back(
          t->schedule(id * 10us, [&ledger, id] { ledger.enter(id, fate_ledger::fired); }));
      ledger.enter(id, fate_ledger::accepted);
    }
    std::thread canceller([&, mine = handles]() mutable {
      for (std::size_t id = ledger.size(); id-- > 0;) {
        if (mine[id].cancel()) ledger.enter(id, fate_ledger::cancelled);
      }
    });
    const auto returned = t->stop();
    t.reset();
    canceller.join();
    book_returned(returned, handles, ledger);
    EXPECT_TRUE(ledger.each_ended_exactly_once());
  }
}

TYPED_TEST_P(timer_storms, prompt_release_returns_all_memory_of_cancelled_timeouts) {
  const auto held = std::make_shared<int>(0);
  timer_options o = this->options();
  o.housekeeping = 1ms;
  typename TestFixture::tested t(o);
  on_threads(4, [&](std::size_t) {
    for (int i = 0; i < 500; ++i) {
      const auto delay = i % 2 == 0 ? std::chrono::nanoseconds(1h) : never;
      EXPECT_TRUE(t.schedule(delay, [held] {}).cancel());
    }
  });
  EXPECT_TRUE(eventually([&] { return t.pending() == 0 && held.use_count() == 1; }));
  EXPECT_TRUE(t.stop().empty());
}

REGISTER_TYPED_TEST_SUITE_P(timer_storms, exactly_once_when_all_producers_return_before_stop,
                            exactly_once_when_stop_races_with_schedule_and_cancel,
                            exactly_once_when_many_cancel_what_expires,
                            no_trace_rejection_while_the_limit_is_contended,
                            no_lost_wake_up_when_each_waits_for_its_own_timeout,
                            stop_is_final_for_concurrent_callers,
                            stop_is_final_while_tasks_re_arm_themselves,
                            stop_is_final_when_it_overtakes_start_and_the_first_schedule,
                            handle_outlives_timer_while_others_still_cancel,
                            prompt_release_returns_all_memory_of_cancelled_timeouts);

}  // namespace racewheel
