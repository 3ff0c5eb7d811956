// The timer half of the tour; only the generated translation units include this.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cli/tour.hpp"
#include "core/metrics_observer.hpp"
#include "core/timer.hpp"

namespace racewheel::cli {

/// One run of one timer. Every timeout has an id; at the end each id must stand in exactly one
/// column: fired, cancelled, returned.
template <class Backend, class Wheel>
class timer_tour_run {
  using observer = metrics_observer<std_platform>;
  using timer_type = timer<timer_config<Wheel, Backend, std_platform, timer_recipe, observer>>;
  using handle = typename timer_type::handle;

 public:
  explicit timer_tour_run(const timer_tour_plan& plan)
      : plan_(plan),
        per_producer_(plan.timeouts / plan.producers),
        entries_(plan.producers * per_producer_),
        aims_(plan.producers) {}

  timer_tour_row run() {
    const time_point begun = std_platform::now();
    std::vector<std::thread> producers;
    for (std::size_t p = 0; p < plan_.producers; ++p) {
      producers.emplace_back([this, p] { produce(p); });
    }
    for (std::thread& t : producers) t.join();
    std::vector<handle> returned = timer_.stop();
    row_.seconds = std::chrono::duration<double>(std_platform::now() - begun).count();
    if (timer_.try_schedule(time_point(0), [] {}).timeout)
      note("a timeout was accepted after stop()");
    std::sort(returned.begin(), returned.end());
    account(returned);
    return row_;
  }

 private:
  struct entry {
    handle timeout;
    time_point due{};  // the earliest moment at which the task may run
    std::atomic<std::uint8_t> fired{0};
    std::atomic<bool> early{false};
    bool cancelled = false;
  };
  /// Where one producer aims its cancels, relative to the deadline: later after each one that was
  /// in time, earlier after each one that was not, so that both outcomes are seen.
  struct alignas(separation) aim {
    std::chrono::nanoseconds offset{0};
    std::uint64_t shots = 0;
    std::uint64_t won = 0;
  };
  static constexpr std::size_t batch = 200;
  static constexpr std::size_t stays = 50;  // every so many, one that is still pending at stop()

  void produce(std::size_t p) {
    std::mt19937_64 random(plan_.seed * 1000 + p);
    for (std::size_t first = 0; first < per_producer_; first += batch) {
      const std::size_t begin = p * per_producer_ + first;
      const std::size_t end = p * per_producer_ + std::min(first + batch, per_producer_);
      for (std::size_t id = begin; id < end; ++id) schedule(id, random);
      for (std::size_t id = begin; id < end; id += 2) shoot(id, aims_[p]);
    }
    // What was not aimed at expires by itself.
    for (std::size_t id = p * per_producer_; id < (p + 1) * per_producer_; ++id) {
      while (id % stays != 1 && !entries_[id].timeout.is_expired() &&
             !entries_[id].timeout.is_cancelled()) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
    }
  }

  void schedule(std::size_t id, std::mt19937_64& random) {
    entry& e = entries_[id];
    const std::chrono::nanoseconds delay =
        id % stays == 1 ? std::chrono::hours(1)
                        : std::chrono::microseconds(1000 + static_cast<int>(random() % 3000));
    e.due = std_platform::now() + delay;
    const auto task = [&e] {
      if (std_platform::now() < e.due) e.early.store(true, std::memory_order::relaxed);
      e.fired.fetch_add(1, std::memory_order::relaxed);
    };
    for (;;) {
      auto scheduled = timer_.try_schedule(delay, task);
      e.timeout = std::move(scheduled.timeout);
      if (e.timeout) return;
      std::this_thread::yield();  // a bounded queue is full: the worker needs the core
    }
  }

  void shoot(std::size_t id, aim& a) {
    entry& e = entries_[id];
    while (std_platform::now() < e.due + a.offset) std::this_thread::yield();
    e.cancelled = e.timeout.cancel();
    ++a.shots;
    a.won += e.cancelled ? 1 : 0;
    a.offset += e.cancelled ? std::chrono::microseconds(20) : std::chrono::microseconds(-20);
    a.offset = std::clamp<std::chrono::nanoseconds>(a.offset, std::chrono::milliseconds(-3),
                                                    std::chrono::milliseconds(3));
  }

  void account(const std::vector<handle>& returned) {
    for (std::size_t id = 0; id < entries_.size(); ++id) {
      const entry& e = entries_[id];
      const unsigned fired = e.fired.load(std::memory_order::relaxed);
      const unsigned back = std::binary_search(returned.begin(), returned.end(), e.timeout) ? 1 : 0;
      const unsigned cancelled = e.cancelled ? 1 : 0;
      if (fired + cancelled + back != 1) {
        note("timeout " + std::to_string(id) + ": fired " + std::to_string(fired) + ", cancelled " +
             std::to_string(cancelled) + ", returned " + std::to_string(back));
      }
      if (e.early.load(std::memory_order::relaxed)) {
        note("timeout " + std::to_string(id) + " ran before its deadline");
      }
      row_.fired += fired;
      row_.cancelled += cancelled;
      row_.returned += back;
    }
    row_.scheduled = entries_.size();
    for (const aim& a : aims_) {
      row_.aimed += a.shots;
      row_.aimed_won += a.won;
    }
    const timer_metrics seen = timer_.observed().snapshot();
    row_.rejected = seen.rejected;
    row_.refused = seen.refused;
    row_.lateness_p50_us = seen.lateness_quantile_ns(0.5) / 1000;
    row_.lateness_p99_us = seen.lateness_quantile_ns(0.99) / 1000;
    if (timer_.pending() != 0)
      note(std::to_string(timer_.pending()) + " still pending after stop()");
    if (seen.fired != row_.fired || seen.cancelled != row_.cancelled ||
        seen.returned != row_.returned || seen.scheduled != row_.scheduled) {
      note("the metrics disagree with the ledger");
    }
  }

  void note(std::string what) {
    if (!row_.violation) row_.violation = std::move(what);
  }

  const timer_tour_plan plan_;
  const std::size_t per_producer_;
  std::vector<entry> entries_;
  std::vector<aim> aims_;
  timer_tour_row row_;
  timer_type timer_{{.tick = std::chrono::milliseconds(1)}};
};

template <class Backend, class Wheel>
timer_tour_row timer_tour(const timer_tour_plan& plan) {
  return timer_tour_run<Backend, Wheel>(plan).run();
}

}  // namespace racewheel::cli
