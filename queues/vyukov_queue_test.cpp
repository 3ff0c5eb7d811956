#include "queues/vyukov_queue.hpp"

#include <gtest/gtest.h>

#include "core/counting_platform.hpp"
#include "core/gated_platform.hpp"
#include "queues/numbered_item.hpp"

namespace racewheel {
namespace {

TEST(vyukov_queue, a_push_is_one_exchange_and_two_stores) {
  vyukov_queue<numbered_item<counting_platform>, counting_platform> queue;
  numbered_item<counting_platform> item;
  EXPECT_EQ(counting_platform::count([&] { EXPECT_EQ(queue.push(&item), push_result::ok); }),
            (access_counts{.stores = 2, .rmws = 1}));
}

TEST(vyukov_queue, only_the_pop_of_the_last_item_touches_the_tail) {
  vyukov_queue<numbered_item<counting_platform>, counting_platform> queue;
  numbered_item<counting_platform> a;
  numbered_item<counting_platform> b;
  ASSERT_EQ(queue.push(&a), push_result::ok);
  ASSERT_EQ(queue.push(&b), push_result::ok);
  EXPECT_EQ(counting_platform::count([&] { EXPECT_EQ(queue.try_pop().item, &a); }),
            access_counts{.loads = 2})
      << "the stub's link and the item's";
  EXPECT_EQ(counting_platform::count([&] { EXPECT_EQ(queue.try_pop().item, &b); }),
            (access_counts{.loads = 3, .stores = 2, .rmws = 1}));
  EXPECT_EQ(counting_platform::count([&] { EXPECT_EQ(queue.try_pop().item, nullptr); }),
            access_counts{.loads = 2});
}

TEST(vyukov_queue, the_links_inside_a_bulk_need_no_order_of_their_own) {
  vyukov_queue<numbered_item<counting_platform>, counting_platform> queue;
  item_pool<counting_platform> items(1, 5);
  std::vector<numbered_item<counting_platform>*> bulk;
  for (std::size_t id = 0; id < 5; ++id) bulk.push_back(&items[id]);
  EXPECT_EQ(counting_platform::count([&] { EXPECT_EQ(queue.push_bulk(bulk), 5u); }),
            (access_counts{.stores = 6, .rmws = 1}));
}

TEST(vyukov_queue, a_popped_node_may_be_pushed_again_at_once) {
  vyukov_queue<numbered_item<std_platform>> queue;
  numbered_item<std_platform> item;
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(queue.push(&item), push_result::ok);
    ASSERT_EQ(queue.try_pop().item, &item);
    ASSERT_EQ(queue.try_pop().state, pop_state::empty);
  }
}

TEST(vyukov_queue, size_approx_ends_at_the_stall_gap) {
  vyukov_queue<numbered_item<gated_platform>, gated_platform> queue;
  item_pool<gated_platform> items(1, 3);
  ASSERT_EQ(queue.push(&items[0]), push_result::ok);
  gate stall("link", thread_role{"stalled"});
  std::thread stalled([&] {
    gated_platform::set_role("stalled");
    EXPECT_EQ(queue.push(&items[1]), push_result::ok);
  });
  ASSERT_TRUE(stall.wait_until_held());
  ASSERT_EQ(queue.push(&items[2]), push_result::ok);
  EXPECT_EQ(queue.size_approx(), 1u);
  stall.open();
  stalled.join();
  EXPECT_EQ(queue.size_approx(), 3u);
}

}  // namespace
}  // namespace racewheel
