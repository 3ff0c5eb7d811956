// The part of the queue contract that takes several threads to check.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "core/gated_platform.hpp"
#include "core/perturbed_platform.hpp"
#include "queues/conformance.hpp"
#include "queues/fan_in.hpp"

namespace racewheel::conformance {

template <class Backend>
concept can_stall = requires {
  { Backend::recipe::stall } -> std::convertible_to<stall_point>;
};

/// Conservation by id, per-producer order by id, publication, and nothing left behind.
template <class Backend>
violation nothing_is_lost_or_reordered(std::size_t producers) {
  const fan_in_plan plan{.producers = producers, .per_producer = 96000 / producers, .capacity = 64};
  return run_fan_in<Backend, std_platform>(plan).violation;
}

/// The same with every thread stalling at seeded places; small drains and a tiny ring.
template <class Backend>
violation nothing_is_lost_under_perturbation() {
  perturbed_platform::configure({.seed = 20260101, .strength = 10});
  const fan_in_plan plan{.producers = 3, .per_producer = 1500, .capacity = 4, .drain_limit = 3};
  const violation wrong = run_fan_in<Backend, perturbed_platform>(plan).violation;
  perturbed_platform::configure({.seed = 1, .strength = 0});
  return wrong;
}

/// FIFO across threads: what one pushed before another began comes out before it.
template <class Backend>
violation order_holds_from_thread_to_thread() {
  auto queue = make_queue<queue_of<Backend>>(8);
  item_pool<std_platform> items(1, 6);
  violation wrong;
  for (std::size_t id = 0; id < 6 && !wrong; ++id) {
    std::thread([&] { wrong = expect_pushes(queue, items, id, id + 1); }).join();
  }
  return wrong ? wrong : expect_pops(queue, items, range(0, 6));
}

/// Each producer owns as many items as its share of the capacity and pushes one only after it came
/// back: there is always room, so nobody may ever hear full.
template <class Backend>
violation full_is_never_said_while_there_is_room() {
  constexpr std::size_t producers = 3;
  constexpr std::size_t share = 2;
  constexpr std::size_t rounds = 2000;
  auto queue = make_queue<queue_of<Backend>>(producers * share);
  item_pool<std_platform> items(producers, share);
  std::array<std::atomic<bool>, producers * share> inside{};
  std::atomic<std::size_t> refused{0};
  std::atomic<std::size_t> running{producers};
  std::vector<std::thread> threads;
  for (std::size_t p = 0; p < producers; ++p) {
    threads.emplace_back([&, p] {
      for (std::size_t i = 0; i < rounds * share; ++i) {
        auto& item = items.at(p, i % share);
        while (inside[item.id].load(std::memory_order::acquire)) std::this_thread::yield();
        inside[item.id].store(true, std::memory_order::relaxed);
        if (queue.push(&item) == push_result::full) {
          refused.fetch_add(1, std::memory_order::relaxed);
          inside[item.id].store(false, std::memory_order::relaxed);
        }
      }
      running.fetch_sub(1, std::memory_order::release);
    });
  }
  for (;;) {
    const bool last = running.load(std::memory_order::acquire) == 0;
    const drain_result drained = queue.drain(16, [&](auto* item) noexcept {
      inside[item->id].store(false, std::memory_order::release);
    });
    if (last && drained.why == drain_end::empty) break;
    if (drained.count == 0) std::this_thread::yield();
  }
  for (std::thread& t : threads) t.join();
  const std::size_t n = refused.load(std::memory_order::relaxed);
  return n == 0 ? std::nullopt : violation("push said full " + std::to_string(n) + " times");
}

/// A consumer that knows of a finished push may hear busy, but not empty.
template <class Backend>
violation empty_is_never_said_while_a_pushed_item_is_inside() {
  constexpr std::size_t producers = 3;
  constexpr std::size_t each = 4000;
  auto queue = make_queue<queue_of<Backend>>(producers * each);
  item_pool<std_platform> items(producers, each);
  std::atomic<std::size_t> pushed{0};
  std::vector<std::thread> threads;
  for (std::size_t p = 0; p < producers; ++p) {
    threads.emplace_back([&, p] {
      for (std::size_t n = 0; n < each; ++n) {
        if (queue.push(&items.at(p, n)) == push_result::ok) {
          pushed.fetch_add(1, std::memory_order::release);
        }
      }
    });
  }
  violation wrong;
  std::size_t popped = 0;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (popped < items.size() && !wrong) {
    const std::size_t known = pushed.load(std::memory_order::acquire);
    const auto got = queue.try_pop();
    if (got.state == pop_state::item) {
      ++popped;
      continue;
    }
    if (got.state == pop_state::empty && known > popped) {
      wrong = "empty with " + std::to_string(known - popped) + " known items inside";
    }
    if (std::chrono::steady_clock::now() > deadline) wrong = "items did not come out in a minute";
    std::this_thread::yield();
  }
  for (std::thread& t : threads) t.join();
  return wrong;
}

/// One producer is held in the stall gap, between its claim and its publication. Until it goes on
/// the consumer hears busy, as often as it asks; then everything comes out in order of the claims.
template <class Backend>
violation busy_is_said_while_a_producer_stalls() {
  constexpr stall_point at = Backend::recipe::stall;
  auto queue = make_queue<queue_of<Backend, gated_platform>>(8);
  item_pool<gated_platform> items(1, 5);
  if (const auto wrong = expect_pushes(queue, items, 0, 1)) return wrong;

  gate stall(at.kind, at.site_name, thread_role{"stalled producer"}, at.skip);
  violation late_wrong;
  std::thread stalled([&] {
    gated_platform::set_role("stalled producer");
    late_wrong = expect_pushes(queue, items, 1, 2);
  });
  if (!stall.wait_until_held()) {
    stalled.join();
    return std::string("no producer came to ") + at.site_name;
  }
  violation wrong = expect_pushes(queue, items, 2, 5);  // behind the stalled one
  std::size_t early = 0;
  for (int attempt = 0; attempt < 4 && !wrong; ++attempt) {
    const auto popped = queue.try_pop();
    if (popped.state == pop_state::item && popped.item == &items[0] && early == 0) {
      ++early;  // what was pushed before the gap may come out, or wait for it too
    } else if (popped.state != pop_state::busy) {
      wrong = "pop said " + to_string(popped.state) + " while a producer stalls";
    }
  }
  stall.open();
  stalled.join();
  return first_of({wrong, late_wrong, expect_pops(queue, items, range(early, 5))});
}

/// Bulks of several producers: whole prefixes, and adjacent where the trait says so.
template <class Backend>
violation bulks_of_several_producers_stay_together() {
  constexpr std::size_t producers = 3;
  constexpr std::size_t bulk = 4;
  constexpr std::size_t each = 600 * bulk;
  auto queue = make_queue<queue_of<Backend>>(producers * each);  // so that every bulk fits whole
  item_pool<std_platform> items(producers, each);
  std::vector<std::thread> threads;
  for (std::size_t p = 0; p < producers; ++p) {
    threads.emplace_back([&, p] {
      const auto mine = pointers(items, p * each, (p + 1) * each);
      for (std::size_t n = 0; n < each; n += bulk) {
        for (std::size_t i = n; i < n + bulk; ++i) {
          mine[i]->payload = item_pool<std_platform>::payload_of(mine[i]->id);
        }
        const std::size_t taken = queue.push_bulk(std::span(mine).subspan(n, bulk));
        if (taken != bulk) return;  // the ledger will miss the rest
      }
    });
  }
  item_ledger ledger(producers, each);
  violation wrong;
  std::size_t count = 0;
  std::size_t previous = 0;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (count < items.size() && std::chrono::steady_clock::now() < deadline) {
    const auto popped = queue.try_pop();
    if (popped.state != pop_state::item) {
      std::this_thread::yield();
      continue;
    }
    const std::size_t id = popped.item->id;
    if (popped.item->payload != item_pool<std_platform>::payload_of(id)) {
      wrong = "item " + std::to_string(id) + " came out before its payload";
    }
    if (Backend::traits.bulk_is_one_claim && count % bulk != 0 && id != previous + 1) {
      wrong = "item " + std::to_string(id) + " came out inside another bulk";
    }
    ledger.enter(id);
    previous = id;
    ++count;
  }
  for (std::thread& t : threads) t.join();
  return wrong ? wrong : ledger.finish();
}

}  // namespace racewheel::conformance
