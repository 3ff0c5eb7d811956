// What is special about folly's queue; the contract itself is the conformance suite's matter.
#include "queues/folly_mpmc_queue.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <thread>
#include <vector>

namespace {

struct item {
  int value;
};

thread_local std::size_t accesses = 0;

/// The smallest foreign Atom: not derived from std::atomic, in a namespace that folly never heard
/// of.
template <class T>
class counted_atomic {
  using order = std::memory_order;

 public:
  counted_atomic() = default;
  counted_atomic(T v) : value_(v) {}

  T load(order o = order::seq_cst) const noexcept { return ++accesses, value_.load(o); }
  T load(racewheel::site s) const noexcept { return load(s.order); }
  void store(T v, order o = order::seq_cst) noexcept { ++accesses, value_.store(v, o); }
  bool compare_exchange_strong(T& expected, T desired) noexcept {
    return ++accesses, value_.compare_exchange_strong(expected, desired);
  }
  bool compare_exchange_weak(T& expected, T desired) noexcept {
    return ++accesses, value_.compare_exchange_weak(expected, desired);
  }
  void wait(T old, racewheel::site s) const noexcept { value_.wait(old, s.order); }
  void notify_all() noexcept { value_.notify_all(); }

 private:
  std::atomic<T> value_{};
};

struct counted_platform : racewheel::std_platform {
  template <class T>
  using atomic = counted_atomic<T>;
};

using racewheel::pop_state;
using racewheel::push_result;
template <class Platform>
using queue_on = racewheel::folly_mpmc_queue<item, Platform>;
using folly::detail::FutexResult;

static_assert(racewheel::mpsc_queue<queue_on<racewheel::std_platform>>);
static_assert(racewheel::mpsc_queue<queue_on<counted_platform>>);
static_assert(racewheel::recipe<racewheel::folly_mpmc_recipe>);
static_assert(racewheel::sites_of<racewheel::folly_mpmc_recipe>().empty());

template <class Platform>
class FollyMpmcQueue : public testing::Test {};
using platforms = testing::Types<racewheel::std_platform, counted_platform>;
TYPED_TEST_SUITE(FollyMpmcQueue, platforms);

TYPED_TEST(FollyMpmcQueue, carries_items_in_order_lap_after_lap) {
  queue_on<TypeParam> queue(3);
  std::vector<item> items(100);
  for (std::size_t i = 0; i < items.size(); i += 2) {
    ASSERT_EQ(queue.push(&items[i]), push_result::ok);
    ASSERT_EQ(queue.push(&items[i + 1]), push_result::ok);
    EXPECT_EQ(queue.size_approx(), 2u);
    EXPECT_EQ(queue.try_pop().item, &items[i]);
    EXPECT_EQ(queue.try_pop().item, &items[i + 1]);
    EXPECT_EQ(queue.try_pop().state, pop_state::empty);
  }
}

TYPED_TEST(FollyMpmcQueue, says_full_at_exactly_its_capacity) {
  queue_on<TypeParam> queue(3);
  std::vector<item> items(4);
  std::vector<item*> pointers{&items[0], &items[1], &items[2], &items[3]};
  EXPECT_EQ(queue.push_bulk(pointers), 3u);
  EXPECT_EQ(queue.push(&items[3]), push_result::full);
  EXPECT_EQ(queue.try_pop().item, &items[0]);
  EXPECT_EQ(queue.push(&items[3]), push_result::ok);
}

TYPED_TEST(FollyMpmcQueue, refuses_a_bad_capacity_by_name_and_value) {
  for (const std::size_t bad : {std::size_t{0}, static_cast<std::size_t>(-1)}) {
    try {
      queue_on<TypeParam> queue(bad);
      FAIL() << "capacity " << bad << " was accepted";
    } catch (const std::invalid_argument& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("capacity is " + std::to_string(bad)), std::string::npos) << message;
    }
  }
}

TYPED_TEST(FollyMpmcQueue, parks_and_wakes_through_the_platforms_atomic) {
  using futex = typename racewheel::folly_atoms<TypeParam>::template atom<std::uint32_t>;
  futex word{7};
  EXPECT_EQ(folly::detail::futexWaitUntil(&word, 7, std::chrono::steady_clock::time_point::min()),
            FutexResult::TIMEDOUT);
  EXPECT_EQ(folly::detail::futexWaitUntil(&word, 8, std::chrono::system_clock::now()),
            FutexResult::VALUE_CHANGED);
  std::thread waker([&word] {
    word.store(8, std::memory_order::release);
    folly::detail::futexWake(&word);
  });
  while (word.load(std::memory_order::acquire) == 7) folly::detail::futexWait(&word, 7);
  waker.join();
}

TEST(FollyMpmcQueueOnAForeignAtom, makes_every_access_through_it) {
  queue_on<counted_platform> queue(2);
  item one{1};
  accesses = 0;
  ASSERT_EQ(queue.push(&one), push_result::ok);
  EXPECT_GE(accesses, 5u) << "ticket and turn: loads and a CAS each";
  const std::size_t after_push = accesses;
  EXPECT_EQ(queue.try_pop().item, &one);
  EXPECT_GE(accesses - after_push, 5u);
}

}  // namespace
