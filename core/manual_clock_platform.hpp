// Time as an argument: any platform, with a clock that moves only when a test says so.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/std_platform.hpp"

namespace racewheel {

/// The manual time of the process and everybody who waits for it.
class manual_time {
 public:
  /// Relaxed, like a real clock, which orders nothing between threads either.
  [[nodiscard]] static time_point now() noexcept {
    return time_point(now_.load(std::memory_order::relaxed));
  }

  /// Moves the clock and wakes those whose deadline has come. Clocks do not go back.
  static void set_now(time_point t) {
    {
      std::lock_guard lock(mutex_);
      if (t < now()) {
        throw std::invalid_argument("manual time " + std::to_string(t.count()) +
                                    " ns is before the present, " + std::to_string(now().count()) +
                                    " ns; reset() starts again");
      }
      now_.store(t.count(), std::memory_order::relaxed);
    }
    changed_.notify_all();
  }

  static void advance(time_point by) { set_now(by > never - now() ? never : now() + by); }

  /// Back to `t`, for the next test. Nobody may be waiting.
  static void reset(time_point t = time_point(0)) {
    std::lock_guard lock(mutex_);
    if (!waiters_.empty()) {
      throw std::logic_error("manual time reset while " + std::to_string(waiters_.size()) +
                             " threads wait");
    }
    now_.store(t.count(), std::memory_order::relaxed);
  }

  /// Threads that wait and have no reason to wake up yet.
  [[nodiscard]] static std::size_t parked() {
    std::lock_guard lock(mutex_);
    return count_parked();
  }

  /// Waits, in real time, until `count` threads are parked: whatever the last step set in motion
  /// has come to rest. False if that takes longer than `timeout`.
  [[nodiscard]] static bool wait_until_parked(
      std::size_t count = 1, std::chrono::milliseconds timeout = std::chrono::seconds(10)) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, timeout, [&] { return count_parked() >= count; });
  }

  /// The earliest deadline of a parked thread, or `never`.
  [[nodiscard]] static time_point next_deadline() {
    std::lock_guard lock(mutex_);
    time_point earliest = never;
    for (const waiter* w : waiters_) {
      if (w->sleeps()) earliest = std::min(earliest, w->deadline);
    }
    return earliest;
  }

  /// Sticky auto-reset event on the manual clock. A signal wins over a deadline that has come too.
  class event {
   public:
    void signal() {
      {
        std::lock_guard lock(mutex_);
        signalled_ = true;
      }
      changed_.notify_all();
    }

    void wait() { (void)wait_until(never); }

    [[nodiscard]] bool wait_until(time_point deadline) {
      std::unique_lock lock(mutex_);
      const waiter self{deadline, this};
      waiters_.push_back(&self);
      changed_.notify_all();
      changed_.wait(lock, [&] { return !self.sleeps(); });
      std::erase(waiters_, &self);
      const bool signalled = signalled_;
      signalled_ = false;
      return signalled;
    }

   private:
    friend class manual_time;
    bool signalled_ = false;  // under the clock's mutex
  };

 private:
  struct waiter {
    time_point deadline;
    const event* on;

    [[nodiscard]] bool sleeps() const noexcept {
      return !on->signalled_ && (deadline == never || now() < deadline);
    }
  };

  static std::size_t count_parked() {
    return static_cast<std::size_t>(
        std::ranges::count_if(waiters_, [](const waiter* w) { return w->sleeps(); }));
  }

  static inline std::mutex mutex_;
  static inline std::condition_variable changed_;  // one for all: this is for tests, not for speed
  static inline std::vector<const waiter*> waiters_;
  static inline std::atomic<time_point::rep> now_{0};  // written under the mutex
};

/// Base with manual time: manual_clock<counting_platform> counts and stands still.
template <class Base>
struct manual_clock : Base {
  using event = manual_time::event;

  [[nodiscard]] static time_point now() noexcept { return manual_time::now(); }
};

using manual_clock_platform = manual_clock<std_platform>;

static_assert(platform<manual_clock_platform>);

}  // namespace racewheel
