#include "core/bucket.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "core/std_platform.hpp"

namespace racewheel {
namespace {

struct item {
  std_plain<item*> before{nullptr};
  std_plain<item*> after{nullptr};
};

class bucket_test : public testing::Test {
 protected:
  bucket_test() {
    for (item& i : items_) list_.append(i);
  }
  [[nodiscard]] std::vector<std::size_t> content() const {
    std::vector<std::size_t> found;
    for (const item* i = list_.first(); i != nullptr; i = bucket<item>::next(*i)) {
      found.push_back(static_cast<std::size_t>(i - items_.data()));
    }
    return found;
  }

  std::array<item, 4> items_;
  bucket<item> list_;
};

using indices = std::vector<std::size_t>;

TEST_F(bucket_test, keeps_the_order_of_arrival) { EXPECT_EQ(content(), (indices{0, 1, 2, 3})); }

TEST_F(bucket_test, removes_first_middle_last_and_only) {
  list_.remove(items_[0]);
  EXPECT_EQ(content(), (indices{1, 2, 3}));
  list_.remove(items_[2]);
  EXPECT_EQ(content(), (indices{1, 3}));
  list_.remove(items_[3]);
  EXPECT_EQ(content(), (indices{1}));
  list_.remove(items_[1]);
  EXPECT_TRUE(list_.empty());
  list_.append(items_[2]);
  list_.append(items_[0]);
  EXPECT_EQ(content(), (indices{2, 0})) << "usable again";
}

TEST_F(bucket_test, pops_the_oldest_until_it_is_empty) {
  for (item& i : items_) EXPECT_EQ(list_.pop(), &i);
  EXPECT_EQ(list_.pop(), nullptr);
  EXPECT_TRUE(list_.empty());
}

TEST_F(bucket_test, what_was_removed_has_no_links) {
  list_.remove(items_[1]);
  EXPECT_EQ(items_[1].before.get(), nullptr);
  EXPECT_EQ(items_[1].after.get(), nullptr);
}

}  // namespace
}  // namespace racewheel
