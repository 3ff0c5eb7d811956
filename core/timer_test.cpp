// The timer as a whole: life cycle, executors, problems, waiting. Both wheels, default backend.
#include "core/timer.hpp"

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <latch>

#include "core/manual_clock_platform.hpp"
#include "core/timer_test_kit.hpp"
#include "queues/wheel_timer.hpp"

namespace racewheel {
namespace {

template <class Tested>
class timer_test : public testing::Test {
 protected:
  using observed_config = typename Tested::template config<std_platform, counting_observer>;
  using tested = timer<observed_config>;
  using handle = typename tested::handle;

  [[nodiscard]] timer_options options() {
    timer_options o;
    o.tick = 500us;
    o.slots = 16;
    o.on_problem = log_.handler();
    return o;
  }

  problem_log log_;
};
TYPED_TEST_SUITE(timer_test, both_wheels<default_backend>, wheel_names);

template <class Act>
std::string logic_error_of(Act&& act) {
  try {
    std::forward<Act>(act)();
  } catch (const std::logic_error& e) {
    return e.what();
  }
  return "no error";
}

// --- life cycle ---

TYPED_TEST(timer_test, stop_twice_returns_nothing_the_second_time) {
  typename TestFixture::tested t(this->options());
  (void)t.schedule(1h, [] {});
  EXPECT_EQ(t.stop().size(), 1u);
  EXPECT_TRUE(t.stop().empty());
  EXPECT_EQ(t.pending(), 0u);
}

TYPED_TEST(timer_test, stop_before_start_returns_nothing_and_the_timer_is_unusable) {
  typename TestFixture::tested t(this->options());
  EXPECT_TRUE(t.stop().empty());
  EXPECT_EQ(logic_error_of([&] { t.start(); }),
            "start() after stop(): a stopped timer cannot be started again");
  EXPECT_EQ(t.try_schedule(0ns, [] {}).why, rejection::stopped);
}

TYPED_TEST(timer_test, start_after_stop_is_an_error_and_schedule_is_rejected) {
  typename TestFixture::tested t(this->options());
  t.start();
  t.start();
  (void)t.stop();
  EXPECT_EQ(logic_error_of([&] { t.start(); }),
            "start() after stop(): a stopped timer cannot be started again");
  try {
    (void)t.schedule(0ns, [] {});
    FAIL() << "accepted";
  } catch (const rejected& e) {
    EXPECT_EQ(e.why(), rejection::stopped);
    EXPECT_STREQ(e.what(), "rejected: the timer is stopped");
  }
  EXPECT_EQ(t.pending(), 0u);
  EXPECT_EQ(t.observed().rejections, 1u);
}

TYPED_TEST(timer_test, stop_from_a_task_is_an_error_and_the_timer_goes_on) {
  typename TestFixture::tested t(this->options());
  std::latch done(2);
  std::string message;
  (void)t.schedule(0ns, [&] {
    message = logic_error_of([&] { (void)t.stop(); });
    done.count_down();
    (void)t.schedule(0ns, [&] { done.count_down(); });
  });
  done.wait();
  EXPECT_EQ(message, "stop() on the worker thread: a task cannot stop its own timer");
  EXPECT_TRUE(t.stop().empty());
}

TYPED_TEST(timer_test,
           a_task_that_schedules_while_stop_waits_for_it_is_rejected_and_nothing_hangs) {
  typename TestFixture::tested t(this->options());
  std::latch inside(1);
  std::atomic<bool> refused{false};
  std::string start_error;
  (void)t.schedule(0ns, [&] {
    inside.count_down();
    while (t.try_schedule(1h, [] {}).timeout) std::this_thread::sleep_for(100us);
    refused = true;
    start_error = logic_error_of([&] { t.start(); });
  });
  inside.wait();
  const std::size_t returned = t.stop().size();
  EXPECT_TRUE(refused);
  EXPECT_EQ(start_error, "start() after stop(): a stopped timer cannot be started again");
  EXPECT_EQ(returned + 1, t.observed().schedules);
}

TYPED_TEST(timer_test, a_thread_that_inherits_the_ended_workers_id_may_call_stop) {
  for (int run = 0; run < 20; ++run) {
    typename TestFixture::tested t(this->options());
    t.start();
    (void)t.stop();
    std::thread([&] { EXPECT_NO_THROW((void)t.stop()); }).join();
  }
}

TYPED_TEST(timer_test, a_second_stop_waits_for_the_first) {
  typename TestFixture::tested t(this->options());
  std::latch inside(1);
  std::latch go(1);
  std::atomic<bool> task_done{false};
  (void)t.schedule(0ns, [&] {
    inside.count_down();
    go.wait();
    std::this_thread::sleep_for(5ms);
    task_done = true;
  });
  inside.wait();
  std::thread second([&] {
    (void)t.stop();
    EXPECT_TRUE(task_done) << "both wait for the worker";
  });
  std::thread release([&] { go.count_down(); });
  (void)t.stop();
  EXPECT_TRUE(task_done);
  second.join();
  release.join();
}

// --- leaks ---

TYPED_TEST(timer_test, destroyed_without_stop_it_stops_and_reports_it) {
  typename TestFixture::handle kept;
  int called = 0;
  {
    typename TestFixture::tested t(this->options());
    kept = t.schedule(1h, [] {}, [&] { ++called; });
  }
  EXPECT_TRUE(kept.is_cancelled());
  EXPECT_FALSE(kept.cancel());
  EXPECT_EQ(called, 1);
  EXPECT_EQ(this->log_.count(timer_problem::not_stopped), 1u);
}

TYPED_TEST(timer_test, the_leak_report_can_be_switched_off_and_is_not_for_the_unused) {
  timer_options quiet = this->options();
  quiet.report_leaks = false;
  {
    typename TestFixture::tested started(quiet);
    started.start();
    const typename TestFixture::tested unused(this->options());
    typename TestFixture::tested stopped(this->options());
    stopped.start();
    (void)stopped.stop();
  }
  EXPECT_TRUE(this->log_.entries().empty());
}

// --- problems ---

TYPED_TEST(timer_test, a_throwing_task_is_reported_and_the_worker_goes_on) {
  typename TestFixture::tested t(this->options());
  std::latch done(1);
  (void)t.schedule(0ns, [] { throw std::runtime_error("first"); });
  (void)t.schedule(1ms, [] { throw 7; });
  (void)t.schedule(5ms, [&] { done.count_down(); });
  done.wait();
  EXPECT_TRUE(t.stop().empty());
  using entry = std::pair<timer_problem, std::string>;
  EXPECT_EQ(this->log_.entries(),
            (std::vector<entry>{{timer_problem::task_threw, "first"},
                                {timer_problem::task_threw, "not a std::exception"}}));
  EXPECT_EQ(t.observed().fires, 3u) << "they count as fired";
  EXPECT_EQ(t.pending(), 0u);
}

TYPED_TEST(timer_test, a_throwing_on_cancel_callback_is_reported_and_counts_as_cancelled) {
  typename TestFixture::tested t(this->options());
  EXPECT_TRUE(t.schedule(1h, [] {}, [] { throw std::runtime_error("sorry"); }).cancel());
  (void)t.schedule(1h, [] {}, [] { throw std::runtime_error("returned"); });
  EXPECT_EQ(t.stop().size(), 1u);
  EXPECT_EQ(this->log_.count(timer_problem::on_cancel_threw), 2u);
  EXPECT_EQ(t.observed().cancels, 1u);
  EXPECT_EQ(t.pending(), 0u);
}

TYPED_TEST(timer_test, a_throwing_problem_handler_is_ignored) {
  timer_options o = this->options();
  o.on_problem = [](timer_problem, std::exception_ptr) { throw std::runtime_error("handler"); };
  typename TestFixture::tested t(o);
  std::latch done(1);
  (void)t.schedule(0ns, [] { throw std::runtime_error("task"); });
  (void)t.schedule(1ms, [&] { done.count_down(); });
  done.wait();
  EXPECT_TRUE(t.stop().empty());
}

TYPED_TEST(timer_test, on_cancel_runs_on_the_worker_once_for_cancel_and_never_for_expiry) {
  typename TestFixture::tested t(this->options());
  std::atomic<int> called{0};
  std::thread::id by;
  std::latch fired(1);
  const auto note = [&] {
    by = std::this_thread::get_id();
    ++called;
  };
  (void)t.schedule(0ns, [&] { fired.count_down(); }, [] { FAIL() << "it fired"; });
  fired.wait();
  EXPECT_TRUE(t.schedule(1ms, [] { FAIL() << "cancelled"; }, note).cancel());
  EXPECT_TRUE(eventually([&] { return called == 1; }));
  EXPECT_TRUE(t.stop().empty());
  EXPECT_EQ(called, 1);
  EXPECT_NE(by, std::this_thread::get_id());
  EXPECT_NE(by, std::thread::id());
}

// --- executors ---

TYPED_TEST(timer_test, a_refusing_executor_is_reported_and_counted_exactly_once_by_id) {
  timer_options o = this->options();
  int offers = 0;
  o.run_on = [&](expired_task task) {
    if (++offers % 3 == 0) throw std::runtime_error("pool is full");
    task();
  };
  fate_ledger ledger(300);
  typename TestFixture::tested t(o);
  // What is destroyed without having run was refused.
  struct witness {
    fate_ledger* ledger;
    std::size_t id;
    bool ran = false;
    witness(fate_ledger& l, std::size_t i) : ledger(&l), id(i) {}
    witness(witness&& other) noexcept
        : ledger(std::exchange(other.ledger, nullptr)), id(other.id) {}
    witness& operator=(witness&&) = delete;
    ~witness() {
      if (ledger != nullptr && !ran) ledger->enter(id, fate_ledger::refused);
    }
    void operator()() {
      ran = true;
      ledger->enter(id, fate_ledger::fired);
    }
  };
  for (std::size_t id = 0; id < ledger.size(); ++id) {
    (void)t.schedule(id % 7 * 100us, witness(ledger, id));
    ledger.enter(id, fate_ledger::accepted);
  }
  EXPECT_TRUE(eventually([&] { return t.pending() == 0; }));
  EXPECT_TRUE(t.stop().empty());
  EXPECT_TRUE(ledger.each_ended_exactly_once());
  EXPECT_EQ(ledger.total(fate_ledger::refused), 100u);
  EXPECT_EQ(t.observed().refusals, 100u);
  EXPECT_EQ(t.observed().fires, 200u);
  EXPECT_EQ(this->log_.count(timer_problem::executor_refused), 100u);
  EXPECT_EQ(this->log_.entries().front().second, "pool is full");
}

TYPED_TEST(timer_test, tasks_run_on_a_real_thread_pool) {
  boost::asio::thread_pool pool(2);
  timer_options o = this->options();
  o.run_on = [&](expired_task task) { boost::asio::post(pool, std::move(task)); };
  fate_ledger ledger(500);
  std::atomic<int> throwers{0};
  {
    typename TestFixture::tested t(o);
    on_threads(4, [&](std::size_t p) {
      for (std::size_t id = p; id < ledger.size(); id += 4) {
        auto h = t.schedule(id % 20 * 50us, [&ledger, &throwers, id] {
          ledger.enter(id, fate_ledger::fired);
          if (id % 10 == 0) {
            ++throwers;
            throw std::runtime_error("in the pool");
          }
        });
        ledger.enter(id, fate_ledger::accepted);
        if (id % 3 == 0 && h.cancel()) ledger.enter(id, fate_ledger::cancelled);
      }
    });
    EXPECT_TRUE(eventually([&] { return t.pending() == 0; }));
    EXPECT_TRUE(t.stop().empty());
  }
  pool.join();  // stop() does not wait for the pool; its tasks outlive the timer
  EXPECT_TRUE(ledger.each_ended_exactly_once());
  EXPECT_EQ(this->log_.count(timer_problem::task_threw), static_cast<std::size_t>(throwers));
}

TYPED_TEST(timer_test, a_task_of_a_pool_may_stop_the_timer) {
  boost::asio::thread_pool pool(1);
  timer_options o = this->options();
  o.run_on = [&](expired_task task) { boost::asio::post(pool, std::move(task)); };
  typename TestFixture::tested t(o);
  (void)t.schedule(1h, [] {});
  std::size_t returned = 0;
  (void)t.schedule(0ns, [&] { returned = t.stop().size(); });
  std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(eventually([&] { return !t.try_schedule(2h, [] {}).timeout; }));
  pool.join();
  EXPECT_GE(returned, 1u);
}

TYPED_TEST(timer_test, an_executor_that_drops_a_task_leaks_nothing) {
  timer_options o = this->options();
  o.run_on = [](expired_task) {};
  typename TestFixture::tested t(o);
  const auto held = std::make_shared<int>(1);
  const auto kept = t.schedule(0ns, [held] { FAIL() << "dropped"; });
  EXPECT_TRUE(eventually([&] { return held.use_count() == 1; }));
  EXPECT_TRUE(kept.is_expired());
  (void)t.stop();
}

// --- waiting ---

TYPED_TEST(timer_test, hybrid_waiting_is_never_early_and_stops_at_once) {
  timer_options o = this->options();
  o.wait = wait_strategy::hybrid;
  o.spin = 300us;
  typename TestFixture::tested t(o);
  for (int i = 0; i < 20; ++i) {
    std::latch fired(1);
    const time_point earliest = std_platform::now() + i * 100us;
    (void)t.schedule(i * 100us, [&] {
      EXPECT_GE(std_platform::now(), earliest);
      fired.count_down();
    });
    fired.wait();
  }
  EXPECT_TRUE(t.stop().empty());
}

TYPED_TEST(timer_test, hybrid_waiting_heeds_stop_and_earlier_deadlines_while_it_spins) {
  timer_options o = this->options();
  o.tick = 1h;
  o.wait = wait_strategy::hybrid;
  o.spin = 1h;  // spins all the time
  typename TestFixture::tested t(o);
  (void)t.schedule(30min, [] {});
  std::this_thread::sleep_for(2ms);
  if (timer_core<typename TestFixture::observed_config>::tickless) {
    std::latch fired(1);
    (void)t.schedule(1ms, [&] { fired.count_down(); });
    EXPECT_TRUE(eventually([&] { return fired.try_wait(); }));
  }
  EXPECT_EQ(t.stop().size(), 1u);
}

// --- the tickless timer on the manual clock ---

class tickless_timer : public testing::Test {
 protected:
  using config = timer_config<wheel_kind<heap_wheel>, default_backend, manual_clock_platform,
                              timer_recipe, counting_observer>;

