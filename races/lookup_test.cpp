#include "races/lookup.hpp"

#include <gtest/gtest.h>

namespace racewheel {
namespace {

TEST(lookup, an_id_leads_to_the_spoiled_recipe_of_the_timer) {
  int visits = 0;
  with_timer_specimen("early-break", [&]<class Recipe>() {
    ++visits;
    EXPECT_FALSE(Recipe::walk_to_the_end);
    EXPECT_TRUE(Recipe::rounds_relative);
  });
  EXPECT_EQ(visits, 1);
}

TEST(lookup, no_id_leads_to_the_recipe_that_ships) {
  int visits = 0;
  with_timer_specimen("", [&]<class Recipe>() {
    ++visits;
    EXPECT_TRUE((std::is_same_v<Recipe, timer_recipe>));
  });
  EXPECT_EQ(visits, 1);
}

TEST(lookup, an_id_leads_to_the_spoiled_backend) {
  int visits = 0;
  with_queue_specimen("relaxed-publish", [&]<class Backend>() {
    ++visits;
    EXPECT_EQ(Backend::traits.name, "vyukov");
    EXPECT_EQ(Backend::recipe::link.order, std::memory_order::relaxed);
  });
  EXPECT_EQ(visits, 1);
}

template <class Lookup>
std::string answer_to(Lookup&& lookup) {
  try {
    lookup();
  } catch (const unknown_specimen& answer) {
    return answer.what();
  }
  return "";
}

TEST(lookup, an_unknown_id_is_answered_with_the_known_ones) {
  const std::string answer =
      answer_to([] { with_timer_specimen("early-brake", []<class Recipe>() { FAIL(); }); });
  EXPECT_EQ(answer,
            "specimen early-brake is unknown here: use one of " + specimen_ids<timer_specimens>());
  EXPECT_NE(answer.find("early-break"), std::string::npos);
}

TEST(lookup, a_specimen_of_a_queue_is_none_of_the_timer) {
  const std::string answer =
      answer_to([] { with_timer_specimen("relaxed-publish", []<class Recipe>() { FAIL(); }); });
  EXPECT_EQ(answer.find("stub-double-insert"), std::string::npos);
  EXPECT_NE(answer.find("double-decrement"), std::string::npos);
}

}  // namespace
}  // namespace racewheel
