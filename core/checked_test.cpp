#include "core/checked.hpp"

#include <gtest/gtest.h>

namespace racewheel {
namespace {

std::string message_of(std::size_t capacity) {
  try {
    (void)checked_capacity(capacity);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "accepted";
}

TEST(checked, a_capacity_in_range_comes_back_unchanged) {
  EXPECT_EQ(checked_capacity(1), 1u);
  EXPECT_EQ(checked_capacity(3), 3u);
  EXPECT_EQ(checked_capacity(max_capacity), max_capacity);
}

TEST(checked, zero_and_absurd_capacities_are_named_with_their_value) {
  EXPECT_EQ(message_of(0), "capacity is 0; it must be 1 to 1073741824");
  EXPECT_EQ(message_of(max_capacity + 1), "capacity is 1073741825; it must be 1 to 1073741824");
}

TEST(checked, a_negative_capacity_is_shown_as_the_number_it_was) {
  EXPECT_EQ(message_of(static_cast<std::size_t>(-5)),
            "capacity is 18446744073709551611 (-5 as a signed number); it must be 1 to "
            "1073741824");
}

}  // namespace
}  // namespace racewheel
