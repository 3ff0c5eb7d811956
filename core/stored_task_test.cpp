#include "core/stored_task.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

#include "core/counting_platform.hpp"

namespace racewheel {
namespace {

using task = stored_task<counting_platform, 56>;

/// A callable of a chosen size that counts what happens to it.
struct tally {
  int runs = 0;
  int cancels = 0;
  int alive = 0;
};

template <std::size_t Size, std::size_t Alignment = alignof(void*)>
struct alignas(Alignment) sized {
  explicit sized(tally& t) : counts(&t) { ++counts->alive; }
  sized(const sized& other) : counts(other.counts) { ++counts->alive; }
  sized& operator=(const sized&) = delete;
  ~sized() { --counts->alive; }
  void operator()() const { ++counts->runs; }
  void on_cancel() const { ++counts->cancels; }

  tally* counts;
  std::array<char, Size - sizeof(void*)> padding{};
};

template <class Callable>
void check_one_life(std::uint64_t allocations) {
  tally seen;
  const Callable original(seen);
  const access_counts costs = counting_platform::count([&] {
    task t(original);
    EXPECT_EQ(seen.alive, 2);
    t.run();
    t.on_cancel();
    t.reset();
    EXPECT_EQ(seen.alive, 1) << "reset() destroys what it captured";
    t.reset();
    t.on_cancel();
  });
  EXPECT_EQ(costs, (access_counts{.allocations = allocations, .deallocations = allocations}));
  EXPECT_EQ(seen.runs, 1);
  EXPECT_EQ(seen.cancels, 1);
  EXPECT_EQ(seen.alive, 1) << "the original, and nothing else";
}

TEST(stored_task, up_to_56_bytes_cost_no_allocation) {
  static_assert(sizeof(sized<56>) == 56 && task::fits<sized<56>>);
  check_one_life<sized<16>>(0);
  check_one_life<sized<56>>(0);
}

TEST(stored_task, larger_or_over_aligned_callables_cost_exactly_one_allocation) {
  static_assert(!task::fits<sized<64>> && !task::fits<sized<32, 32>>);
  check_one_life<sized<64>>(1);
  check_one_life<sized<1000>>(1);
  check_one_life<sized<32, 32>>(1);
}

TEST(stored_task, a_task_that_was_never_reset_is_destroyed_once) {
  tally seen;
  {
    const task small{sized<16>(seen)};
    const task large{sized<100>(seen)};
    EXPECT_EQ(seen.alive, 2);
  }
  EXPECT_EQ(seen.alive, 0);
}

TEST(stored_task, takes_over_move_only_callables) {
  int result = 0;
  task t([value = std::make_unique<int>(7), &result] { result = *value; });
  t.run();
  EXPECT_EQ(result, 7);
}

void free_function() {}

template <class Callable>
std::string refusal_of(Callable callable) {
  try {
    const task t(std::move(callable));
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "accepted";
}

TEST(stored_task, empty_callables_are_rejected_by_name) {
  constexpr auto refused = "task = empty: schedule() needs something to call";
  EXPECT_EQ(refusal_of(std::function<void()>{}), refused);
  EXPECT_EQ(refusal_of(std::function<int()>{}), refused);
  EXPECT_EQ(refusal_of(static_cast<void (*)()>(nullptr)), refused);
  EXPECT_EQ(refusal_of(std::function<void()>(free_function)), "accepted");
  EXPECT_EQ(refusal_of(&free_function), "accepted");
}

TEST(stored_task, both_halves_of_a_task_with_cancel_must_be_callable) {
  constexpr auto refused = "task = empty: schedule() needs something to call";
  const std::function<void()> empty;
  EXPECT_EQ(refusal_of(task_with_cancel{empty, [] {}}), refused);
  EXPECT_EQ(refusal_of(task_with_cancel{[] {}, empty}), refused);
  EXPECT_EQ(refusal_of(task_with_cancel{[] {}, [] {}}), "accepted");
}

TEST(stored_task, takes_functions_by_name) {
  task t(free_function);
  t.run();
}

TEST(stored_task, a_constructor_that_throws_leaves_no_memory) {
  struct explosive {
    explosive() = default;
    explosive(const explosive&) { throw std::runtime_error("copy"); }
    void operator()() const {}
    std::array<char, 100> padding{};
  };
  const explosive original;
  const access_counts costs = counting_platform::count(
      [&] { EXPECT_THROW((void)std::make_unique<task>(original), std::runtime_error); });
  EXPECT_EQ(costs, (access_counts{.allocations = 1, .deallocations = 1}));
}

TEST(stored_task, on_cancel_of_a_plain_callable_does_nothing) {
  int runs = 0;
  task t([&] { ++runs; });
  t.on_cancel();
  EXPECT_EQ(runs, 0);
}

}  // namespace
}  // namespace racewheel
