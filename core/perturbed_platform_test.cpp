#include "core/perturbed_platform.hpp"

#include <gtest/gtest.h>

namespace racewheel {
namespace {

constexpr site any{"any", std::memory_order::relaxed};

class perturbed : public testing::Test {
 protected:
  ~perturbed() override { perturbed_platform::configure({.seed = 1, .strength = 0}); }

  /// Stalls of a fresh thread with this number over 1000 accesses.
  static std::uint64_t stalls_of(std::uint64_t number) {
    std::uint64_t stalls = 0;
    std::thread([&] {
      perturbed_platform::set_thread_number(number);
      perturbed_platform::atomic<int> x{0};
      for (int i = 0; i < 1000; ++i) x.store(i, any);
      stalls = perturbed_platform::stalls();
    }).join();
    return stalls;
  }
};

TEST_F(perturbed, strength_zero_is_off) {
  perturbed_platform::configure({.seed = 7, .strength = 0});
  EXPECT_EQ(stalls_of(0), 0u);
}

TEST_F(perturbed, strength_is_the_percentage_of_accesses_that_stall) {
  perturbed_platform::configure({.seed = 7, .strength = 10});
  EXPECT_NEAR(static_cast<double>(stalls_of(0)), 100.0, 40.0);
  perturbed_platform::configure({.seed = 7, .strength = 100});
  EXPECT_NEAR(static_cast<double>(stalls_of(0)), 1000.0, 120.0);
}

TEST_F(perturbed, a_thread_repeats_itself_given_seed_and_number) {
  perturbed_platform::configure({.seed = 7, .strength = 20});
  const auto first = stalls_of(3);
  EXPECT_EQ(stalls_of(3), first);
  bool others_differ = false;
  for (std::uint64_t number = 4; number < 12; ++number) {
    others_differ = others_differ || stalls_of(number) != first;
  }
  EXPECT_TRUE(others_differ) << "eight other numbers drew the same stalls";
}

TEST_F(perturbed, threads_without_a_number_get_one_by_arrival) {
  perturbed_platform::configure({.seed = 7, .strength = 50});
  std::uint64_t stalls = 0;
  std::thread([&] {
    perturbed_platform::atomic<int> x{0};
    for (int i = 0; i < 1000; ++i) x.store(i, any);
    stalls = perturbed_platform::stalls();
  }).join();
  EXPECT_EQ(stalls, stalls_of(0));
}

TEST_F(perturbed, a_strength_that_is_no_percentage_is_refused) {
  EXPECT_THROW(perturbed_platform::configure({.seed = 7, .strength = 101}), std::invalid_argument);
  EXPECT_EQ(perturbed_platform::configured().strength, 0u);
}

}  // namespace
}  // namespace racewheel
