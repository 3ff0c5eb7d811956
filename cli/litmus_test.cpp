#include "cli/litmus.hpp"

#include <gtest/gtest.h>

namespace racewheel::cli {
namespace {

using litmus::memory;

constexpr const char* store_buffering = "W x 1 rlx; R y rlx | W y 1 rlx; R x rlx";

bool says(const litmus_report& report, std::string_view words) {
  return report.text.find(words) != std::string::npos;
}

TEST(litmus_command, the_whole_table_is_exact_under_both_models) {
  const auto report = run_litmus({}, std::nullopt);
  EXPECT_EQ(report.exit_code, 0) << report.text;
  EXPECT_EQ(report.rows.size(), 2 * litmus::table().size());
  EXPECT_TRUE(says(report, "0 results differ"));
  EXPECT_TRUE(says(report, "note: RC11 allows"));
}

TEST(litmus_command, a_typed_program_shows_its_outcomes) {
  const auto report = run_litmus({store_buffering}, std::nullopt);
  EXPECT_EQ(report.exit_code, 0);
  ASSERT_EQ(report.rows.size(), 2U);
  EXPECT_EQ(report.rows[0]["memory"], "rc11");
  EXPECT_EQ(report.rows[0]["program"], store_buffering);
  EXPECT_EQ(report.rows[0]["graphs"], 4);
  EXPECT_EQ(report.rows[0]["data_race"], false);
  EXPECT_EQ(report.rows[0]["outcomes"].size(), 4U);
  EXPECT_EQ(report.rows[0]["outcomes"][0],
            (nlohmann::json{{"P0:r0", 0}, {"P1:r0", 0}, {"x", 1}, {"y", 1}}));
  EXPECT_EQ(report.rows[1]["memory"], "sc");
  EXPECT_EQ(report.rows[1]["graphs"], 3);
  EXPECT_TRUE(says(report, "  P0:r0 P1:r0 x y\n      0     0 1 1  only rc11\n")) << report.text;
}

TEST(litmus_command, one_model_can_be_asked_for) {
  const auto report = run_litmus({store_buffering}, memory::sc);
  ASSERT_EQ(report.rows.size(), 1U);
  EXPECT_EQ(report.rows[0]["memory"], "sc");
  EXPECT_FALSE(says(report, "only"));
}

TEST(litmus_command, a_race_is_shown_and_is_no_failure) {
  const auto report = run_litmus({"W x 1 na | R x na"}, memory::rc11);
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_EQ(report.rows[0]["data_race"], true);
  EXPECT_TRUE(says(report, "DATA RACE"));
}

TEST(litmus_command, a_skipped_register_has_no_value) {
  const auto report = run_litmus({"R x rlx; ?r0=1 R y rlx"}, memory::rc11);
  EXPECT_EQ(report.rows[0]["outcomes"], nlohmann::json::parse(R"([{"P0:r0": 0, "x": 0, "y": 0}])"));
}

TEST(litmus_command, names_and_programs_may_be_mixed) {
  const auto report = run_litmus({"sb-sc", store_buffering}, memory::rc11);
  ASSERT_EQ(report.rows.size(), 2U);
  EXPECT_EQ(report.rows[0]["name"], "sb-sc");
  EXPECT_EQ(report.rows[1]["name"], "sb-rlx") << "a typed program is recognised";
}

TEST(litmus_command, a_typed_program_on_which_rc11_and_cpp20_differ_gets_the_note_too) {
  const auto* row = litmus::find_row(litmus::table(), "sb-rfis");
  ASSERT_NE(row, nullptr);
  EXPECT_TRUE(says(run_litmus({to_string(row->code)}, memory::rc11), row->note));
}

TEST(litmus_command, a_result_that_differs_from_the_table_is_a_violation) {
  auto table = litmus::table();
  table.front().rc11.graphs += 1;
  const auto report = run_litmus({table.front().name}, std::nullopt, table);
  EXPECT_EQ(report.exit_code, 1);
  EXPECT_TRUE(says(report, "DIFFERS from the table: 4 graphs instead of 5")) << report.text;
  EXPECT_EQ(report.reason, "sb-rlx under rc11: 4 graphs instead of 5");
}

TEST(litmus_command, a_name_that_does_not_exist_answers_with_those_that_do) {
  try {
    (void)run_litmus({"sb-relaxed"}, std::nullopt);
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("'sb-relaxed'"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("sb-rlx"), std::string::npos);
  }
}

TEST(litmus_command, a_malformed_program_is_refused_with_its_position) {
  EXPECT_THROW((void)run_litmus({"W x 1 acq"}, std::nullopt), litmus::syntax_error);
  EXPECT_THROW((void)run_litmus({""}, std::nullopt), litmus::syntax_error);
}

}  // namespace
}  // namespace racewheel::cli
