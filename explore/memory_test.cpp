// The memory model where litmus programs do not reach: compare-exchange, wait, spin loops, time.
#include <gtest/gtest.h>

#include <mutex>
#include <system_error>
#include <vector>

#include "explore/test_kit.hpp"

namespace racewheel::explore {
namespace {

using namespace test_kit;
using text = std::string;

TEST(memory, a_failing_compare_exchange_may_read_a_stale_store) {
  const auto fail_late = [](text& out) {
    platform::atomic<int> x{0};
    platform::atomic<int> y{0};
    int seen = 7;
    bool swapped = false;
    run([&] { x.store(1, relaxed), y.store(1, relaxed); },
        [&] {
          if (y.load(relaxed) == 1) swapped = x.compare_exchange_strong(seen, 9, acq_rel, relaxed);
        });
    out = text(swapped ? "swapped " : "") + std::to_string(seen);
  };
  EXPECT_EQ(outcomes(fail_late), (std::set<text>{"0", "1", "7"}));
  EXPECT_EQ(outcomes(fail_late, memory_model::sc), (std::set<text>{"1", "7"}));
}

TEST(memory, a_weak_compare_exchange_fails_spuriously_only_on_request) {
  const auto once = [](text& out) {
    platform::atomic<int> x{0};
    int expected = 0;
    const bool swapped = x.compare_exchange_weak(expected, 1, relaxed, relaxed);
    const bool again = x.compare_exchange_weak(expected, 1, relaxed, relaxed);
    out = text(swapped ? "1" : "0") + (again ? "1" : "0");
  };
  EXPECT_EQ(outcomes(once), (std::set<text>{"10"}));
  options o;
  o.spurious_failures = 1;
  EXPECT_EQ(outcomes(once, memory_model::rc11, o), (std::set<text>{"10", "01"}));
}

TEST(memory, a_strong_compare_exchange_never_fails_spuriously) {
  options o;
  o.spurious_failures = 3;
  const auto once = [](text& out) {
    platform::atomic<int> x{0};
    int expected = 0;
    out = x.compare_exchange_strong(expected, 1, relaxed, relaxed) ? "swapped" : "failed";
  };
  EXPECT_EQ(outcomes(once, memory_model::rc11, o), (std::set<text>{"swapped"}));
}

enum class colour : std::uint8_t { red, green };

TEST(memory, every_kind_of_atomic_keeps_its_values) {
  const result r = exhaust([] {
    int array[4] = {};
    platform::atomic<int*> p{array};
    p.fetch_add(3, relaxed);
    check(p.fetch_sub(1, relaxed) == array + 3 && p.load(relaxed) == array + 2, "pointer");
    platform::atomic<std::int8_t> small{127};
    small.fetch_add(1, relaxed);
    check(small.load(relaxed) == -128, "wraps at its own width");
    platform::atomic<colour> c{colour::red};
    check(c.exchange(colour::green, relaxed) == colour::red && c.latest() == colour::green, "enum");
    platform::atomic<bool> b{false};
    b.store(true, relaxed);
    check(b.load(relaxed), "bool");
    platform::atomic<unsigned> u{6};
    u.fetch_and(3, relaxed);
    u.fetch_or(8, relaxed);
    u.fetch_xor(1, relaxed);
    check(u.latest() == 11, "bits");
    check(++u == 12 && u-- == 12 && (u += 4) == 15 && u == 15U, "operators of std::atomic");
  });
  EXPECT_EQ(r.verdict, verdict::ok) << r.finding.message;
}

TEST(memory, an_order_override_weakens_a_site) {
  const auto publish = [] {
    platform::atomic<bool> ready{false};
    platform::plain<int> data{0};
    run([&] { data.set(1), ready.store(true, release); },
        [&] {
          if (ready.load(acquire)) static_cast<void>(data.get());
        });
  };
  options o;
  EXPECT_EQ(exhaust(publish, memory_model::rc11, o).verdict, verdict::ok);
  o.overrides = {{"release", std::memory_order::relaxed}};
  EXPECT_EQ(exhaust(publish, memory_model::rc11, o).finding.kind, finding_kind::data_race);
}

TEST(memory, a_waiter_that_is_notified_goes_on) {
  const result r = exhaust([] {
    platform::atomic<int> x{0};
    platform::plain<int> data{0};
    run(
        [&] {
          x.wait(0, acquire);
          check(data.get() == 1, "what came before the store is known");
        },
        [&] {
          data.set(1);
          x.store(1, release);
          x.notify_one();
        });
  });
  EXPECT_EQ(r.verdict, verdict::ok) << r.finding.message;
}

TEST(memory, a_waiter_that_nobody_notifies_sleeps_for_ever) {
  const result r = exhaust([] {
    platform::atomic<int> x{0};
    run([&] { x.wait(0, acquire); }, [&] { x.store(1, release); });
  });
  EXPECT_EQ(r.finding.kind, finding_kind::lost_wakeup);
}

TEST(memory, notify_one_may_wake_either_of_two_and_leaves_the_other) {
  const auto two = [](bool all) {
    return exhaust([all] {
      platform::atomic<int> x{0};
      const auto waiter = [&] { x.wait(0, relaxed); };
      run(waiter, waiter, [&] {
        x.store(1, relaxed);
        if (all) {
          x.notify_all();
        } else {
          x.notify_one();
        }
      });
    });
  };
  EXPECT_EQ(two(false).finding.kind, finding_kind::lost_wakeup);
  EXPECT_EQ(two(true).verdict, verdict::ok);
}

TEST(memory, a_spin_loop_is_searched_to_the_end) {
  const result r = exhaust([] {
    platform::atomic<bool> ready{false};
    platform::plain<int> data{0};
    run([&] { data.set(1), ready.store(true, release); },
        [&] {
          while (!ready.load(acquire)) platform::pause();
          check(data.get() == 1, "the data is there");
        });
  });
  EXPECT_EQ(r.verdict, verdict::ok) << r.finding.message << r.bound;
  EXPECT_EQ(r.graphs, 3U);  // the flag is seen at the first, the second or the third look
}

TEST(memory, a_spin_loop_without_pause_is_recognised) {
  const result r = exhaust([] {
    platform::atomic<bool> ready{false};
    run([&] { ready.store(true, release); },
        [&] {
          while (!ready.load(acquire)) {
          }
        });
  });
  EXPECT_EQ(r.verdict, verdict::ok) << r.finding.message << r.bound;
}

TEST(memory, a_loop_that_gives_up_is_not_a_livelock) {
  const result r = exhaust([] {
    platform::atomic<int> x{0};
    run([&] {
      for (int i = 0; i < 20 && x.load(relaxed) == 0; ++i) platform::yield();
    });
  });
  EXPECT_EQ(r.verdict, verdict::ok) << r.finding.message;
}

TEST(memory, a_spinlock_of_exchanges_excludes_and_ends) {
  const auto contest = [](site unlock) {
    return exhaust([unlock] {
      platform::atomic<bool> held{false};
      platform::plain<int> count{0};
      const auto body = [&] {
        while (held.exchange(true, acquire)) platform::pause();
        count.set(count.get() + 1);
        held.store(false, unlock);
      };
      run(body, body);
      check(count.get() == 2, "both were counted");
    });
  };
  EXPECT_EQ(contest(relaxed).finding.kind, finding_kind::data_race);
  const result right = contest(release);
  EXPECT_EQ(right.verdict, verdict::ok) << right.finding.message << right.bound;
}

TEST(memory, looking_under_a_mutex_in_a_spin_loop_ends_when_somebody_has_been_there) {
  const auto wait_for_a_push = [](bool pushes) {
    return exhaust([pushes] {
      platform::mutex m;
      platform::plain<std::vector<int>> pushed;
      run(
          [&] {
            const auto is_empty = [&] {
              std::lock_guard lock(m);
              return pushed.access().empty();
            };
            while (is_empty()) platform::pause();
          },
          [&] {
            std::lock_guard lock(m);
            if (pushes) pushed.access().push_back(1);
          });
    });
  };
  EXPECT_EQ(wait_for_a_push(true).verdict, verdict::ok);
  EXPECT_EQ(wait_for_a_push(false).finding.kind, finding_kind::livelock);
}

TEST(memory, a_loop_that_writes_plain_data_is_no_spin_loop) {
  const auto count = [](text& out) {
    platform::mutex m;
    platform::plain<int> sum{0};
    const auto add = [&](int by) {
      for (int i = 0; i < 2; ++i) {
        {
          std::lock_guard lock(m);
          sum.set(sum.get() * 10 + by);
        }
        platform::pause();
      }
    };
    run([&] { add(1); }, [&] { add(2); });
    out = std::to_string(sum.get());
  };
  EXPECT_EQ(outcomes(count), (std::set<text>{"1122", "1212", "1221", "2112", "2121", "2211"}));
}

TEST(memory, pausing_without_looking_is_a_back_off_or_a_livelock) {
  const auto pause_for = [](int turns) {
    return exhaust([turns] {
      platform::atomic<int> x{0};
      run(
          [&] {
            for (int i = 0; i != turns; ++i) platform::pause();
            x.store(1, relaxed);
          },
          [&] { static_cast<void>(x.load(relaxed)); });
    });
  };
  EXPECT_EQ(pause_for(100).graphs, 2U);
  EXPECT_EQ(pause_for(-1).finding.kind, finding_kind::livelock);
}

TEST(memory, time_passes_by_choice_up_to_the_horizon_only) {
  const auto sleep = [](time_point horizon) {
    return exhaust(
        [horizon] {
          set_horizon(horizon);
          platform::event never_signalled;
          platform::atomic<bool> stopped{false};
          run(
              [&] {
                for (int tick = 1; !stopped.load(acquire); ++tick) {
                  static_cast<void>(never_signalled.wait_until(time_point(tick)));
                }
              },
              [&] { stopped.store(true, release); });
        },
        memory_model::sc);
  };
  EXPECT_LT(sleep(time_point(1)).graphs, sleep(time_point(3)).graphs);
  EXPECT_EQ(sleep(time_point(3)).verdict, verdict::ok);
}

TEST(memory, threads_and_waits_fail_on_demand) {
  const result r = exhaust([] {
    fail_next_thread();
    bool failed = false;
    try {
      platform::thread t([] {});
    } catch (const std::system_error&) {
      failed = true;
    }
    check(failed, "the first thread cannot be created");
    platform::thread second([] {});
    second.join();
    fail_next_wait();
    platform::event e;
    e.signal();
    failed = false;
    try {
      static_cast<void>(e.wait_until(time_point(1)));
    } catch (const std::system_error&) {
      failed = true;
    }
    check(failed, "the first wait fails");
    check(e.wait_until(time_point(1)), "the second is signalled");
  });
  EXPECT_EQ(r.verdict, verdict::ok) << r.finding.message;
}

TEST(memory, a_deadline_may_pass_before_or_after_the_signal) {
  using namespace std::chrono_literals;
  const auto race = [](text& out) {
    platform::event wake;
    bool signalled = false;
    run(
        [&] {
          signalled = wake.wait_until(5ms);
          check(signalled || platform::now() >= 5ms, "never early");
        },
        [&] { wake.signal(); });
    out = signalled ? "signalled" : "timed out";
  };
  EXPECT_EQ(outcomes(race), (std::set<text>{"signalled", "timed out"}));
}

TEST(memory, sleepers_wake_in_the_order_of_their_deadlines) {
  using namespace std::chrono_literals;
  const auto two = [](text& out) {
    platform::event never_signalled[2];
    out.clear();
    const auto sleep = [&](int i, time_point until) {
      static_cast<void>(never_signalled[i].wait_until(until));
      out += std::to_string(platform::now() / 1ms) + " ";
    };
    run([&] { sleep(0, 7ms); }, [&] { sleep(1, 3ms); });
  };
  // Each sees its own deadline or, having been slow, the other's later one.
  EXPECT_EQ(outcomes(two), (std::set<text>{"3 7 ", "7 7 "}));
}

TEST(memory, time_hands_over_nothing_but_time) {
  using namespace std::chrono_literals;
  const result r = exhaust([] {
    platform::event unused;
    platform::plain<int> data{0};
    run([&] { data.set(1), static_cast<void>(platform::now()); },
        [&] {
          static_cast<void>(unused.wait_until(1ms));
          static_cast<void>(data.get());
        });
  });
  EXPECT_EQ(r.finding.kind, finding_kind::data_race);
}

TEST(memory, a_block_may_be_handed_out_again_on_request) {
  const auto twice = [](text& out) {
    void* const first = platform::allocate(16, 8);
    platform::deallocate(first, 16, 8);
    void* const second = platform::allocate(16, 8);
    out = first == second ? "same" : "other";
    platform::deallocate(second, 16, 8);
  };
  EXPECT_EQ(outcomes(twice), (std::set<text>{"other"}));
  options o;
  o.reuse_blocks = true;
  EXPECT_EQ(outcomes(twice, memory_model::rc11, o), (std::set<text>{"other", "same"}));
}

TEST(memory, threads_start_threads_and_join_them) {
  const result r = exhaust([] {
    platform::atomic<int> x{0};
    run(
        [&] {
          platform::thread inner([&] { x.fetch_add(1, relaxed); });
          check(inner.joinable() && inner.get_id() != platform::this_thread_id(), "an id each");
          inner.join();
          check(!inner.joinable() && x.load(relaxed) >= 1, "join hands over");
        },
        [&] { x.fetch_add(2, relaxed); });
    check(x.latest() == 3, "both counted");
  });
  EXPECT_EQ(r.verdict, verdict::ok) << r.finding.message;
}

}  // namespace
}  // namespace racewheel::explore
