#include "queues/mutex_deque_queue.hpp"

#include <gtest/gtest.h>

#include "core/counting_platform.hpp"
#include "queues/numbered_item.hpp"

namespace racewheel {
namespace {

TEST(mutex_deque_queue, a_drained_batch_takes_one_lock) {
  mutex_deque_queue<numbered_item<counting_platform>, counting_platform> queue;
  item_pool<counting_platform> items(1, 10);
  for (std::size_t id = 0; id < 10; ++id) ASSERT_EQ(queue.push(&items[id]), push_result::ok);
  const access_counts drain = counting_platform::count(
      [&] { EXPECT_EQ(queue.drain(10, [](auto*) noexcept {}).why, drain_end::limit); });
  EXPECT_EQ(drain.locks, 1u);
}

struct failing_platform : std_platform {
  static inline bool fail = false;

  [[nodiscard]] static void* allocate(std::size_t size, std::size_t alignment) {
    if (fail) throw std::bad_alloc();
    return std_platform::allocate(size, alignment);
  }
};

TEST(mutex_deque_queue, a_push_without_memory_throws_and_has_no_effect) {
  mutex_deque_queue<numbered_item<failing_platform>, failing_platform> queue;
  item_pool<failing_platform> items(1, 1000);
  std::size_t inside = 0;
  failing_platform::fail = true;
  try {
    for (; inside < 1000; ++inside) EXPECT_EQ(queue.push(&items[inside]), push_result::ok);
  } catch (const std::bad_alloc&) {
  }
  ASSERT_LT(inside, 1000u) << "the first chunk cannot hold them all";
  std::vector<numbered_item<failing_platform>*> bulk;
  for (std::size_t id = 0; id < 1000; ++id) bulk.push_back(&items[id]);
  EXPECT_THROW((void)queue.push_bulk(bulk), std::bad_alloc);
  failing_platform::fail = false;
  EXPECT_EQ(queue.size_approx(), inside);
  ASSERT_EQ(queue.push(&items[inside]), push_result::ok);
  for (std::size_t id = 0; id <= inside; ++id) ASSERT_EQ(queue.try_pop().item, &items[id]);
  EXPECT_EQ(queue.try_pop().state, pop_state::empty);
}

}  // namespace
}  // namespace racewheel
