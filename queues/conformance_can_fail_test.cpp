// Every conformance check is seen to fail on a queue that breaks just what it checks.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <iostream>
#include <mutex>
#include <set>

#include "core/backend.hpp"
#include "queues/conformance_list.hpp"
#include "queues/mpsc_array_queue.hpp"
#include "queues/mutex_deque_queue.hpp"
#include "queues/vyukov_queue.hpp"

namespace racewheel {
namespace {

// Recipes of ours with one choice spoiled.

struct no_tail_check : vyukov_recipe {
  static constexpr bool tail_check = false;
};
struct vyukov_busy_taken_for_empty : vyukov_recipe {
  static constexpr bool tell_busy_from_empty = false;
};
struct capacity_off_by_one : mpsc_array_recipe {
  static constexpr std::size_t excess = 1;
};
struct stale_limit : mpsc_array_recipe {
  static constexpr bool refresh_limit = false;
};
struct never_full : mpsc_array_recipe {
  static constexpr bool refuse_at_limit = false;
};
struct array_busy_taken_for_empty : mpsc_array_recipe {
  static constexpr bool tell_busy_from_empty = false;
};
struct swaps_too_early : mutex_deque_recipe {
  static constexpr bool finish_before_swap = false;
};

// Faults that none of our recipes offers, in a queue that is otherwise a mutex_deque.

enum class fault {
  loses_some,           // every 1000th item vanishes
  repeats_some,         // every 1000th item comes out twice
  newest_first,         // a stack
  ignores_drain_limit,  // one more than asked for
  touches_after_sink,   // writes into the item when its sink is done
  full_while_draining,  // room is given back after the sink
  tears_bulks,          // a bulk is pushed item by item, with others in between
  bulk_loses_last,      // claims the whole bulk, keeps all but one
  leaks,                // never gives its memory back
  size_off_by_one,
  takes_any_capacity,
};

template <fault F>
struct faulty {
  static constexpr fault broken = F;

  template <class R>
  static constexpr std::array<site, 0> sites_of{};
};

template <class T, class Platform, class Recipe>
class faulty_queue {
  static constexpr bool has(fault f) { return Recipe::broken == f; }

 public:
  using value_type = T;
  static constexpr queue_traits traits{.name = "faulty",
                                       .order = ordering::fifo,
                                       .push = progress::blocking,
                                       .pop = progress::blocking,
                                       .bounded = true,
                                       .intrusive = false,
                                       .exact_full = true,
                                       .exact_empty = true,
                                       .bulk_is_one_claim = true,
                                       .explorable = false,
                                       .peer = false};

  explicit faulty_queue(std::size_t capacity)
      : capacity_(has(fault::takes_any_capacity) ? capacity : checked_capacity(capacity)) {
    if constexpr (has(fault::leaks)) {
      leaked().push_back(Platform::allocate(1, 1));
    }
  }

  push_result push(T* item) {
    std::lock_guard lock(mutex_);
    if (items_.size() + held_ >= capacity_) return push_result::full;
    if (has(fault::loses_some) && ++pushes_ % 1000 == 0) return push_result::ok;
    items_.push_back(item);
    if (has(fault::repeats_some) && ++pushes_ % 1000 == 0) items_.push_back(item);
    return push_result::ok;
  }
  std::size_t push_bulk(std::span<T* const> items) {
    std::unique_lock lock(mutex_);
    std::size_t count = 0;
    for (T* item : items) {
      if (items_.size() >= capacity_) break;
      ++count;
      if (has(fault::bulk_loses_last) && count == items.size()) break;
      items_.push_back(item);
      if (has(fault::tears_bulks)) {
        lock.unlock();
        std::this_thread::yield();
        lock.lock();
      }
    }
    return count;
  }
  pop_result<T> try_pop() {
    std::lock_guard lock(mutex_);
    if (items_.empty()) return {nullptr, pop_state::empty};
    T* const item = has(fault::newest_first) ? items_.back() : items_.front();
    has(fault::newest_first) ? items_.pop_back() : items_.pop_front();
    return {item, pop_state::item};
  }
  template <class Sink>
  drain_result drain(std::size_t limit, Sink&& sink) {
    return drain_by_pop(*this, has(fault::ignores_drain_limit) ? limit + 1 : limit, [&](T* item) {
      held_ = has(fault::full_while_draining) ? 1 : 0;
      sink(item);
      held_ = 0;
      if constexpr (has(fault::touches_after_sink)) item->payload = 0;
    });
  }
  [[nodiscard]] std::size_t size_approx() const {
    std::lock_guard lock(mutex_);
    return items_.size() + (has(fault::size_off_by_one) ? 1 : 0);
  }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

  /// What the leaking ones kept, so that a leak checker stays quiet about it.
  static std::vector<void*>& leaked() {
    static auto* const kept = new std::vector<void*>;  // never destroyed, so it stays reachable
    return *kept;
  }

