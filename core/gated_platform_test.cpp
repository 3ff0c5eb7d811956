#include "core/gated_platform.hpp"

#include <gtest/gtest.h>

namespace racewheel {
namespace {

using std::chrono::milliseconds;
constexpr site a{"a", std::memory_order::release};
constexpr site b{"b", std::memory_order::release};
constexpr site seen{"seen", std::memory_order::acquire};

TEST(gated_platform, a_thread_is_held_before_its_access_until_the_gate_opens) {
  gated_platform::atomic<int> x{0};
  gate stall("a");
  std::thread t([&] { x.store(1, a); });
  ASSERT_TRUE(stall.wait_until_held());
  EXPECT_EQ(x.load(seen), 0);
  stall.open();
  t.join();
  EXPECT_EQ(x.load(seen), 1);
  EXPECT_FALSE(stall.expired());
}

TEST(gated_platform, only_the_chosen_role_is_held_and_only_once) {
  gated_platform::atomic<int> x{0};
  gate stall("a", thread_role{"producer 1"});
  std::thread other([&] {
    gated_platform::set_role("producer 0");
    x.fetch_add(1, a);
  });
  other.join();
  std::thread chosen([&] {
    gated_platform::set_role("producer 1");
    x.fetch_add(10, a);
    x.fetch_add(10, a);
  });
  ASSERT_TRUE(stall.wait_until_held());
  EXPECT_EQ(x.load(seen), 1);
  stall.open();
  chosen.join();
  EXPECT_EQ(x.load(seen), 21);
}

TEST(gated_platform, with_any_role_the_first_is_held_and_the_others_pass) {
  gated_platform::atomic<int> x{0};
  gate stall("a");
  std::thread first([&] { x.fetch_add(1, a); });
  ASSERT_TRUE(stall.wait_until_held());
  std::thread([&] { x.fetch_add(10, a); }).join();
  EXPECT_EQ(x.load(seen), 10);
  stall.open();
  first.join();
}

TEST(gated_platform, arrivals_can_be_skipped) {
  gated_platform::atomic<int> x{0};
  gate stall("a", {}, 2);
  std::thread t([&] {
    for (int i = 1; i <= 4; ++i) x.store(i, a);
  });
  ASSERT_TRUE(stall.wait_until_held());
  EXPECT_EQ(x.load(seen), 2);
  stall.open();
  t.join();
}

TEST(gated_platform, several_gates_hold_several_threads_and_open_in_any_order) {
  gated_platform::atomic<int> x{0};
  gate at_a("a");
  gate at_b("b");
  std::thread ta([&] { x.fetch_add(1, a); });
  std::thread tb([&] { x.fetch_add(10, b); });
  ASSERT_TRUE(at_a.wait_until_held());
  ASSERT_TRUE(at_b.wait_until_held());
  at_b.open();
  tb.join();
  EXPECT_EQ(x.load(seen), 10);
  at_a.open();
  ta.join();
  EXPECT_EQ(x.load(seen), 11);
}

TEST(gated_platform, unnamed_accesses_are_told_apart_by_kind) {
  gated_platform::atomic<int> x{0};
  gate stall(access::rmw, unnamed_site);
  std::thread t([&] {
    x.store(1, std::memory_order::release);
    x.exchange(2, std::memory_order::acq_rel);
  });
  ASSERT_TRUE(stall.wait_until_held());
  EXPECT_EQ(x.load(seen), 1);
  stall.open();
  t.join();
}

TEST(gated_platform, waiting_for_nobody_times_out) {
  gate stall("a");
  EXPECT_FALSE(stall.wait_until_held(milliseconds(20)));
}

TEST(gated_platform, destroying_a_gate_opens_it) {
  gated_platform::atomic<int> x{0};
  std::thread t;
  {
    gate stall("a");
    t = std::thread([&] { x.store(1, a); });
    ASSERT_TRUE(stall.wait_until_held());
  }
  t.join();
  EXPECT_EQ(x.load(seen), 1);
}

TEST(gated_platform, platform_operations_can_be_gated_like_sites) {
  gated_platform::event e;
  gate stall("event.signal");
  std::thread t([&] { e.signal(); });
  ASSERT_TRUE(stall.wait_until_held());
  EXPECT_FALSE(e.wait_until(gated_platform::now() + milliseconds(5)));
  stall.open();
  t.join();
  EXPECT_TRUE(e.wait_until(gated_platform::now()));
}

}  // namespace
}  // namespace racewheel
