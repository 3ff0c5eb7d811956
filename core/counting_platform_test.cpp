#include "core/counting_platform.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <sstream>

namespace racewheel {
namespace {

constexpr site any{"any", std::memory_order::relaxed};

TEST(counting_platform, counts_each_kind_of_access_exactly) {
  counting_platform::atomic<int> x{1};
  counting_platform::mutex m;
  counting_platform::event e;
  int expected = 0;
  const access_counts counts = counting_platform::count([&] {
    (void)x.load(any);
    (void)x.load(any);
    x.store(2, any);
    (void)x.exchange(3, any);
    (void)x.fetch_add(1, any);
    EXPECT_FALSE(x.compare_exchange_strong(expected, 9, any, any));
    EXPECT_TRUE(x.compare_exchange_strong(expected, 9, any, any));
    counting_platform::fence({"any", std::memory_order::acq_rel});
    {
      std::lock_guard lock(m);
    }
    e.signal();
    e.wait();
    counting_platform::deallocate(counting_platform::allocate(8, 8), 8, 8);
  });
  EXPECT_EQ(counts, (access_counts{.loads = 2,
                                   .stores = 1,
                                   .rmws = 3,
                                   .failed_cas = 1,
                                   .fences = 1,
                                   .waits = 1,
                                   .wakes = 1,
                                   .locks = 1,
                                   .allocations = 1,
                                   .deallocations = 1}));
}

TEST(counting_platform, threads_do_not_count_for_each_other) {
  counting_platform::atomic<int> x{0};
  const access_counts mine = counting_platform::count([&] {
    std::thread([&] {
      const access_counts theirs = counting_platform::count([&] { x.store(1, any); });
      EXPECT_EQ(theirs, access_counts{.stores = 1});
    }).join();
  });
  EXPECT_EQ(mine, access_counts{});
}

TEST(counting_platform, counts_add_up_subtract_and_print_what_is_not_zero) {
  const access_counts a{.loads = 5, .rmws = 2};
  const access_counts b{.loads = 1, .failed_cas = 3};
  EXPECT_EQ((a + b), (access_counts{.loads = 6, .rmws = 2, .failed_cas = 3}));
  EXPECT_EQ((a + b) - b, a);
  std::ostringstream out;
  out << a << access_counts{};
  EXPECT_EQ(out.str(), "{loads 5, rmws 2}{}");
}

}  // namespace
}  // namespace racewheel
