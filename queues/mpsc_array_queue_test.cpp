#include "queues/mpsc_array_queue.hpp"

#include <gtest/gtest.h>

#include "core/counting_platform.hpp"
#include "core/gated_platform.hpp"
#include "queues/numbered_item.hpp"

namespace racewheel {
namespace {

using counted = mpsc_array_queue<numbered_item<counting_platform>, counting_platform>;

TEST(mpsc_array_queue, a_push_looks_at_the_consumer_once_per_lap) {
  counted queue(8);
  numbered_item<counting_platform> item;
  for (std::uint64_t i = 0; i < 80; ++i) {
    const access_counts push =
        counting_platform::count([&] { EXPECT_EQ(queue.push(&item), push_result::ok); });
    const std::uint64_t raise = i >= 8 && i % 8 == 0 ? 1 : 0;
    EXPECT_EQ(push, (access_counts{.loads = 2 + raise, .stores = 1 + raise, .rmws = 1})) << i;
    const access_counts pop =
        counting_platform::count([&] { EXPECT_EQ(queue.try_pop().item, &item); });
    EXPECT_EQ(pop, (access_counts{.loads = 1, .stores = 2})) << i;
  }
}

TEST(mpsc_array_queue, a_full_push_and_an_empty_pop_write_nothing) {
  counted queue(1);
  numbered_item<counting_platform> item;
  EXPECT_EQ(counting_platform::count([&] { EXPECT_EQ(queue.try_pop().item, nullptr); }),
            access_counts{.loads = 2});
  ASSERT_EQ(queue.push(&item), push_result::ok);
  EXPECT_EQ(counting_platform::count([&] { EXPECT_EQ(queue.push(&item), push_result::full); }),
            access_counts{.loads = 3});
}

/// A consumer held before `site_name` in the middle of a pop from a full queue of one; then a push.
/// Returns what the push said and whether its item came out in the end.
template <class Recipe>
std::pair<push_result, bool> push_into_an_unfinished_pop(std::string_view site_name) {
  using item = numbered_item<gated_platform>;
  mpsc_array_queue<item, gated_platform, Recipe> queue(1);
  item first;
  item second;
  EXPECT_EQ(queue.push(&first), push_result::ok);
  gate hold(site_name, thread_role{"consumer"});
  std::thread consumer([&] {
    gated_platform::set_role("consumer");
    EXPECT_EQ(queue.try_pop().item, &first);
  });
  EXPECT_TRUE(hold.wait_until_held());
  const push_result said = queue.push(&second);
  hold.open();
  consumer.join();
  return {said, queue.try_pop().item == &second};
}

TEST(mpsc_array_queue, a_slot_is_full_until_it_is_read_cleared_and_freed) {
  EXPECT_EQ(push_into_an_unfinished_pop<mpsc_array_recipe>("clear").first, push_result::full);
  EXPECT_EQ(push_into_an_unfinished_pop<mpsc_array_recipe>("free").first, push_result::full);
}

struct freed_before_cleared : mpsc_array_recipe {
  static constexpr bool clear_before_free = false;
};

TEST(mpsc_array_queue, a_slot_freed_before_it_is_cleared_loses_the_next_item) {
  const auto [said, came_out] = push_into_an_unfinished_pop<freed_before_cleared>("clear");
  EXPECT_EQ(said, push_result::ok);
  EXPECT_FALSE(came_out);
}

TEST(mpsc_array_queue, indices_of_different_threads_are_on_lines_of_their_own) {
  EXPECT_GE(sizeof(mpsc_array_queue<numbered_item<std_platform>>), 4 * separation);
  EXPECT_EQ(alignof(mpsc_array_queue<numbered_item<std_platform>>), separation);
}

}  // namespace
}  // namespace racewheel
