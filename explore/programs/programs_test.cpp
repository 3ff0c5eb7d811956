// Every program of the registry, on every backend that can be explored.
#include <gtest/gtest.h>

#include <stdexcept>

#include "core/wheels.hpp"
#include "explore/explorer.hpp"
#include "explore/programs/registry.hpp"
#include "explore/sanitized.hpp"
#include "queues/registry.hpp"

namespace racewheel::explore {
namespace {

result exhaust(std::string_view name, const program_parameters& p,
               memory_model memory = memory_model::rc11) {
  options o;
  o.memory = memory;
  o.executions = exhausting_executions;
  return search(make_program(name, p), o);
}

/// ok: all was searched. Under a sanitizer the limit of executions may come first.
bool is_clean(const result& r) {
  const bool cut = is_sanitized && r.executions == exhausting_executions;
  return r.verdict == verdict::ok || (cut && r.verdict == verdict::inconclusive);
}

template <class Each>
void for_each_explorable(Each&& each) {
  queue_backends::for_each([&]<class Backend>() {
    if constexpr (Backend::traits.explorable) each(std::string(Backend::traits.name));
  });
}

TEST(programs, two_producers_of_one_item_are_exhausted_under_rc11_on_every_backend) {
  for_each_explorable([](const std::string& queue) {
    const result r = exhaust("push_pop", {.queue = queue});
    EXPECT_TRUE(is_clean(r)) << queue << ": " << r.finding.message << r.finding.trace;
    EXPECT_GT(r.graphs, 1U) << queue;
  });
}

TEST(programs, a_queue_with_room_for_one_is_exhausted_on_every_backend) {
  for_each_explorable([](const std::string& queue) {
    const result r =
        exhaust("push_pop", {.queue = queue, .bounds = {.producers = 2, .pops = 1, .capacity = 1}});
    EXPECT_TRUE(is_clean(r)) << queue << ": " << r.finding.message << r.finding.trace;
  });
}

TEST(programs, the_timer_is_exhausted_under_rc11_on_every_backend) {
  for (const program_entry& entry : programs()) {
    if (entry.needs != program_needs::timer) continue;
    for_each_explorable([&](const std::string& queue) {
      const result r = exhaust(entry.name, {.queue = queue});
      EXPECT_TRUE(is_clean(r)) << entry.name << " on " << queue << ": " << r.bound
                               << r.finding.message << "\n"
                               << r.finding.trace;
    });
  }
}

TEST(programs, the_timer_is_exhausted_under_sc_on_every_wheel) {
  for (const program_entry& entry : programs()) {
    if (entry.needs != program_needs::timer) continue;
    wheel_kinds::for_each([&]<class Wheel>() {
      const std::string wheel(traits_of_wheel<Wheel>.name);
      const result r = exhaust(entry.name, {.wheel = wheel}, memory_model::sc);
      EXPECT_TRUE(is_clean(r)) << entry.name << " on " << wheel << ": " << r.bound
                               << r.finding.message << "\n"
                               << r.finding.trace;
    });
  }
}

TEST(programs, the_same_schedule_twice_gives_the_same_trace) {
  for (const program_entry& entry : programs()) {
    for_each_explorable([&](const std::string& queue) {
      const program p = make_program(entry.name, {.queue = queue});
      const finding first = replay(p, {}, "-").finding;
      const finding second = replay(p, {}, "-").finding;
      EXPECT_FALSE(first.steps.empty());
      EXPECT_EQ(first.trace, second.trace) << entry.name << " on " << queue;
      EXPECT_EQ(first.digest, second.digest) << entry.name << " on " << queue;
    });
  }
}

std::string answer_to(std::string_view name, const program_parameters& p) {
  try {
    static_cast<void>(make_program(name, p));
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(programs, a_bound_out_of_range_is_named_with_its_range) {
  EXPECT_EQ(answer_to("push_pop", {.bounds = {.producers = 13}}),
            "producers 13: push_pop takes 1 to 12");
  EXPECT_EQ(answer_to("cancel_expire", {.bounds = {.cancellers = 0}}),
            "cancellers 0: cancel_expire takes 1 to 4");
}

TEST(programs, a_bound_that_a_program_does_not_take_is_refused) {
  EXPECT_EQ(answer_to("push_pop", {.bounds = {.ticks = 1}}),
            "ticks 1: push_pop does not take it, only producers items pops capacity");
}

TEST(programs, names_that_do_not_exist_are_answered_with_those_that_do) {
  EXPECT_EQ(answer_to("push", {}).find("program 'push' does not exist; there are: push_pop"), 0U);
  EXPECT_EQ(
      answer_to("push_pop", {.queue = "q"}).find("queue 'q' cannot be explored; use one of vyukov"),
      0U);
  EXPECT_EQ(answer_to("turns", {.wheel = "square"}),
            "wheel 'square' is not explored on queue vyukov; use one of hashed_wheel heap");
  program_bounds b;
  EXPECT_THROW(set_bound(b, "consumers", 1), std::invalid_argument);
}

}  // namespace
}  // namespace racewheel::explore
