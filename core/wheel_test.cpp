// One contract for all wheels, and the hashed wheel held against the heap as sorted reference.
#include "core/wheel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "core/hashed_wheel.hpp"
#include "core/heap_wheel.hpp"
#include "core/std_platform.hpp"
#include "core/timeout.hpp"

namespace racewheel {
namespace {

using node = timeout<std_platform, timer_recipe>;

constexpr time_point tick{10};
constexpr std::size_t slots = 8;
constexpr time_point period = tick * slots;

/// Owns the timeouts of a test and hands them out by number.
class node_pool {
 public:
  node_pool() = default;
  node_pool(const node_pool&) = delete;
  node_pool& operator=(const node_pool&) = delete;
  ~node_pool() {
    for (node* n : nodes_) {
      n->release();
      n->release();
    }
  }

  node& make(time_point deadline) {
    nodes_.push_back(node::make(home_, deadline, [] {}));
    ids_[nodes_.back()] = nodes_.size() - 1;
    return *nodes_.back();
  }
  [[nodiscard]] node& operator[](std::size_t id) const { return *nodes_[id]; }
  [[nodiscard]] std::size_t id_of(const node& n) const { return ids_.at(&n); }

 private:
  node::home home_;
  std::vector<node*> nodes_;
  std::map<const node*, std::size_t> ids_;
};

/// Collects ids in the order in which a wheel reports them.
struct collector {
  const node_pool& pool;
  std::vector<std::size_t> fired{};
  std::vector<std::size_t> strays{};

  void due(node& n, std::size_t) { fired.push_back(pool.id_of(n)); }
  void misplaced(node& n) { strays.push_back(pool.id_of(n)); }
};
static_assert(wheel_sink<collector, node>);
static_assert(wheel<hashed_wheel<node>, node> && wheel<heap_wheel<node>, node>);

using ids = std::vector<std::size_t>;

template <class Wheel>
class every_wheel : public testing::Test {
 protected:
  std::size_t place(time_point deadline) {
    node& n = pool_.make(deadline);
    wheel_.place(n);
    return pool_.id_of(n);
  }
  ids advance(time_point to) {
    collector found{pool_};
    wheel_.advance(to, found);
    EXPECT_TRUE(found.strays.empty());
    return found.fired;
  }

