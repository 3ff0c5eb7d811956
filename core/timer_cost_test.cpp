// What each operation costs, counted exactly: the RMW budget of every backend that states its own.
#include <gtest/gtest.h>

#include "core/counting_platform.hpp"
#include "core/timer_test_kit.hpp"
#include "queues/registry.hpp"

namespace racewheel {
namespace {

template <class Tested>
class timer_cost : public testing::Test {
 protected:
  using config = typename Tested::template config<counting_platform>;
  using queue = typename timer_core<config>::queue;
  static constexpr queue_budget intake = queue::budget;
  using handles = std::vector<typename virtual_timer<config>::handle>;

  handles schedule(std::size_t count, time_point delay) {
    handles made;
    made.reserve(count);
    for (std::size_t i = 0; i < count; ++i) made.push_back(timer_.schedule(delay, [] {}));
    return made;
  }

  [[nodiscard]] std::uint64_t rmws_of_a_turn() {
    const access_counts costs = counting_platform::count([&] { timer_.turn(); });
    EXPECT_EQ(costs.failed_cas, 0u);
    EXPECT_EQ(costs.fences, 0u);
    return costs.rmws;
  }

  /// RMWs of the queue when a turn drains so many.
  [[nodiscard]] static constexpr std::uint64_t drain_rmws(std::size_t count) {
    return count == 0 ? 0 : (count - 1) * intake.pop_rmws + intake.last_pop_rmws;
  }
  /// A tickless turn always settles, because it plans its sleep there.
  static constexpr std::uint64_t settle = 1;
  static constexpr std::uint64_t idle_settle = timer_core<config>::tickless ? 1 : 0;

  static timer_options options() {
    timer_options o;
    o.tick = 1ms;
    return o;
  }
  virtual_timer<config> timer_{options()};
};

using tested_types = testing::Types<
    timer_under_test<wheel_kind<hashed_wheel>, backend<vyukov_queue, vyukov_recipe>>,
    timer_under_test<wheel_kind<heap_wheel>, backend<vyukov_queue, vyukov_recipe>>,
    timer_under_test<wheel_kind<hashed_wheel>, backend<mpsc_array_queue, mpsc_array_recipe>>,
    timer_under_test<wheel_kind<heap_wheel>, backend<mpsc_array_queue, mpsc_array_recipe>>>;
struct cost_names {
  template <class Tested>
  static std::string GetName(int i) {
    return std::string(Tested::backend::traits.name) + "_" + wheel_names::GetName<Tested>(i);
  }
};
TYPED_TEST_SUITE(timer_cost, tested_types, cost_names);

TYPED_TEST(timer_cost, schedule_takes_two_rmws_and_one_allocation) {
  static_assert(TestFixture::intake.push_rmws == 1);
  const access_counts costs = counting_platform::count([&] { (void)this->schedule(5, 1h); });
  EXPECT_EQ(costs.rmws, 5u * 2 + 5) << "and one for each handle that is dropped here";
  EXPECT_EQ(costs.allocations, 5u);
  EXPECT_EQ(costs.failed_cas, 0u);
  EXPECT_EQ(costs.fences, 0u);
}

TYPED_TEST(timer_cost, schedule_with_a_limit_takes_two_rmws_as_well) {
  timer_options limited = this->options();
  limited.max_pending = 10;
  virtual_timer<typename TestFixture::config> t(limited);
  typename virtual_timer<typename TestFixture::config>::handle kept;
  EXPECT_EQ(counting_platform::count([&] { kept = t.schedule(1h, [] {}); }).rmws, 2u);
}

TYPED_TEST(timer_cost, transfer_takes_one_rmw_each_and_one_for_all) {
  for (const std::size_t count : {1u, 10u, 100u}) {
    const auto kept = this->schedule(count, 1h);
    EXPECT_EQ(this->rmws_of_a_turn(), count + this->settle + this->drain_rmws(count));
  }
}

TYPED_TEST(timer_cost, cancel_takes_one_rmw_from_queued_and_two_from_linked) {
  auto queued = this->schedule(1, 1h);
  EXPECT_EQ(counting_platform::count([&] { (void)queued[0].cancel(); }).rmws, 1u);
  auto linked = this->schedule(1, 1h);
  this->timer_.turn();
  EXPECT_EQ(counting_platform::count([&] { (void)linked[0].cancel(); }).rmws, 2u);
  EXPECT_EQ(counting_platform::count([&] { (void)linked[0].cancel(); }).rmws, 0u) << "too late";
}

TYPED_TEST(timer_cost, a_cancelled_timeout_costs_the_worker_its_reference_only) {
  for (const std::size_t count : {1u, 10u, 100u}) {
    auto kept = this->schedule(count, 1h);
    this->timer_.turn();
    for (auto& h : kept) ASSERT_TRUE(h.cancel());
    EXPECT_EQ(this->rmws_of_a_turn(), count + this->settle + 1) << "one takes the whole stack";
  }
}

TYPED_TEST(timer_cost, expire_takes_one_rmw_and_the_reference) {
  for (const std::size_t count : {1u, 10u, 100u}) {
    const auto kept = this->schedule(count, 5ms);
    this->timer_.turn();
    const access_counts costs = counting_platform::count([&] { this->timer_.jump_for(10ms); });
    EXPECT_EQ(costs.rmws, count * 2 + this->settle);
    EXPECT_EQ(costs.failed_cas, 0u);
  }
}

TYPED_TEST(timer_cost, an_idle_turn_takes_none_or_plans_its_sleep) {
  this->timer_.turn();
  EXPECT_EQ(this->rmws_of_a_turn(), this->idle_settle);
}

TYPED_TEST(timer_cost, a_small_task_costs_one_allocation_and_a_large_one_two) {
  const auto of = [&](auto task) {
    return counting_platform::count([&] { (void)this->timer_.schedule(1h, task); }).allocations;
  };
  EXPECT_EQ(of([pad = std::array<char, 56>{}] { (void)pad; }), 1u);
  EXPECT_EQ(of([pad = std::array<char, 57>{}] { (void)pad; }), 2u);
}

}  // namespace
}  // namespace racewheel
