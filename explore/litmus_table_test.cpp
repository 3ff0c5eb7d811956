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
