// Each detector finds its kind of error, and stays silent about the twin that is right.
#include <gtest/gtest.h>

#include <stdexcept>

#include "explore/test_kit.hpp"

namespace racewheel::explore {
namespace {

using namespace test_kit;

TEST(detectors, an_assertion_is_reported_by_its_name) {
  const result r = exhaust([] {
    platform::atomic<int> x{0};
    run([&] { x.store(1, relaxed); }, [&] { check(x.load(relaxed) == 0, "x is still 0"); });
  });
  EXPECT_EQ(r.verdict, verdict::violation);
  EXPECT_EQ(r.finding.kind, finding_kind::assertion);
  EXPECT_EQ(r.finding.message, "x is still 0 does not hold (P1)");
}

TEST(detectors, an_assertion_that_always_holds_is_no_finding) {
  const result r = exhaust([] {
    platform::atomic<int> x{0};
    run([&] { x.store(1, relaxed); }, [&] { check(x.load(relaxed) <= 1, "x is 0 or 1"); });
  });
  EXPECT_EQ(r.verdict, verdict::ok) << r.finding.message;
  EXPECT_EQ(r.graphs, 2U);
}

TEST(detectors, an_exception_that_leaves_a_thread_is_reported) {
  const result r = exhaust([] { run([] { throw std::runtime_error("out of luck"); }); });
  EXPECT_EQ(r.finding.kind, finding_kind::exception);
  EXPECT_EQ(r.finding.message, "P0 ends with an exception: out of luck");
}

TEST(detectors, exceptions_caught_inside_a_thread_survive_switches) {
  const auto thrower = [](platform::atomic<int>& x, int n) {
    try {
      throw n;
    } catch (int caught) {
      x.fetch_add(caught, relaxed);  // others run here, in the middle of handling
      try {
        throw caught * 10;
      } catch (int inner) {
        x.fetch_add(inner, relaxed);
      }
      check(caught == n, "the exception being handled is mine");
    }
  };
  const result r = exhaust([&] {
    platform::atomic<int> x{0};
    run([&] { thrower(x, 1); }, [&] { thrower(x, 2); });
    check(x.latest() == 33, "all were handled");
  });
  EXPECT_EQ(r.verdict, verdict::ok) << r.finding.message;
}

void publish_through(site publish, site follow) {
  platform::atomic<bool> ready{false};
  platform::plain<int> data{0};
  run([&] { data.set(1), ready.store(true, publish); },
      [&] {
        if (ready.load(follow)) check(data.get() == 1, "the data is there");
      });
}

TEST(detectors, a_data_race_names_both_accesses_and_the_missing_edge) {
  const result r = exhaust([] { publish_through(relaxed, acquire); });
  EXPECT_EQ(r.finding.kind, finding_kind::data_race);
  EXPECT_NE(r.finding.message.find("write by P0 before [relaxed]"), std::string::npos)
      << r.finding.message;
  EXPECT_NE(r.finding.message.find("read by P1 after [acquire]"), std::string::npos);
  EXPECT_NE(r.finding.message.find("no happens-before edge"), std::string::npos);
}

TEST(detectors, release_and_acquire_order_plain_data) {
  EXPECT_EQ(exhaust([] { publish_through(release, acquire); }).verdict, verdict::ok);
}

TEST(detectors, under_sc_every_order_is_strong_enough) {
  EXPECT_EQ(exhaust([] { publish_through(relaxed, relaxed); }, memory_model::sc).verdict,
            verdict::ok);
}

TEST(detectors, a_write_races_with_an_earlier_read) {
  const result r = exhaust([] {
    platform::plain<int> data{0};
    platform::atomic<int> x{0};
    run([&] { static_cast<void>(data.get()), x.store(1, relaxed); },
        [&] { static_cast<void>(x.load(relaxed)), data.set(1); });
  });
  EXPECT_EQ(r.finding.kind, finding_kind::data_race);
}

TEST(detectors, an_atomic_constructed_by_another_thread_must_be_handed_over) {
  const auto hand_over = [](site publish) {
    return exhaust([publish] {
      platform::atomic<platform::atomic<int>*> shared{nullptr};
      run(
          [&] {
            auto* const made = new (detail::scratch(16, 8)) platform::atomic<int>(7);
            shared.store(made, publish);
          },
          [&] {
            if (auto* const seen = shared.load(acquire)) static_cast<void>(seen->load(relaxed));
          });
    });
  };
  EXPECT_EQ(hand_over(relaxed).finding.kind, finding_kind::data_race);
  EXPECT_EQ(hand_over(release).verdict, verdict::ok);
}

struct node {
  platform::atomic<int> value{0};
  platform::plain<int> data{0};
};

node* make_node() { return new (platform::allocate(sizeof(node), alignof(node))) node; }
void free_node(node* n) {
  n->~node();
  platform::deallocate(n, sizeof(node), alignof(node));
}

TEST(detectors, use_after_free_is_found_in_either_order) {
  for (const bool reader_first : {false, true}) {
    const result r = exhaust([reader_first] {
      node* const n = make_node();
      const auto reader = [n] { static_cast<void>(n->value.load(relaxed)); };
      const auto freer = [n] { free_node(n); };
      if (reader_first) {
        run(reader, freer);
      } else {
        run(freer, reader);
      }
    });
    EXPECT_EQ(r.finding.kind, finding_kind::use_after_free) << r.finding.message;
  }
}

TEST(detectors, use_of_freed_plain_data_is_found) {
  const result r = exhaust([] {
    node* const n = make_node();
    platform::deallocate(n, sizeof(node), alignof(node));  // without its destructor
    static_cast<void>(n->data.get());
  });
  EXPECT_EQ(r.finding.kind, finding_kind::use_after_free);
}

TEST(detectors, double_free_is_found) {
  const result r = exhaust([] {
    void* const p = platform::allocate(8, 8);
    platform::deallocate(p, 8, 8);
    platform::deallocate(p, 8, 8);
  });
  EXPECT_EQ(r.finding.kind, finding_kind::double_free);
  EXPECT_EQ(r.finding.message, "main frees block 1 of main again");
}

TEST(detectors, blocks_that_are_freed_once_are_no_finding) {
  const result r = exhaust([] {
    void* const first = platform::allocate(8, 8);
    void* const second = platform::allocate(8, 8);
    platform::deallocate(second, 8, 8);
    platform::deallocate(first, 8, 8);
  });
  EXPECT_EQ(r.verdict, verdict::ok) << r.finding.message;
}

TEST(detectors, a_block_that_is_never_freed_is_a_leak) {
  const result r = exhaust([] { static_cast<void>(platform::allocate(24, 8)); });
  EXPECT_EQ(r.finding.kind, finding_kind::leak);
  EXPECT_EQ(r.finding.message, "block 1 of main (24 bytes) is never freed");
}

TEST(detectors, freeing_after_the_others_ended_is_fine) {
  const result r = exhaust([] {
    node* const n = make_node();
    run([n] { n->value.store(1, relaxed); }, [n] { n->value.store(2, relaxed); });
    free_node(n);
  });
  EXPECT_EQ(r.verdict, verdict::ok) << r.finding.message;
}

TEST(detectors, locks_taken_in_two_orders_deadlock) {
  const auto lock_both = [](platform::mutex& first, platform::mutex& second) {
    first.lock();
    second.lock();
    second.unlock();
    first.unlock();
  };
  const result r = exhaust([&] {
    platform::mutex a;
    platform::mutex b;
    run([&] { lock_both(a, b); }, [&] { lock_both(b, a); });
  });
  EXPECT_EQ(r.finding.kind, finding_kind::deadlock);
  EXPECT_NE(r.finding.message.find("P0 waits for the mutex at [mutex.lock], held by P1"),
            std::string::npos)
      << r.finding.message;

  const result ordered = exhaust([&] {
    platform::mutex a;
    platform::mutex b;
    run([&] { lock_both(a, b); }, [&] { lock_both(a, b); });
  });
  EXPECT_EQ(ordered.verdict, verdict::ok) << ordered.finding.message;
}

TEST(detectors, a_wait_that_nobody_signals_is_a_lost_wakeup) {
  const result r = exhaust([] {
    platform::atomic<bool> sleeping{false};
    platform::event wake;
    run(
        [&] {
          sleeping.store(true, seq_cst);
          wake.wait();
        },
        [&] {
          if (sleeping.load(seq_cst)) wake.signal();  // decided too early
        });
  });
  EXPECT_EQ(r.finding.kind, finding_kind::lost_wakeup);
}

TEST(detectors, an_event_remembers_a_signal) {
  const result r = exhaust([] {
    platform::event wake;
    run([&] { wake.wait(); }, [&] { wake.signal(); });
  });
  EXPECT_EQ(r.verdict, verdict::ok) << r.finding.message;
}

TEST(detectors, spinning_for_what_nobody_writes_is_a_livelock) {
  const result r = exhaust([] {
    platform::atomic<int> x{0};
    run(
        [&] {
          while (x.load(acquire) == 0) platform::pause();
        },
        [&] { static_cast<void>(x.load(relaxed)); });
  });
  EXPECT_EQ(r.finding.kind, finding_kind::livelock);
  EXPECT_NE(r.finding.message.find("P0 waits for a new store, spinning after [acquire]"),
            std::string::npos)
      << r.finding.message;
}

TEST(detectors, spinning_for_what_somebody_writes_is_no_livelock) {
  const result r = exhaust([] {
    platform::atomic<int> x{0};
    run(
        [&] {
          while (x.load(acquire) == 0) platform::pause();
        },
        [&] { x.store(1, release); });
  });
  EXPECT_EQ(r.verdict, verdict::ok) << r.finding.message;
}

TEST(detectors, an_execution_without_end_is_inconclusive) {
  options o;
  o.steps = 100;
  const result r = exhaust(
      [] {
        platform::atomic<int> x{0};
        for (;;) x.fetch_add(1, relaxed);
      },
      memory_model::rc11, o);
  EXPECT_EQ(r.verdict, verdict::inconclusive);
  EXPECT_EQ(r.bound, "steps 100");
  EXPECT_FALSE(r.exhausted);
}

TEST(detectors, a_program_that_depends_on_more_than_the_schedule_is_told_so) {
  int runs = 0;
  const result r = exhaust([&runs] { check(++runs != 1, "a check that fails only once"); });
  EXPECT_EQ(r.finding.kind, finding_kind::misuse);
  EXPECT_NE(r.finding.message.find("not deterministic"), std::string::npos) << r.finding.message;
}

TEST(detectors, state_of_another_execution_is_not_usable) {
  platform::atomic<int>* kept = nullptr;
  const result r = exhaust([&kept] {
    if (kept == nullptr) {
      kept = new (detail::scratch(16, 8)) platform::atomic<int>(0);
      run([] { platform::yield(); });
      check(false, "first execution");
    }
    static_cast<void>(kept->load(relaxed));
  });
  EXPECT_EQ(r.finding.kind, finding_kind::misuse);  // the replay sees another program
  EXPECT_NE(r.finding.message.find("not constructed in this execution"), std::string::npos)
      << r.finding.message;
}

TEST(detectors, outside_an_execution_nothing_works) { EXPECT_THROW(cell(0), std::logic_error); }

}  // namespace
}  // namespace racewheel::explore
