// The timer: a timer_core with a worker thread, a clock and a life cycle.
#pragma once

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/timer_core.hpp"

namespace racewheel {

/// Thrown by schedule() when the timer does not take the timeout; nothing of it remains.
class rejected : public std::runtime_error {
 public:
  explicit rejected(rejection why) : std::runtime_error(text(why)), why_(why) {}
  [[nodiscard]] rejection why() const noexcept { return why_; }

 private:
  [[nodiscard]] static const char* text(rejection why) noexcept {
    switch (why) {
      case rejection::stopped:
        return "rejected: the timer is stopped";
      case rejection::too_many_pending:
        return "rejected: max_pending timeouts are pending";
      case rejection::queue_full:
        return "rejected: the intake queue is full (queue_capacity)";
    }
    return "rejected";
  }

  rejection why_;
};

/// Timers alive in this process; the 65th is reported once.
class timer_census {
 public:
  static constexpr int many = 64;

  /// True for the one timer that should warn.
  [[nodiscard]] static bool enter() noexcept {
    // Relaxed: stat, a count and a once-flag that order nothing.
    const int alive = alive_.fetch_add(1, std::memory_order::relaxed) + 1;
    return alive > many && !warned_.exchange(true, std::memory_order::relaxed);
  }
  static void leave() noexcept { alive_.fetch_sub(1, std::memory_order::relaxed); }

 private:
  static inline std::atomic<int> alive_{0};
  static inline std::atomic<bool> warned_{false};
};

/// Schedules tasks to run once after a delay, and cancels them.
///   schedule, try_schedule  any thread, also from a task; starts the worker if need be
///   start                   any thread; returns when the start time is published
///   stop                    any thread but the worker; idempotent, a second caller waits too
///   pending                 any thread
/// stop() may wait for callers that are inside schedule() or cancel(), and for the task that runs
/// on the worker. It does not wait for tasks that were handed to an executor. Once it has returned
/// no handle touches the timer again.
template <class Config>
class timer {
  using core_type = timer_core<Config>;

 public:
  using platform = typename Config::platform;
  using recipe = typename Config::recipe;
  using handle = typename core_type::handle;
  using scheduled = typename core_type::scheduled;

  explicit timer(timer_options options = {}) : core_(std::move(options)) {
    if (timer_census::enter()) core_.report(timer_problem::many_timers);
  }
  timer(const timer&) = delete;
  timer& operator=(const timer&) = delete;

  /// Stops first, and reports that nobody else did.
  ~timer() {
    const phase seen = phase_.load(recipe::phase_look);
    if (seen == phase::started) {
      if (core_.options().report_leaks) core_.report(timer_problem::not_stopped);
      (void)stop();
    }
    timer_census::leave();
  }

  /// Publishes the start time and creates the worker. Throws std::logic_error after stop(), and
  /// what thread creation throws; then the timer is as if start() had not been called.
  void start() {
    const phase seen = phase_.load(recipe::phase_look);
    if (seen == phase::started) return;
    // Before the lock: stop() holds it while it waits for the worker, whose task may be here.
    if (seen == phase::stopped) throw std::logic_error(start_after_stop);
    std::lock_guard lock(lifecycle_);
    const phase now_in = phase_.load(recipe::phase_look);
    if (now_in == phase::started) return;
    if (now_in == phase::stopped) {
      if constexpr (!recipe::start_heeds_stop) wait_for_a_start_nobody_publishes();
      throw std::logic_error(start_after_stop);
    }
    core_.begin(platform::now());
    if constexpr (!recipe::failed_start_recovers) phase_.store(phase::started, recipe::phase_set);
    worker_ = typename platform::thread([this] { work(); });
    phase_.store(phase::started, recipe::phase_set);
  }

  /// Runs `task` after `delay`; at the next tick if that is zero or negative, never if it is beyond
  /// the clock's range. Throws `rejected`, std::invalid_argument for an empty task, std::bad_alloc.
  template <class Task>
  handle schedule(std::chrono::nanoseconds delay, Task&& task) {
    scheduled result = try_schedule(delay, std::forward<Task>(task));
    if (!result.timeout) throw rejected(result.why);
    return std::move(result.timeout);
  }

