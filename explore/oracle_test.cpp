#include "explore/oracle.hpp"

#include <gtest/gtest.h>

#include "explore/litmus_table.hpp"

namespace racewheel::oracle {
namespace {

using litmus::memory;

TEST(oracle, agrees_with_every_row_of_the_table) {
  for (const auto& row : litmus::table()) {
    for (const memory m : {memory::sc, memory::rc11}) {
      EXPECT_EQ(litmus::difference(row.code, row.expected(m), enumerate(row.code, m)), "")
          << row.name << " under " << to_string(m) << ": " << row.text;
    }
  }
}

}  // namespace
}  // namespace racewheel::oracle
