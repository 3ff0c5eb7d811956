// Many producers, one consumer, on real threads: the run behind conformance and the tour.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <latch>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/counting_platform.hpp"
#include "queues/item_ledger.hpp"
#include "queues/numbered_item.hpp"

namespace racewheel {

struct fan_in_plan {
  std::size_t producers = 1;
  std::size_t per_producer = 1000;
  std::size_t capacity = 1024;  // of bounded backends
  std::size_t drain_limit = 256;
  std::chrono::seconds patience{10};  // how long nothing may come out before items count as stuck
};

struct fan_in_result {
  std::optional<std::string> violation;
  std::size_t items = 0;
  double seconds = 0;    // from the common start to the last item
  access_counts counts;  // of all threads, on platforms that count
};

/// One run: the producers start together, each pushes its items in order and yields where the queue
/// is full; the caller's thread consumes. What came out is checked after the timed part, except for
/// payloads, which are looked at before anything else orders them.
template <class Backend, class Platform>
class fan_in {
  using pool = item_pool<Platform>;
  using queue = typename Backend::template queue<typename pool::item, Platform>;

 public:
  explicit fan_in(fan_in_plan plan)
      : plan_(plan),
        items_(plan.producers, plan.per_producer),
        queue_(make_queue<queue>(plan.capacity)),
        ready_(static_cast<std::ptrdiff_t>(plan.producers)),
        lanes_(plan.producers) {
    popped_.reserve(items_.size());
  }

  [[nodiscard]] fan_in_result run() {
    std::vector<std::thread> producers;
    for (std::size_t p = 0; p < plan_.producers; ++p) {
      producers.emplace_back([this, p] { produce(p); });
    }
    const access_counts before = counts_so_far();
    enlist(plan_.producers);
    ready_.wait();
    const auto start = std::chrono::steady_clock::now();  // before anybody can have done anything
    start_.count_down();
    std::optional<std::string> violation = consume();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const access_counts mine = counts_so_far() - before;
    give_up_.store(true, std::memory_order::relaxed);
    for (std::thread& t : producers) t.join();

    fan_in_result result{
        .violation = {}, .items = popped_.size(), .seconds = seconds.count(), .counts = mine};
    for (const lane& l : lanes_) result.counts += l.counts;
    item_ledger ledger(plan_.producers, plan_.per_producer);
    for (const std::size_t id : popped_) ledger.enter(id);
    const auto missing = ledger.finish();
    result.violation = violation ? violation : missing;
    return result;
  }

 private:
  struct alignas(separation) lane {
    access_counts counts;
  };

  static access_counts counts_so_far() {
    if constexpr (requires { Platform::counts(); }) {
      return Platform::counts();
    } else {
      return {};
    }
  }
  static void enlist(std::size_t number) {
    if constexpr (requires { Platform::set_thread_number(number); }) {
      Platform::set_thread_number(number);
    }
  }

  void produce(std::size_t p) {
    enlist(p);
    ready_.count_down();
    start_.wait();
    const access_counts before = counts_so_far();
    for (std::size_t n = 0; n < plan_.per_producer; ++n) {
      auto& item = items_.at(p, n);
      item.payload = pool::payload_of(item.id);
      while (queue_.push(&item) == push_result::full) {
        if (give_up_.load(std::memory_order::relaxed)) return;
        std::this_thread::yield();
      }
    }
    lanes_[p].counts = counts_so_far() - before;
    finished_.fetch_add(1, std::memory_order::release);
  }

  /// Returns what no ledger can see: foreign pointers, stale payloads, busy with nobody inside.
  std::optional<std::string> consume() {
    std::size_t foreign = 0;
    std::optional<std::size_t> stale;
    const auto sink = [&](typename pool::item* item) noexcept {
      if (!items_.owns(item) || popped_.size() == items_.size()) {
        ++foreign;
        return;
      }
      if (item->payload != pool::payload_of(item->id)) stale = item->id;
      popped_.push_back(item->id);
    };
    auto last_progress = std::chrono::steady_clock::now();
    for (;;) {
      const bool all_returned = finished_.load(std::memory_order::acquire) == plan_.producers;
      const drain_result drained = queue_.drain(plan_.drain_limit, sink);
      if (foreign != 0) return "a pointer came out that never went in, or one too many";
      if (stale) return "item " + std::to_string(*stale) + " came out before its payload";
      if (drained.why == drain_end::limit) continue;
      if (!all_returned) {
        const auto now = std::chrono::steady_clock::now();
        if (drained.count != 0) {
          last_progress = now;
        } else if (now - last_progress > plan_.patience) {
          return "stuck: nothing came out for " + std::to_string(plan_.patience.count()) + " s";
        }
        if (drained.count == 0) std::this_thread::yield();
      } else if (drained.why == drain_end::busy) {
        return "busy after all producers had returned";
      } else {
        return std::nullopt;
      }
    }
  }

  const fan_in_plan plan_;
  pool items_;
  queue queue_;
  std::latch ready_;  // all producers are there
  std::latch start_{1};
  std::vector<std::size_t> popped_;  // ids, in the order they came out
  std::vector<lane> lanes_;          // one per producer
  std::atomic<std::size_t> finished_{0};
  std::atomic<bool> give_up_{false};
};

template <class Backend, class Platform>
[[nodiscard]] fan_in_result run_fan_in(const fan_in_plan& plan) {
  return fan_in<Backend, Platform>(plan).run();
}

}  // namespace racewheel
