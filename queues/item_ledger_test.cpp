#include "queues/item_ledger.hpp"

#include <gtest/gtest.h>

#include "core/std_platform.hpp"
#include "queues/numbered_item.hpp"

namespace racewheel {
namespace {

std::string verdict_on(std::initializer_list<std::size_t> ids) {
  item_ledger ledger(2, 2);
  for (const std::size_t id : ids) ledger.enter(id);
  return ledger.finish().value_or("ok");
}

TEST(item_ledger, any_merge_of_the_producers_is_ok) {
  EXPECT_EQ(verdict_on({0, 1, 2, 3}), "ok");
  EXPECT_EQ(verdict_on({2, 0, 3, 1}), "ok");
}

TEST(item_ledger, names_what_was_lost_repeated_or_reordered) {
  EXPECT_EQ(verdict_on({0, 1, 2}), "1 of 4 items were lost, first item 1 of producer 1");
  EXPECT_EQ(verdict_on({0, 0, 1, 2, 3}), "item 0 of producer 0 came out twice");
  EXPECT_EQ(verdict_on({0, 1, 3, 2}),
            "item 1 of producer 1 came out where item 0 of the same producer was due");
}

TEST(item_ledger, a_sum_that_fits_does_not_hide_a_swap_of_lost_and_repeated) {
  EXPECT_EQ(verdict_on({0, 1, 2, 2}), "item 0 of producer 1 came out twice");
}

TEST(item_pool, knows_its_own_items_without_looking_inside) {
  item_pool<std_platform> pool(2, 3);
  EXPECT_EQ(pool.size(), 6u);
  EXPECT_EQ(pool.at(1, 2).id, 5u);
  EXPECT_TRUE(pool.owns(&pool[0]));
  EXPECT_TRUE(pool.owns(&pool[5]));
  const numbered_item<std_platform> stranger;
  EXPECT_FALSE(pool.owns(&stranger));
  EXPECT_FALSE(pool.owns(nullptr));
  const auto inside = reinterpret_cast<std::uintptr_t>(&pool[1]) + alignof(void*);
  EXPECT_FALSE(pool.owns(reinterpret_cast<const numbered_item<std_platform>*>(inside)));
}

}  // namespace
}  // namespace racewheel