  node_pool pool_;
  Wheel wheel_{wheel_geometry{tick, slots}};
};

using wheels = testing::Types<hashed_wheel<node>, heap_wheel<node>>;
struct wheel_names {
  template <class Wheel>
  static std::string GetName(int) {
    return std::string(Wheel::traits.name);
  }
};
TYPED_TEST_SUITE(every_wheel, wheels, wheel_names);

TYPED_TEST(every_wheel, is_never_early_and_at_most_one_tick_late) {
  for (const std::int64_t at : {0, 1, 9, 10, 11, 79, 80, 81, 800, 12345}) {
    TypeParam fresh{wheel_geometry{tick, slots}};
    node& n = this->pool_.make(time_point(at));
    fresh.place(n);
    collector found{this->pool_};
    for (time_point now{1}; now < time_point(at); now += time_point(1)) fresh.advance(now, found);
    EXPECT_TRUE(found.fired.empty()) << "early, deadline " << at;
    fresh.advance(time_point(at) + tick, found);
    EXPECT_EQ(found.fired, ids{this->pool_.id_of(n)}) << "late, deadline " << at;
    EXPECT_EQ(fresh.size(), 0u);
  }
}

TYPED_TEST(every_wheel, a_deadline_in_the_past_is_due_at_the_next_tick) {
  EXPECT_TRUE(this->advance(period * 3).empty());
  const auto zero = this->place(time_point(0));
  const auto recent = this->place(period * 3 - time_point(1));
  EXPECT_EQ(this->advance(period * 3 + tick), (ids{zero, recent}));
}

TYPED_TEST(every_wheel, multiples_of_the_period_expire_in_their_own_round) {
  std::vector<std::size_t> placed;
  for (int k = 0; k <= 20; ++k) placed.push_back(this->place(period * k));
  for (std::size_t k = 0; k <= 20; ++k) {
    const time_point end = period * static_cast<std::int64_t>(k) + tick;
    EXPECT_EQ(this->advance(end), ids{placed[k]}) << "round " << k;
  }
}

TYPED_TEST(every_wheel, a_jump_over_many_rotations_expires_everything_between_in_order) {
  const auto late = this->place(period * 1000 + time_point(3));
  const auto early = this->place(time_point(5));
  const auto middle = this->place(period * 7);
  const auto beyond = this->place(period * 2000);
  EXPECT_EQ(this->advance(period * 1500), (ids{early, middle, late}));
  EXPECT_EQ(this->wheel_.size(), 1u);
  EXPECT_EQ(this->advance(period * 2000 + tick), ids{beyond});
}

TYPED_TEST(every_wheel, equal_deadlines_expire_in_the_order_of_arrival) {
  ids expected;
  for (int i = 0; i < 100; ++i) expected.push_back(this->place(period * 2 + time_point(5)));
  EXPECT_EQ(this->advance(period * 3), expected);
}

TYPED_TEST(every_wheel, removing_keeps_the_order_of_the_others) {
  ids left;
  std::vector<std::size_t> placed;
  for (int i = 0; i < 60; ++i) placed.push_back(this->place(time_point(3)));
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (i % 3 == 1) {
      this->wheel_.remove(this->pool_[placed[i]]);
    } else {
      left.push_back(placed[i]);
    }
  }
  EXPECT_EQ(this->wheel_.size(), left.size());
  EXPECT_EQ(this->advance(tick), left);
}

TYPED_TEST(every_wheel, never_does_not_expire_and_extreme_deadlines_do_not_wrap) {
  const auto endless = this->place(never);
  const auto almost = this->place(never - time_point(1));
  const auto soon = this->place(time_point(1));
  EXPECT_EQ(this->advance(period * 100), ids{soon});
  EXPECT_EQ(this->wheel_.size(), 2u);
  this->wheel_.remove(this->pool_[endless]);
  this->wheel_.remove(this->pool_[almost]);
  EXPECT_EQ(this->wheel_.size(), 0u);
}

TYPED_TEST(every_wheel, an_empty_wheel_jumps_to_the_end_of_time) {
  EXPECT_TRUE(this->advance(never - tick * 20).empty());
  const auto last = this->place(never - tick * 15);
  const auto endless = this->place(never);
  EXPECT_EQ(this->advance(never - tick * 10), ids{last});
  EXPECT_TRUE(this->advance(never).empty()) << "never is not a time that comes";
  this->wheel_.remove(this->pool_[endless]);
  EXPECT_GE(this->wheel_.next_expiry(), never - tick) << "does not wrap";
}

TYPED_TEST(every_wheel, drain_takes_out_everything_once) {
  ids placed;
  for (int i = 0; i < 40; ++i) placed.push_back(this->place(time_point(i * 37)));
  ids drained;
  this->wheel_.drain([&](node& n, std::size_t) { drained.push_back(this->pool_.id_of(n)); });
  std::ranges::sort(drained);
  EXPECT_EQ(drained, placed);
  EXPECT_EQ(this->wheel_.size(), 0u);
  EXPECT_TRUE(this->advance(period * 30).empty());
}

TYPED_TEST(every_wheel, what_is_outside_has_no_place) {
  const auto fired = this->place(time_point(0));
  const auto removed = this->place(time_point(0));
  this->wheel_.remove(this->pool_[removed]);
  EXPECT_EQ(this->advance(tick), ids{fired});
  EXPECT_EQ(this->pool_[fired].place.get(), node::none);
  EXPECT_EQ(this->pool_[removed].place.get(), node::none);
}

TYPED_TEST(every_wheel, next_expiry_is_when_advance_is_worth_calling) {
  const auto first = this->place(time_point(42));
  const bool tickless = TypeParam::traits.tickless;
  EXPECT_EQ(this->wheel_.next_expiry(), tickless ? time_point(42) : tick);
  EXPECT_TRUE(this->advance(this->wheel_.next_expiry() - time_point(1)).empty());
  EXPECT_EQ(this->advance(tickless ? time_point(42) : tick * 5), ids{first});
  EXPECT_EQ(this->wheel_.next_expiry(), tickless ? never : tick * 6);
}

// --- the hashed wheel alone ---

TEST(hashed_wheel_test, a_misplaced_timeout_is_reported_and_moved_and_expires_in_time) {
  node_pool pool;
  hashed_wheel<node> wheel{wheel_geometry{tick, slots}};
  node& n = pool.make(period * 3 + time_point(5));
  wheel.place(n);
  n.rank.set(0);  // the broken invariant: it claims to belong to this round
  collector found{pool};
  wheel.advance(tick, found);
  EXPECT_EQ(found.strays, ids{0});
  EXPECT_TRUE(found.fired.empty()) << "not early";
  EXPECT_EQ(wheel.size(), 1u) << "not dropped";
  wheel.advance(period * 3, found);
  EXPECT_TRUE(found.fired.empty());
  wheel.advance(period * 3 + tick, found);
  EXPECT_EQ(found.fired, ids{0}) << "in time";
  EXPECT_EQ(found.strays.size(), 1u) << "once";
}

TEST(hashed_wheel_test, rounds_of_one_slot_keep_apart_and_in_order) {
  node_pool pool;
  hashed_wheel<node> wheel{wheel_geometry{tick, slots}};
  for (const int round : {2, 0, 2, 1, 0}) wheel.place(pool.make(period * round + time_point(1)));
  collector found{pool};
  wheel.advance(tick, found);
  EXPECT_EQ(found.fired, (ids{1, 4}));
  wheel.advance(period + tick, found);
  EXPECT_EQ(found.fired, (ids{1, 4, 3}));
  wheel.advance(period * 2 + tick, found);
  EXPECT_EQ(found.fired, (ids{1, 4, 3, 0, 2}));
}

TEST(hashed_wheel_test, missed_ticks_are_replayed_one_by_one) {
  node_pool pool;
  hashed_wheel<node> wheel{wheel_geometry{tick, slots}};
  for (const int k : {5, 3, 9, 1}) wheel.place(pool.make(tick * k));
  collector found{pool};
  EXPECT_EQ(wheel.advance(tick * 20, found), 20u);
  EXPECT_EQ(found.fired, (ids{3, 1, 0, 2})) << "by tick, whatever the order of arrival";
  EXPECT_EQ(wheel.advance(tick * 20, found), 0u) << "no tick passed";
}

TEST(hashed_wheel_test, a_timeout_knows_its_slot) {
  node_pool pool;
  hashed_wheel<node> wheel{wheel_geometry{tick, slots}};
  for (const int k : {0, 7, 8, 13}) {
    node& n = pool.make(tick * k + time_point(3));
    wheel.place(n);
    EXPECT_EQ(wheel.slot_of(n), static_cast<std::size_t>(k) % slots);
  }
}

// --- the hashed wheel against the heap ---

/// The same random steps on both. What the hashed wheel must deliver up to `to` is what the heap
/// delivers up to the end of the last tick that has ended, sorted by tick and arrival.
class twin_wheels {
 public:
  explicit twin_wheels(std::uint32_t seed) : random_(seed) {}

