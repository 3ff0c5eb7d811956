#include "explore/litmus_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace racewheel::litmus {
namespace {

TEST(litmus_table, names_are_unique_and_need_no_quotes_in_a_shell) {
  std::set<std::string> names;
  for (const table_row& row : table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " is there twice";
    EXPECT_EQ(row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.+-"),
              std::string::npos)
        << row.name;
    EXPECT_EQ(find_row(table(), row.name), &row);
  }
  EXPECT_GE(names.size(), 65U) << "a row was lost";
  EXPECT_EQ(find_row(table(), "no-such-row"), nullptr);
}

TEST(litmus_table, no_program_is_there_twice) {
  std::set<std::string> programs;
  for (const table_row& row : table()) {
    EXPECT_TRUE(programs.insert(to_string(row.code)).second) << row.name;
    EXPECT_EQ(find_row(table(), row.code), &row);
  }
  EXPECT_EQ(find_row(table(), parse("F rlx")), nullptr);
}

TEST(litmus_table, outcomes_name_known_columns_once) {
  for (const auto line : detail::table_rows()) {
    const auto json = nlohmann::json::parse(line);
    const table_row& row = *find_row(table(), json.at("name").get<std::string>());
    const auto columns = outcome_columns(row.code);
    for (const memory m : {memory::sc, memory::rc11}) {
      const auto& outcomes = json.at(std::string(to_string(m))).at("outcomes");
      EXPECT_EQ(outcomes.size(), row.expected(m).outcomes.size()) << row.name;
      for (const auto& o : outcomes) {
        for (const auto& [key, v] : o.items()) {
          EXPECT_NE(std::find(columns.begin(), columns.end(), key), columns.end())
              << row.name << ": " << key;
        }
      }
    }
  }
}

TEST(litmus_table, a_table_from_a_file_is_read_as_the_built_in_one_is) {
  std::string text;
  for (const auto line : detail::table_rows()) text.append(line).append("\n");
  const auto rows = parse_table(text, "mine");
  ASSERT_EQ(rows.size(), table().size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].text, table()[i].text);
    EXPECT_EQ(rows[i].sc, table()[i].sc);
    EXPECT_EQ(rows[i].rc11, table()[i].rc11);
  }
  EXPECT_TRUE(parse_table("", "mine").empty());
}

TEST(litmus_table, a_table_that_cannot_be_read_names_the_line) {
  const std::string good(detail::table_rows().front());
  const auto complaint = [&](const std::string& line) {
    try {
      (void)parse_table(good + "\n\n" + line, "mine");
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(complaint(good), "none");
  EXPECT_EQ(complaint("{").find("mine line 3: "), 0U);
  EXPECT_EQ(complaint(R"({"name": "n"})").find("mine line 3: "), 0U);
  EXPECT_NE(
      complaint(R"({"name": "n", "family": "f", "variant": "v", "program": "W x"})").find("column"),
      std::string::npos);
}

TEST(litmus_table, rc11_allows_whatever_sc_allows) {
  for (const table_row& row : table()) {
    EXPECT_LE(row.sc.graphs, row.rc11.graphs) << row.name;
    EXPECT_TRUE(std::includes(row.rc11.outcomes.begin(), row.rc11.outcomes.end(),
                              row.sc.outcomes.begin(), row.sc.outcomes.end()))
        << row.name;
  }
}

TEST(litmus_table, the_programs_where_rc11_and_the_text_of_cpp20_differ_carry_a_note) {
  for (const char* name : {"sb-rfis", "iriw-rel-sc", "wwmerge1"}) {
    ASSERT_NE(find_row(table(), name), nullptr) << name;
    EXPECT_FALSE(find_row(table(), name)->note.empty()) << name;
  }
}

}  // namespace
}  // namespace racewheel::litmus
