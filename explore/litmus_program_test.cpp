#include "explore/litmus_program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace racewheel::litmus {
namespace {

struct wrong_program {
  const char* text;
  std::size_t column;
  const char* says;
};

void PrintTo(const wrong_program& w, std::ostream* out) { *out << "'" << w.text << "'"; }

class malformed : public testing::TestWithParam<wrong_program> {};

TEST_P(malformed, is_refused_with_its_column_and_what_was_expected) {
  const auto [text, column, says] = GetParam();
  try {
    (void)parse(text);
    FAIL() << "accepted: " << text;
  } catch (const syntax_error& e) {
    EXPECT_EQ(e.column(), column) << e.what();
    EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find(fmt::format("column {}: ", column)), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(
    litmus, malformed,
    testing::Values(
        wrong_program{"", 1, "expected an operation (W, R, X, U, C or F), found the end"},
        wrong_program{"Q x 1 rlx", 1, "expected an operation (W, R, X, U, C or F), found 'Q'"},
        wrong_program{"Wx 1 rlx", 1, "found 'Wx'"},
        wrong_program{"W x 1 rlx;", 11, "found the end"},
        wrong_program{"W x 1 rlx | ", 13, "found the end"},
        wrong_program{"W x 1 rlx ;; R x rlx", 12, "found ';'"},
        wrong_program{"W x 1 rlx R y rlx", 11, "expected ';', '|' or the end, found 'R'"},
        wrong_program{"W 1 x rlx", 3, "expected a location (a name like x), found '1'"},
        wrong_program{"W r1 1 rlx", 3, "expected a location"},
        wrong_program{"R", 2, "expected a location (a name like x), found the end"},
        wrong_program{"W x rlx", 5, "expected a value (a 64-bit number or a register)"},
        wrong_program{"W x 99999999999999999999 rlx", 5, "64-bit number"},
        wrong_program{"W x 1.5 rlx", 5, "found '1.5'"},
        wrong_program{"W x 1", 6, "the order of a store (rlx, rel, sc, na), found the end"},
        wrong_program{"W x 1 acq", 7, "the order of a store (rlx, rel, sc, na), found 'acq'"},
        wrong_program{"W x 1 ar", 7, "found 'ar'"},
        wrong_program{"R x rel", 5, "the order of a load (rlx, acq, sc, na), found 'rel'"},
        wrong_program{"R x ar", 5, "found 'ar'"},
        wrong_program{"U x 1 na", 7, "the order of a fetch_add (rlx, acq, rel, ar, sc)"},
        wrong_program{"X x 1 consume", 7, "the order of an exchange"},
        wrong_program{"F na", 3, "the order of a fence"},
        wrong_program{"F x sc", 3, "the order of a fence"},
        wrong_program{"C x 0 1 ar rel", 12, "the order of a CAS that fails (rlx, acq, sc)"},
        wrong_program{"C x 0 1 ar ar", 12, "found 'ar'"},
        wrong_program{"C x 0 1 ar", 11, "a CAS that fails (rlx, acq, sc), found the end"},
        wrong_program{"C x 0 ar rlx", 7, "expected a value"},
        wrong_program{"C x ar 0 1 rlx", 5, "expected the expected value"},
        wrong_program{"W x r0 rlx", 5, "none is set"},
        wrong_program{"R x rlx | W x r0 rlx", 15, "none is set"},
        wrong_program{"R x rlx; W y r1 rlx", 14, "only r0 is set"},
        wrong_program{"R x rlx; R x rlx; ?r2=0 R x rlx", 20, "only r0 to r1 are set"},
        wrong_program{"R x rlx; ?r0 R y rlx", 11, "a condition like ?r0=1"},
        wrong_program{"R x rlx; ?x=1 R y rlx", 11, "expected a register (r0, r1, ...), found 'x'"},
        wrong_program{"R x rlx; ?r0= R y rlx", 14, "expected a number after '='"},
        wrong_program{"R x rlx; ?r0=1", 15, "expected an operation"},
        wrong_program{"W x 1 na | R x acq", 14, "expected 'x' to be plain (na) as at column 3"},
        wrong_program{"R y sc; R x sc | W x 1 na", 20,
                      "expected 'x' to be atomic as at column 11"}));

TEST(litmus_program, every_kind_of_operation_is_read_and_printed_back) {
  const std::string text =
      "W x 1 rlx; R x acq; X y r0 ar; U x -2 rel; C x 0 r1 sc acq; F ar | "
      "W d 1 na; R d na; ?r0=1 W y r0 rel; ?r0=-1 C y r0 7 rlx sc; F rlx; F acq; F rel; F sc";
  EXPECT_EQ(to_string(parse(text)), text);
}

TEST(litmus_program, spaces_around_separators_do_not_matter) {
  EXPECT_EQ(to_string(parse("W x 1 rlx;R y rlx|W y 1 rlx;R x rlx")),
            to_string(parse("  W x 1  rlx ; R\ty rlx |\n W y 1 rlx; R x rlx ")));
}

TEST(litmus_program, registers_number_the_reading_operations_of_their_thread) {
  const program p = parse("W x 1 rlx; R x rlx; F sc; ?r0=1 U x 1 rlx; X x 2 ar | C x 0 1 ar rlx");
  const auto& thread = p.threads.at(0);
  EXPECT_FALSE(thread.at(0).result);
  EXPECT_EQ(thread.at(1).result, 0U);
  EXPECT_FALSE(thread.at(2).result);
  EXPECT_EQ(thread.at(3).result, 1U);
  EXPECT_EQ(thread.at(4).result, 2U);
  EXPECT_EQ(register_count(thread), 3U);
  EXPECT_EQ(p.threads.at(1).at(0).result, 0U);
}

TEST(litmus_program, a_location_is_plain_if_its_accesses_are) {
  const program p = parse("W d 1 na; W x 1 rel | R x acq; ?r0=1 R d na");
  EXPECT_EQ(p.locations, (std::vector<std::string>{"d", "x"}));
  EXPECT_TRUE(is_plain(p, 0));
  EXPECT_FALSE(is_plain(p, 1));
}

}  // namespace
}  // namespace racewheel::litmus
