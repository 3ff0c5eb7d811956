// The defects D1 to D9 of Netty's timer and every other specimen of ours, each forced: the recipe
// that ships must keep its promise, and the spoiled one must break it in the way that is named.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/timer_defects_test_lifecycle.hpp"
#include "core/timer_defects_test_turns.hpp"
#include "races/lookup.hpp"

namespace racewheel {
namespace {

template <class Specimen>
class timer_defects : public ::testing::Test {};

template <class List>
struct test_types;
template <class... Ts>
struct test_types<type_list<Ts...>> {
  using type = ::testing::Types<Ts...>;
};

struct specimen_name {
  template <class Specimen>
  static std::string GetName(int /*index*/) {
    std::string name(Specimen::facts.id);
    std::ranges::replace(name, '-', '_');
    return name;
  }
};

TYPED_TEST_SUITE(timer_defects, test_types<timer_specimens>::type, specimen_name);

// A specimen without a check is a type error in one place only: here it is a failed test.
template <class Specimen>
concept has_check = requires { defects::check<Specimen>::violation; };

/// What the check says of Recipe must be `expected`, on each wheel.
template <class Specimen, class Recipe>
void expect_verdict(std::string_view expected) {
  if constexpr (has_check<Specimen>) {
    using check = defects::check<Specimen>;
    check::wheels::for_each([&]<class Wheel>() {
      defects::faults::reset();
      const std::string verdict = check::template look<Recipe, Wheel>();
      EXPECT_EQ(verdict, expected) << defects::core_of<Recipe, Wheel>::wheel::traits.name;
    });
  } else {
    FAIL() << Specimen::facts.id << " has no defects::check";
  }
}

TYPED_TEST(timer_defects, is_absent_from_our_recipe) {
  expect_verdict<TypeParam, timer_recipe>("");
}

TYPED_TEST(timer_defects, is_caught_in_the_spoiled_recipe) {
  std::string_view violation;
  if constexpr (has_check<TypeParam>) violation = defects::check<TypeParam>::violation;
  expect_verdict<TypeParam, typename TypeParam::recipe>(violation);
}

TYPED_TEST(timer_defects, names_a_forced_interleaving_among_its_detectors) {
  EXPECT_TRUE(TypeParam::facts.caught_by.contains(detector::forced));
}

// Two that were found while the checks above were written.

template <class Wheel>
void schedule_in_a_callback_while_stop_waits() {
  using timer_type = defects::timer_of<timer_recipe, Wheel>;
  timer_type timer(defects::options());
  typename timer_type::scheduled successor;
  const auto timeout = timer.schedule(
      defects::far, [] {}, [&] { successor = timer.try_schedule(defects::far, [] {}); });
  EXPECT_EQ(timer.stop().size(), 1U);  // and does not hang: the callback runs on the worker
  EXPECT_FALSE(successor.timeout);
  EXPECT_EQ(successor.why, rejection::stopped);
  EXPECT_EQ(timer.pending(), 0U);
}

TEST(timer_lifecycle, a_callback_that_schedules_while_stop_waits_is_rejected) {
  defects::both_wheels::for_each(
      []<class Wheel>() { schedule_in_a_callback_while_stop_waits<Wheel>(); });
}

TEST(timer_lifecycle, a_thread_with_the_id_of_the_ended_worker_may_stop) {
  defects::timer_of<timer_recipe, wheel_kind<hashed_wheel>> timer(defects::options());
  timer.start();
  (void)timer.stop();
  for (int i = 0; i < 10; ++i) {  // the system gives ids of ended threads to new ones
    std::jthread([&] { EXPECT_NO_THROW((void)timer.stop()); });
  }
}

}  // namespace
}  // namespace racewheel