  /// With a callback that runs on the worker if the timeout ends by cancel() or stop().
  template <class Task, class OnCancel>
  handle schedule(std::chrono::nanoseconds delay, Task&& task, OnCancel&& on_cancel) {
    return schedule(delay,
                    task_with_cancel{std::forward<Task>(task), std::forward<OnCancel>(on_cancel)});
  }

  /// The same without exceptions for what may happen on the path: an empty handle and the reason.
  template <class Task>
  scheduled try_schedule(std::chrono::nanoseconds delay, Task&& task) {
    const phase seen = phase_.load(recipe::phase_look);
    if (seen != phase::started && !started_for_schedule()) {
      core_.observed().rejected(rejection::stopped);
      return {handle(), rejection::stopped};
    }
    return core_.schedule(platform::now(), delay, std::forward<Task>(task),
                          [this] { wake_.signal(); });
  }

  /// Ends the worker and returns every timeout that had neither fired nor been cancelled, each of
  /// them now cancelled, with its on-cancel callback called. Before start(): nothing to return, and
  /// the timer is unusable. Throws std::logic_error on the worker thread.
  std::vector<handle> stop() {
    refuse_on_worker();
    std::unique_lock lock(lifecycle_, std::defer_lock);
    if constexpr (recipe::stop_awaits_start) lock.lock();
    const phase was = phase_.load(recipe::phase_look);
    if (was == phase::stopped) return {};
    phase_.store(phase::stopped, recipe::phase_set);
    core_.close();
    if (was == phase::fresh) return {};
    wake_.signal();
    if (worker_.joinable()) worker_.join();
    std::vector<handle> returned;
    while (auto* const timeout = leftovers_.pop()) returned.push_back(handle::adopt(timeout));
    return returned;
  }

  /// Accepted and neither fired, cancelled nor returned; cancels count at the next tick.
  [[nodiscard]] std::uint32_t pending() const noexcept { return core_.pending(); }

  [[nodiscard]] auto& observed() noexcept { return core_.observed(); }
  [[nodiscard]] const timer_options& options() const noexcept { return core_.options(); }

 private:
  enum class phase : std::uint8_t { fresh, started, stopped };
  static constexpr const char* start_after_stop =
      "start() after stop(): a stopped timer cannot be started again";

  /// False if the timer was stopped meanwhile.
  [[nodiscard]] bool started_for_schedule() {
    try {
      start();
      return true;
    } catch (const std::logic_error&) {
      return false;
    }
  }

  void refuse_on_worker() const {
    const auto id = worker_id_.load(recipe::worker_look);
    if (id == platform::this_thread_id()) {
      throw std::logic_error("stop() on the worker thread: a task cannot stop its own timer");
    }
  }

  void work() noexcept {
    worker_id_.store(platform::this_thread_id(), recipe::worker_set);
    try {
      while (!core_.closed()) {
        const time_point wake = core_.turn(platform::now());
        if (!core_.closed()) wait_until(wake);
      }
    } catch (...) {
      core_.report(timer_problem::worker_died, std::current_exception());
      if constexpr (!recipe::death_closes) return;
      core_.close();
    }
    leftovers_ = core_.finish();
    // A thread id is used again as soon as its thread has ended, perhaps by one that calls stop().
    worker_id_.store(typename platform::thread::id(), recipe::worker_set);
  }

  void wait_until(time_point wake) {
    if (wake <= platform::now()) {
      platform::yield();  // work is left over, perhaps because of a producer that needs the core
      return;
    }
    if (core_.options().wait == wait_strategy::sleep || wake == never) {
      (void)wake_.wait_until(wake);
      return;
    }
    if (wake_.wait_until(wake - core_.options().spin)) return;
    while (platform::now() < wake && !core_.news()) platform::pause();
  }

  [[noreturn]] static void wait_for_a_start_nobody_publishes() {
    for (;;) platform::yield();
  }

  core_type core_;
  typename platform::mutex lifecycle_;  // serialises start() and stop()
  typename platform::template atomic<phase> phase_{phase::fresh};
  typename platform::template atomic<typename platform::thread::id> worker_id_{};
  typename platform::event wake_;
  bucket<typename core_type::node> leftovers_;  // the worker's, then stop()'s
  typename platform::thread worker_;
};

}  // namespace racewheel
