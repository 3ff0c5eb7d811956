// Searching, replaying and saving.
#include "explore/explorer.hpp"

#include <gtest/gtest.h>

#include "explore/race_file.hpp"
#include "explore/schedule.hpp"
#include "explore/strategy.hpp"
#include "explore/test_kit.hpp"

namespace racewheel::explore {
namespace {

using namespace test_kit;

program message_passing(site publish = release, int threads = 1) {
  return {"message_passing", [publish, threads] {
            platform::atomic<int> x{0};
            platform::atomic<int> y{0};
            const auto writer = [&] { x.store(1, relaxed), y.store(1, publish); };
            const auto reader = [&] {
              const int flag = y.load(acquire);
              const int data = x.load(relaxed);
              check(flag == 0 || data == 1, "data follows flag");
            };
            if (threads == 1) {
              run(writer, reader);
            } else {
              run(writer, reader, reader);
            }
          }};
}

TEST(explorer, exhausting_a_program_is_ok_and_counts_its_graphs) {
  const result r = search(message_passing(), {});
  EXPECT_EQ(r.verdict, verdict::ok);
  EXPECT_TRUE(r.exhausted);
  EXPECT_EQ(r.graphs, 3U);
  EXPECT_EQ(r.bound, "");
}

TEST(explorer, reaching_a_limit_is_inconclusive) {
  options o;
  o.executions = 2;
  const result few = search(message_passing(), o);
  EXPECT_EQ(few.verdict, verdict::inconclusive);
  EXPECT_EQ(few.executions, 2U);
  EXPECT_EQ(few.bound, "executions 2");
  o = {};
  o.strategy = "random";
  o.seconds = 0;
  EXPECT_EQ(search(message_passing(), o).verdict, verdict::inconclusive);
}

TEST(explorer, every_strategy_finds_the_stale_read_and_its_schedule_replays) {
  for (const strategy_entry& s : strategies()) {
    options o;
    o.strategy = s.name;
    o.executions = 1000;
    const result r = search(message_passing(relaxed), o);
    ASSERT_EQ(r.verdict, verdict::violation) << s.name;
    const result again = replay(message_passing(relaxed), o, r.finding.schedule, r.finding.steps);
    EXPECT_EQ(again.verdict, verdict::violation) << s.name;
    EXPECT_EQ(again.finding.message, r.finding.message);
    EXPECT_EQ(again.finding.trace, r.finding.trace);
    EXPECT_EQ(again.finding.digest, r.finding.digest);
  }
}

TEST(explorer, random_strategies_see_all_graphs_in_the_end) {
  for (const strategy_entry& s : strategies()) {
    options o;
    o.strategy = s.name;
    o.executions = 20'000;
    EXPECT_EQ(search(message_passing(release, 2), o).graphs,
              search(message_passing(release, 2), {}).graphs)
        << s.name;
  }
}

TEST(explorer, the_same_seed_makes_the_same_search) {
  for (const char* name : {"random", "pos"}) {
    options o;
    o.strategy = name;
    o.executions = 1000;
    o.seed = 42;
    const result a = search(message_passing(relaxed, 2), o);
    const result b = search(message_passing(relaxed, 2), o);
    EXPECT_EQ(a.executions, b.executions);
    EXPECT_EQ(a.finding.schedule, b.finding.schedule);
  }
}

TEST(explorer, the_trace_has_a_column_per_thread_and_names_what_a_stale_read_ignored) {
  const result r = search(message_passing(relaxed), {});
  EXPECT_NE(r.finding.trace.find("P0"), std::string::npos);
  EXPECT_NE(r.finding.trace.find("[relaxed] load relaxed 0, stale: ignores [relaxed] of P0 (1)"),
            std::string::npos)
      << r.finding.trace;
  EXPECT_EQ(r.finding.trace.find("0x"), std::string::npos) << "no addresses";
}

TEST(explorer, a_replay_that_diverges_names_the_step) {
  const result r = search(message_passing(relaxed), {});
  std::vector<std::string> steps = r.finding.steps;
  steps.at(2) = "P1 other";
  try {
    static_cast<void>(replay(message_passing(relaxed), {}, r.finding.schedule, steps));
    FAIL() << "no divergence";
  } catch (const replay_divergence& e) {
    EXPECT_EQ(std::string(e.what()).find("replay diverged at step 3: expected 'P1 other', got"), 0U)
        << e.what();
  }
  EXPECT_THROW(static_cast<void>(replay(message_passing(release), {}, r.finding.schedule)),
               replay_divergence);
  EXPECT_THROW(static_cast<void>(replay(message_passing(), {}, "t9999=1")), replay_divergence);
}

TEST(explorer, a_strategy_that_does_not_exist_is_answered_with_the_list) {
  options o;
  o.strategy = "luck";
  try {
    static_cast<void>(search(message_passing(), o));
    FAIL() << "accepted";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "strategy 'luck' does not exist; there are: dfs random pos");
  }
}

TEST(schedule, tokens_are_read_as_they_are_written) {
  const std::vector<deviation> wanted{{3, choice_kind::thread, 2}, {7, choice_kind::read, 1}};
  EXPECT_EQ(parse_token("t3=2.r7=1"), wanted);
  EXPECT_TRUE(parse_token("-").empty());
  for (const char* bad : {"", "x3=1", "t3", "t=1", "t3=", "t3=1.", "t7=1.r3=1", "t3=1 "}) {
    EXPECT_THROW(static_cast<void>(parse_token(bad)), std::invalid_argument) << bad;
  }
}

race_file sample() {
  race_file race;
  race.program = "push_pop";
  race.config = {{"queue", "vyukov"}};
  race.parameters = {{"producers", 2}, {"items", 1}};
  race.orders = {{"link", "relaxed"}};
  race.memory = memory_model::rc11;
  race.schedule = "t3=1.t8=2";
  race.kind = finding_kind::data_race;
  race.message = "two accesses";
  race.words = "1 preemption";
  race.digest = "0123456789abcdef";
  race.steps = {"main follow", "P0 init"};
  return race;
}

TEST(race_file, survives_a_round_trip) {
  EXPECT_EQ(race_from_json(to_json(sample()), "memory"), sample());
}

TEST(race_file, what_is_wrong_with_a_file_is_said_in_one_line) {
  const auto complaint = [](const std::string& json_text) -> std::string {
    try {
      static_cast<void>(race_from_json(json_text, "f.race"));
      return "";
    } catch (const bad_race_file& e) {
      return e.what();
    }
  };
  std::string other = to_json(sample());
  other.replace(other.find("race-1"), 6, "race-9");
  EXPECT_EQ(complaint(other),
            "f.race is no race file: format \"racewheel-race-9\" is not \"racewheel-race-1\"");
  std::string memory = to_json(sample());
  memory.replace(memory.find("rc11"), 4, "tso ");
  EXPECT_EQ(complaint(memory), "f.race is no race file: memory 'tso ' is neither sc nor rc11");
  EXPECT_NE(complaint("{"), "");
  EXPECT_THROW(static_cast<void>(load_race("/nonexistent/f.race")), bad_race_file);
}

}  // namespace
}  // namespace racewheel::explore
