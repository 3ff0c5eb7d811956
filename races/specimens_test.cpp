// What every specimen of the registry must be.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "races/lookup.hpp"

namespace racewheel {
namespace {

/// The members of Base that Other changes, sites and choices alike.
template <class Base, class Other>
std::vector<std::string_view> differences() {
  std::vector<std::string_view> names;
  const auto sites = sites_of<Base>();
  const auto other_sites = sites_of<Other>();
  for (std::size_t i = 0; i < sites.size(); ++i) {
    EXPECT_TRUE(sites[i].named(other_sites[i].name)) << "a specimen renames no site";
    if (sites[i].order != other_sites[i].order) names.emplace_back(sites[i].name);
  }
  const auto choices = choices_of<Base>();
  const auto other_choices = choices_of<Other>();
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].taken != other_choices[i].taken) names.emplace_back(choices[i].name);
  }
  return names;
}

TEST(specimens, each_spoils_the_one_member_it_names) {
  specimens::for_each([]<class S>() {
    EXPECT_EQ((differences<typename S::base, typename S::recipe>()),
              std::vector<std::string_view>{S::facts.spoils})
        << S::facts.id;
  });
}

TEST(specimens, each_has_an_id_of_its_own) {
  std::set<std::string_view> ids;
  specimens::for_each([&]<class S>() {
    EXPECT_TRUE(ids.insert(S::facts.id).second) << S::facts.id << " is there twice";
    EXPECT_FALSE(S::facts.id.empty());
    EXPECT_EQ(S::facts.id.find('_'), std::string_view::npos) << S::facts.id;
  });
}

TEST(specimens, each_says_where_it_is_from_and_what_goes_wrong) {
  specimens::for_each([]<class S>() {
    EXPECT_FALSE(S::facts.from.empty()) << S::facts.id;
    EXPECT_FALSE(S::facts.goes_wrong.empty()) << S::facts.id;
  });
}

TEST(specimens, each_has_a_detector_that_can_see_its_kind) {
  specimens::for_each([]<class S>() {
    const detector_set& by = S::facts.caught_by;
    EXPECT_FALSE(by.empty()) << S::facts.id;
    if (S::facts.kind == race_kind::weak_memory) {
      EXPECT_TRUE(by.contains(detector::explore_rc11)) << S::facts.id;
      EXPECT_FALSE(by.contains(detector::explore_sc)) << S::facts.id << " needs weak memory";
      EXPECT_FALSE(by.contains(detector::forced)) << S::facts.id << " needs weak memory";
    }
  });
}

TEST(specimens, each_is_one_of_the_timer_or_one_of_a_queue) {
  EXPECT_EQ(timer_specimens::size + queue_specimens::size, specimens::size);
  EXPECT_GT(timer_specimens::size, 0U);
  EXPECT_GT(queue_specimens::size, 0U);
}

TEST(specimens, each_choice_of_the_timer_is_spoiled_by_one) {
  for (const choice& c : choices_of<timer_recipe>()) {
    int specimens_of_it = 0;
    timer_specimens::for_each([&]<class S>() { specimens_of_it += S::facts.spoils == c.name; });
    EXPECT_EQ(specimens_of_it, 1) << c.name;
  }
}

}  // namespace
}  // namespace racewheel