 private:
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::deque<T*> items_;
  std::atomic<std::size_t> held_{0};
  std::size_t pushes_ = 0;
};

template <class Recipe>
using vyukov = backend<vyukov_queue, Recipe>;
template <class Recipe>
using mpsc_array = backend<mpsc_array_queue, Recipe>;
template <class Recipe>
using mutex_deque = backend<mutex_deque_queue, Recipe>;
template <fault F>
using with_fault = backend<faulty_queue, faulty<F>>;

/// Runs the named check on a spoiled backend, a few times where the fault takes luck.
template <class Spoiled>
bool fails(std::string_view check_name, int attempts = 1) {
  for (const conformance::check& check : conformance::checks<Spoiled>()) {
    if (check.name != check_name) continue;
    for (int i = 0; i < attempts; ++i) {
      if (const auto violation = check.run()) {
        std::cout << "  " << check_name << ": " << *violation << '\n';
        return true;
      }
    }
    return false;
  }
  ADD_FAILURE() << "there is no check " << check_name;
  return false;
}

struct witness {
  std::string_view check;
  std::string_view spoiled;
  bool (*caught)(std::string_view check);
};

template <class Spoiled, int Attempts = 1>
bool caught(std::string_view check) {
  return fails<Spoiled>(check, Attempts);
}

const std::vector<witness>& witnesses() {
  static const std::vector<witness> list{
      // what the recipes of our own backends can get wrong
      {"busy_is_said_while_a_producer_stalls", "vyukov without the tail check",
       caught<vyukov<no_tail_check>>},
      {"busy_is_said_while_a_producer_stalls", "vyukov with busy taken for empty",
       caught<vyukov<vyukov_busy_taken_for_empty>>},
      {"busy_is_said_while_a_producer_stalls", "mpsc_array with busy taken for empty",
       caught<mpsc_array<array_busy_taken_for_empty>>},
      {"the_capacity_is_exact", "mpsc_array with the capacity off by one",
       caught<mpsc_array<capacity_off_by_one>>},
      {"the_capacity_is_exact", "mpsc_array that is never full", caught<mpsc_array<never_full>>},
      {"push_bulk_takes_the_prefix_that_fits", "mpsc_array that is never full",
       caught<mpsc_array<never_full>>},
      {"full_is_said_only_when_full", "mpsc_array with a stale limit",
       caught<mpsc_array<stale_limit>>},
      {"full_is_never_said_while_there_is_room", "mpsc_array with a stale limit",
       caught<mpsc_array<stale_limit>>},
      {"items_come_out_in_the_order_of_pushes", "mutex_deque that swaps too early",
       caught<mutex_deque<swaps_too_early>>},
      // the rest of the list
      {"order_holds_from_thread_to_thread", "a stack", caught<with_fault<fault::newest_first>>},
      {"one_producer_loses_nothing", "a queue that loses some",
       caught<with_fault<fault::loses_some>>},
      {"two_producers_lose_nothing", "a queue that repeats some",
       caught<with_fault<fault::repeats_some>>},
      {"four_producers_lose_nothing", "a queue that loses some",
       caught<with_fault<fault::loses_some>>},
      {"eight_producers_lose_nothing", "a queue that repeats some",
       caught<with_fault<fault::repeats_some>>},
      {"nothing_is_lost_under_perturbation", "vyukov without the tail check",
       caught<vyukov<no_tail_check>, 50>},
      {"empty_is_never_said_while_a_pushed_item_is_inside", "a queue that loses some",
       caught<with_fault<fault::loses_some>>},
      {"drain_stops_at_its_limit_or_when_empty", "a drain that ignores its limit",
       caught<with_fault<fault::ignores_drain_limit>>},
      {"a_sink_may_push_again", "a drain that gives room back after the sink",
       caught<with_fault<fault::full_while_draining>>},
      {"a_sink_may_destroy_the_item", "a drain that touches the item after the sink",
       caught<with_fault<fault::touches_after_sink>>},
      {"push_bulk_takes_the_prefix_that_fits", "a bulk that loses its last item",
       caught<with_fault<fault::bulk_loses_last>>},
      {"bulks_of_several_producers_stay_together", "a bulk that lets others in between",
       caught<with_fault<fault::tears_bulks>, 50>},
      {"a_queue_may_be_destroyed_with_items_inside", "a queue that leaks",
       caught<with_fault<fault::leaks>>},
      {"size_approx_counts_a_queue_at_rest", "a size off by one",
       caught<with_fault<fault::size_off_by_one>>},
      {"bad_capacities_are_refused_by_name_and_value", "a queue that takes any capacity",
       caught<with_fault<fault::takes_any_capacity>>},
  };
  return list;
}

TEST(conformance_can_fail, each_spoiled_queue_fails_the_check_that_names_its_fault) {
  for (const witness& w : witnesses()) {
    EXPECT_TRUE(w.caught(w.check)) << w.spoiled << " passes " << w.check;
  }
}

TEST(conformance_can_fail, every_check_has_a_witness) {
  std::set<std::string_view> witnessed;
  for (const witness& w : witnesses()) witnessed.insert(w.check);
  std::set<std::string_view> checks;  // a bounded backend that can stall has all of them
  for (const auto& check : conformance::checks<mpsc_array<mpsc_array_recipe>>()) {
    checks.insert(check.name);
  }
  EXPECT_EQ(witnessed, checks);
}

}  // namespace
}  // namespace racewheel
