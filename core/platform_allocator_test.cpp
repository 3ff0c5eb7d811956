#include "core/platform_allocator.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/counting_platform.hpp"

namespace racewheel {
namespace {

TEST(platform_allocator, a_container_allocates_through_the_platform) {
  const access_counts counts = counting_platform::count([] {
    const std::vector<int, platform_allocator<int, counting_platform>> v(100);
    EXPECT_EQ(v.size(), 100u);
  });
  EXPECT_EQ(counts, (access_counts{.allocations = 1, .deallocations = 1}));
}

TEST(platform_allocator, alignment_is_that_of_the_type) {
  struct alignas(256) wide {
    char c;
  };
  platform_allocator<wide, std_platform> allocator;
  wide* const p = allocator.allocate(3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 256, 0u);
  allocator.deallocate(p, 3);
}

TEST(platform_allocator, a_size_that_overflows_is_refused) {
  platform_allocator<long, std_platform> allocator;
  EXPECT_THROW((void)allocator.allocate(static_cast<std::size_t>(-1) / 4),
               std::bad_array_new_length);
}

}  // namespace
}  // namespace racewheel