  void place() {
    const time_point deadline = random_deadline();
    hashed_.place(in_hashed_.make(deadline));
    heap_.place(in_heap_.make(deadline));
    inside_.push_back(due_tick_.size());
    due_tick_.push_back(std::max(ended_, deadline / tick));
  }

  void remove() {
    if (inside_.empty()) return;
    const std::size_t at = pick(inside_.size());
    hashed_.remove(in_hashed_[inside_[at]]);
    heap_.remove(in_heap_[inside_[at]]);
    inside_.erase(inside_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  void advance() {
    const int kind = static_cast<int>(pick(10));
    now_ += kind == 0   ? period * static_cast<std::int64_t>(pick(500))
            : kind == 1 ? tick * static_cast<std::int64_t>(pick(3 * slots))
                        : time_point(static_cast<std::int64_t>(pick(25)));
    collector fired{in_hashed_};
    hashed_.advance(now_, fired);
    collector expected{in_heap_};
    if (now_ / tick > ended_) heap_.advance(tick * (now_ / tick) - time_point(1), expected);
    ended_ = now_ / tick;
    std::ranges::sort(expected.fired, {},
                      [&](std::size_t id) { return std::pair(due_tick_[id], id); });
    ASSERT_EQ(fired.fired, expected.fired) << "at " << now_.count();
    ASSERT_TRUE(fired.strays.empty());
    ASSERT_EQ(hashed_.size(), heap_.size());
    for (const std::size_t id : fired.fired) std::erase(inside_, id);
    ASSERT_EQ(hashed_.size(), inside_.size());
  }

  void step() {
    const std::size_t dice = pick(10);
    if (dice < 5) return place();
    if (dice < 7) return remove();
    advance();
  }

 private:
  std::size_t pick(std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
  }

  time_point random_deadline() {
    const auto small = static_cast<std::int64_t>(pick(200));
    switch (pick(7)) {
      case 0:
        return time_point(small);  // mostly in the past
      case 1:
        return now_;
      case 2:
        return now_ + period * small;
      case 3:
        return now_ + period * small - time_point(1);
      case 4:
        return pick(2) == 0 ? never : never - time_point(small);
      case 5:
        return tick * (now_ / tick + small);
      default:
        return now_ + time_point(small);
    }
  }

  std::mt19937 random_;
  node_pool in_hashed_;
  node_pool in_heap_;
  hashed_wheel<node> hashed_{wheel_geometry{tick, slots}};
  heap_wheel<node> heap_{wheel_geometry{tick, slots}};
  std::vector<std::size_t> inside_;
  std::vector<std::int64_t> due_tick_;  // by id: the tick at whose end it is due
  time_point now_{0};
  std::int64_t ended_ = 0;  // ticks that have ended
};

TEST(hashed_wheel_test, agrees_with_the_heap_on_random_schedules) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    twin_wheels twins(seed);
    for (int i = 0; i < 400; ++i) {
      twins.step();
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(heap_wheel_test, delivers_in_the_order_of_deadline_and_arrival_after_random_removals) {
  std::mt19937 random(7);
  for (int run = 0; run < 50; ++run) {
    node_pool pool;
    heap_wheel<node> heap{wheel_geometry{tick, slots}};
    std::vector<std::pair<time_point, std::size_t>> inside;
    for (std::size_t id = 0; id < 300; ++id) {
      const time_point deadline(std::uniform_int_distribution<>(0, 40)(random));
      heap.place(pool.make(deadline));
      inside.emplace_back(deadline, id);
    }
    for (int i = 0; i < 150; ++i) {
      const auto at = std::uniform_int_distribution<std::ptrdiff_t>(
          0, static_cast<std::ptrdiff_t>(inside.size()) - 1)(random);
      heap.remove(pool[inside[static_cast<std::size_t>(at)].second]);
      inside.erase(inside.begin() + at);
    }
    std::ranges::sort(inside);
    EXPECT_EQ(heap.next_expiry(), inside.front().first);
    collector found{pool};
    heap.advance(time_point(40), found);
    ids expected;
    for (const auto& [deadline, id] : inside) expected.push_back(id);
    EXPECT_EQ(found.fired, expected);
  }
}

}  // namespace
}  // namespace racewheel
