#include "core/admission.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "core/counting_platform.hpp"

namespace racewheel {
namespace {

using door = admission<counting_platform, timer_recipe>;
using verdict = door::verdict;

TEST(admission, counts_who_is_inside_and_who_is_pending) {
  door d;
  EXPECT_EQ(d.enter(door::unlimited), verdict::admitted);
  EXPECT_EQ(d.enter(door::unlimited), verdict::admitted);
  EXPECT_EQ(d.pending(), 2u);
  const door::counts drained = d.settle(2, 0);
  EXPECT_EQ(drained.unpublished, 0u);
  EXPECT_EQ(drained.pending, 2u);
  EXPECT_FALSE(drained.closed);
  EXPECT_EQ(d.settle(0, 1).pending, 1u);
  EXPECT_EQ(d.settle(0, 1).pending, 0u);
}

TEST(admission, take_back_leaves_no_trace) {
  door d;
  ASSERT_EQ(d.enter(door::unlimited), verdict::admitted);
  d.take_back();
  EXPECT_EQ(d.pending(), 0u);
  EXPECT_EQ(d.settle(0, 0).unpublished, 0u);
}

TEST(admission, with_a_limit_of_m_exactly_m_are_admitted) {
  door d;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(d.enter(3), verdict::admitted);
  EXPECT_EQ(d.enter(3), verdict::over_limit);
  EXPECT_EQ(d.pending(), 3u);
  d.settle(3, 0);
  EXPECT_EQ(d.enter(3), verdict::over_limit) << "drained is still pending";
  d.settle(0, 1);
  EXPECT_EQ(d.enter(3), verdict::admitted);
}

TEST(admission, once_closed_everybody_is_refused_without_a_trace) {
  for (const std::uint32_t limit : {door::unlimited, std::uint32_t{5}}) {
    door d;
    ASSERT_EQ(d.enter(limit), verdict::admitted);
    EXPECT_FALSE(d.closed());
    d.close();
    d.close();
    EXPECT_TRUE(d.closed());
    EXPECT_EQ(d.enter(limit), verdict::closed);
    const door::counts left = d.settle(0, 0);
    EXPECT_TRUE(left.closed);
    EXPECT_EQ(left.unpublished, 1u) << "who entered before still counts";
    EXPECT_EQ(left.pending, 1u);
    EXPECT_EQ(d.settle(1, 1).unpublished, 0u);
  }
}

TEST(admission, closed_is_said_before_over_limit) {
  door d;
  ASSERT_EQ(d.enter(1), verdict::admitted);
  d.close();
  EXPECT_EQ(d.enter(1), verdict::closed);
}

TEST(admission, entering_and_settling_are_one_rmw_each) {
  door d;
  EXPECT_EQ(counting_platform::count([&] { (void)d.enter(door::unlimited); }),
            access_counts{.rmws = 1});
  EXPECT_EQ(counting_platform::count([&] { (void)d.enter(9); }),
            (access_counts{.loads = 1, .rmws = 1}));
  EXPECT_EQ(counting_platform::count([&] { d.settle(2, 2); }), access_counts{.rmws = 1});
}

TEST(admission, the_limit_is_exact_under_concurrency) {
  for (const std::size_t threads : {2u, 4u, 8u}) {
    constexpr std::uint32_t limit = 1000;
    door d;
    std::vector<std::uint32_t> admitted(threads, 0);
    std::vector<std::thread> crowd;
    for (std::size_t i = 0; i < threads; ++i) {
      crowd.emplace_back([&, i] {
        for (std::uint32_t n = 0; n < limit; ++n) {
          if (d.enter(limit) == verdict::admitted) ++admitted[i];
        }
      });
    }
    for (std::thread& t : crowd) t.join();
    std::uint32_t inside = 0;
    for (const std::uint32_t n : admitted) inside += n;
    EXPECT_EQ(inside, limit);
    EXPECT_EQ(d.pending(), limit);
  }
}

}  // namespace
}  // namespace racewheel
