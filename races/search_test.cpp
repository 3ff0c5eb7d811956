// The explorer finds every specimen, exhausts every fixed twin, and replays every stored race.
#include "races/search.hpp"

#include <gtest/gtest.h>

#include <string>

#include "explore/sanitized.hpp"
#include "explore/schedule.hpp"
#include "races/lookup.hpp"

namespace racewheel::races {
namespace {

using explore::memory_model;
using explore::verdict;

std::string stored(std::string_view id) {
  return std::string(RACEWHEEL_RACES_DIR) + "/" + std::string(id) + ".race";
}

TEST(specimen_search, each_specimen_is_found_under_the_model_that_its_kind_needs) {
  specimens::for_each([]<class S>() {
    const specimen_search found = find_specimen(S::facts.id);
    EXPECT_EQ(found.result.verdict, verdict::violation) << S::facts.id;
    const bool weak = S::facts.kind == race_kind::weak_memory;
    EXPECT_EQ(found.options.memory, weak ? memory_model::rc11 : memory_model::sc) << S::facts.id;
    EXPECT_TRUE(S::facts.caught_by.contains(weak ? detector::explore_rc11 : detector::explore_sc))
        << S::facts.id << " was found by the explorer and does not say so";
    EXPECT_NE(found.result.finding.kind, explore::finding_kind::misuse)
        << S::facts.id << ": " << found.result.finding.message;
  });
}

TEST(specimen_search, each_fixed_twin_is_exhausted_under_rc11_without_a_finding) {
  specimens::for_each([]<class S>() {
    const specimen_search twin =
        exhaust_twin(S::facts.id, {.executions = explore::exhausting_executions});
    EXPECT_NE(twin.result.verdict, verdict::violation)
        << S::facts.id << twin.result.finding.message;
    const bool cut =
        explore::is_sanitized && twin.result.executions == explore::exhausting_executions;
    EXPECT_TRUE(twin.result.exhausted || cut) << S::facts.id << twin.result.bound;
  });
}

TEST(specimen_search, what_needs_weak_memory_is_exhausted_under_sc_without_a_finding) {
  specimens::for_each([]<class S>() {
    if (S::facts.kind != race_kind::weak_memory) return;
    const specimen_search strong = exhaust_under_sc(S::facts.id);
    EXPECT_EQ(strong.result.verdict, verdict::ok) << S::facts.id << strong.result.finding.message;
  });
}

TEST(specimen_search, each_stored_race_replays_step_by_step) {
  specimens::for_each([]<class S>() {
    try {
      const explore::race_file race = explore::load_race(stored(S::facts.id));
      EXPECT_EQ(race.config.at("specimen"), S::facts.id);
      const explore::result first = replay(race);
      EXPECT_EQ(first.verdict, verdict::violation) << S::facts.id;
      EXPECT_EQ(first.finding.trace, replay(race).finding.trace) << S::facts.id;
    } catch (const std::exception& e) {
      ADD_FAILURE() << S::facts.id << ": " << e.what() << "; to store it anew: store_races races";
    }
  });
}

TEST(specimen_search, a_stored_race_does_not_replay_without_its_specimen) {
  explore::race_file race = explore::load_race(stored("relaxed-publish"));
  race.config.erase("specimen");
  EXPECT_THROW(static_cast<void>(replay(race)), explore::replay_divergence);
}

TEST(specimen_search, a_race_may_be_an_order_override_instead_of_a_specimen) {
  const exploration what{"push_pop", {}, ""};
  explore::options o;
  o.overrides = {{"link", std::memory_order::relaxed}};
  const explore::result found = explore::search(make_program(what), o);
  ASSERT_EQ(found.verdict, verdict::violation);
  const explore::race_file race = race_of(what, o, found.finding);
  EXPECT_EQ(race.orders.at("link"), "relaxed");
  EXPECT_EQ(replay(race).finding.trace, found.finding.trace);
}

TEST(specimen_search, pos_finds_relaxed_publish_within_10000_executions_for_19_of_20_seeds) {
  const explore::program p = make_program(plan_of("relaxed-publish"));
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    explore::options o;
    o.strategy = "pos";
    o.seed = seed;
    o.executions = 10'000;
    found += explore::search(p, o).verdict == verdict::violation ? 1 : 0;
  }
  EXPECT_GE(found, 19);
}

template <class Action>
std::string answer_to(Action&& action) {
  try {
    action();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(specimen_search, a_specimen_is_shown_by_its_own_program_only) {
  const auto make = [](const exploration& what) { static_cast<void>(make_program(what)); };
  EXPECT_EQ(answer_to([&] { make({"turns", {}, "double-decrement"}); }),
            "program 'turns': specimen double-decrement is shown by cancel_expire");
  EXPECT_EQ(answer_to([&] { make({"turns", {}, "no-such"}); }).find("specimen no-such is unknown"),
            0U);
}

TEST(specimen_search, a_race_file_that_names_what_does_not_exist_is_refused) {
  explore::race_file race = explore::load_race(stored("relaxed-publish"));
  race.parameters["producers"] = 99;
  EXPECT_THROW(static_cast<void>(replay(race)), explore::bad_race_file);
  race = explore::load_race(stored("relaxed-publish"));
  race.orders["link"] = "strong";
  EXPECT_THROW(static_cast<void>(replay(race)), explore::bad_race_file);
}

}  // namespace
}  // namespace racewheel::races