  tickless_timer() { manual_time::reset(1h); }

  static timer_options options(std::chrono::nanoseconds housekeeping = 24h) {
    timer_options o;
    o.housekeeping = housekeeping;
    return o;
  }
  /// Waits until the worker sleeps, and says how many turns it has made.
  std::uint64_t turns() {
    EXPECT_TRUE(manual_time::wait_until_parked());
    return timer_.observed().turns;
  }

  timer<config> timer_{options()};
};

TEST_F(tickless_timer, sleeps_until_the_next_expiry_and_for_ever_when_there_is_none) {
  timer_.start();
  const std::uint64_t idle = turns();
  EXPECT_EQ(manual_time::next_deadline(), never);
  int fired = 0;
  (void)timer_.schedule(10s, [&] { ++fired; });
  EXPECT_TRUE(eventually([] { return manual_time::next_deadline() == 1h + 10s; }));
  const std::uint64_t planned = turns();
  EXPECT_GT(planned, idle);
  manual_time::advance(10s - 1ns);
  EXPECT_EQ(turns(), planned) << "no turn before the deadline";
  EXPECT_EQ(fired, 0);
  manual_time::advance(1ns);
  EXPECT_TRUE(eventually([] { return manual_time::next_deadline() == never; }));
  EXPECT_EQ(turns(), planned + 1) << "one turn, at the deadline";
  EXPECT_EQ(fired, 1);
  EXPECT_TRUE(timer_.stop().empty());
}

TEST_F(tickless_timer, is_woken_by_an_earlier_deadline_only) {
  std::vector<int> fired;
  (void)timer_.schedule(10s, [&] { fired.push_back(10); });
  ASSERT_TRUE(eventually([] { return manual_time::next_deadline() == 1h + 10s; }));
  const std::uint64_t planned = turns();
  (void)timer_.schedule(20s, [&] { fired.push_back(20); });
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(turns(), planned) << "a later deadline does not wake it";
  (void)timer_.schedule(5s, [&] { fired.push_back(5); });
  ASSERT_TRUE(eventually([] { return manual_time::next_deadline() == 1h + 5s; }));
  EXPECT_GT(turns(), planned);
  std::uint64_t due = 0;
  for (const auto at : {5s, 10s, 20s}) {
    manual_time::set_now(1h + at);
    ++due;
    EXPECT_TRUE(eventually([&] { return timer_.observed().fires == due; }));
  }
  EXPECT_TRUE(timer_.stop().empty());
  EXPECT_EQ(fired, (std::vector{5, 10, 20}));
}

TEST(tickless_housekeeping, releases_cancelled_timeouts_from_time_to_time) {
  manual_time::reset();
  timer_options o;
  o.housekeeping = 1s;
  timer<timer_config<wheel_kind<heap_wheel>, default_backend, manual_clock_platform, timer_recipe,
                     counting_observer>>
      t(o);
  const auto held = std::make_shared<int>(0);
  auto endless = t.schedule(never, [held] {});
  ASSERT_TRUE(eventually([] { return manual_time::next_deadline() == 1s; }))
      << "an idle worker is woken even for what is never due";
  EXPECT_TRUE(endless.cancel());
  manual_time::advance(1s);
  EXPECT_TRUE(eventually([&] { return held.use_count() == 1 && t.pending() == 0; }));
  EXPECT_TRUE(eventually([] { return manual_time::next_deadline() == never; })) << "idle again";
  EXPECT_TRUE(t.stop().empty());
}

}  // namespace
}  // namespace racewheel
