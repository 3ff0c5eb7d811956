// The machine under test: all of the timer's work, with neither thread nor clock.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "core/admission.hpp"
#include "core/bucket.hpp"
#include "core/mpsc_queue.hpp"
#include "core/timeout_handle.hpp"
#include "core/timer_config.hpp"
#include "core/timer_options.hpp"
#include "core/wheel.hpp"

namespace racewheel {

/// Queue, wheel, cancel stack and admission word of one timer.
///   schedule       any thread  time is an argument; 2 RMWs: [admit] and the queue's claim
///   close          any thread  no more admissions
///   turn           the worker  the work of one wake-up; returns when to wake up next
///   finish         the worker  after close(): everything becomes final; returns what was pending
/// Tests and explorer programs call it directly; `timer` adds the worker thread and the clock.
/// Its sites are in the table of core/timer_recipe.hpp.
template <class Config>
class timer_core {
 public:
  using platform = typename Config::platform;
  using recipe = typename Config::recipe;
  using observer = typename Config::observer;
  using node = timeout<platform, recipe>;
  using handle = timeout_handle<platform, recipe>;
  using wheel = typename Config::wheel::template wheel<node>;
  using queue = typename Config::queue::template queue<node, platform>;
  using counts = typename admission<platform, recipe>::counts;

  static constexpr bool tickless = wheel::traits.tickless;

  struct [[nodiscard]] scheduled {
    handle timeout;   // empty when rejected
    rejection why{};  // meaningful only when rejected
  };

  /// Times passed to schedule() and turn() count from `start` on the platform's clock.
  explicit timer_core(timer_options options)
      : options_(validated(std::move(options))),
        reporter_(std::make_shared<const problem_handler>(options_.on_problem)),
        runs_inline_(options_.run_on.template target<inline_executor>() != nullptr),
        observer_(tickless ? 1 : options_.slots),
        queue_(make_queue<queue>(options_.queue_capacity)),
        wheel_(wheel_geometry{options_.tick, options_.slots}) {
    if constexpr (recipe::cancel_reoffers_node) {
      home_.intake = this;
      home_.reoffer = [](void* self, node& timeout) noexcept {
        static_cast<timer_core*>(self)->reoffer(timeout);
      };
    }
  }

  timer_core(const timer_core&) = delete;
  timer_core& operator=(const timer_core&) = delete;

  /// Whatever finish() did not make final is released; nobody may be inside schedule() or cancel().
  ~timer_core() {
    (void)queue_.drain(~std::size_t{0}, [](node* timeout) noexcept { timeout->release(); });
    // A timeout that is on the cancel stack may still be in the wheel: take it out, release it
    // once.
    take_cancelled();
    while (node* const timeout = next_cancelled()) {
      unlink(*timeout);
      timeout->release();
    }
    wheel_.drain([](node& timeout, std::size_t) noexcept { timeout.release(); });
    while (node* const timeout = unplaced_.pop()) timeout->release();
  }

  /// Before the first schedule() and turn(), by one thread that all others synchronise with.
  void begin(time_point start) noexcept { start_.set(start); }
  [[nodiscard]] time_point start() const noexcept { return start_.get(); }

  /// `wake` is called when the worker sleeps past the new deadline, before the timeout is enqueued:
  /// after that the timer may already be gone. Meanwhile the worker sees that somebody is inside,
  /// and does not go to sleep.
  template <class Task, class Wake>
  scheduled schedule(time_point now, std::chrono::nanoseconds delay, Task&& task, Wake&& wake) {
    using verdict = typename admission<platform, recipe>::verdict;
    switch (admission_.enter(options_.max_pending)) {
      case verdict::admitted:
        break;
      case verdict::closed:
        return reject(rejection::stopped);
      case verdict::over_limit:
        return reject(rejection::too_many_pending);
    }
    const time_point deadline = deadline_of(now - start_.get(), delay);
    node* timeout = nullptr;
    try {
      timeout = node::make(home_, deadline, std::forward<Task>(task));
    } catch (...) {
      admission_.take_back();
      throw;
    }
    if constexpr (tickless) {
      // An idle worker is woken for a timeout that is never due as well: once it has seen it, it
      // wakes up from time to time to see whether it was cancelled.
      const std::int64_t next_wake = next_wake_.load(recipe::wake_look);
      if (deadline.count() < next_wake || next_wake == never.count()) wake();
    }
    if (queue_.push(timeout) == push_result::full) {
      if constexpr (tickless) wake();  // it may sleep for long, and the next caller needs room
      timeout->release();
      timeout->release();
      const scheduled rejected = reject(rejection::queue_full);
      if constexpr (recipe::rejection_takes_back) admission_.take_back();
      return rejected;
    }
    return {handle::adopt(timeout), {}};
  }

  template <class Task>
  scheduled schedule(time_point now, std::chrono::nanoseconds delay, Task&& task) {
    return schedule(now, delay, std::forward<Task>(task), [] {});
  }

  void close() noexcept { admission_.close(); }
  [[nodiscard]] bool closed() const noexcept { return admission_.closed(); }

  /// Whether a worker that spins until its next turn should turn now.
  [[nodiscard]] bool news() const noexcept {
    const counts seen = admission_.look();
    return seen.closed || (tickless && seen.unpublished != 0);
  }

  /// Accepted and not yet finalised by the worker; exact after the next turn.
  [[nodiscard]] std::uint32_t pending() const noexcept { return admission_.pending(); }

  /// One wake-up of the worker at time `now`: cancellations, transfer, expiry. Returns when the
  /// next one is due on the platform's clock; not later than `now` when work is left over.
  time_point turn(time_point now) {
    const time_point elapsed = std::max(now - start_.get(), time_point::zero());
    if (options_.order == turn_order::cancel_transfer_expire) process_cancelled();
    transfer();
    const std::uint64_t ticks = wheel_.advance(elapsed, expiry{*this});
    if (options_.order == turn_order::transfer_expire_cancel) process_cancelled();
    observer_.turned(ticks);
    return plan_next_turn(elapsed);
  }

  /// After close(). Waits for those who are inside schedule() or cancel(), makes everything final,
  /// and returns what had neither fired nor been cancelled; each of those carries a reference.
  [[nodiscard]] bucket<node> finish() {
    bucket<node> pending;
    final_drain(pending);
    wheel_.drain([&](node& timeout, std::size_t slot) {
      observer_.unlinked(slot);
      return_or_await(timeout, timeout_state::linked, pending);
    });
    while (node* const timeout = unplaced_.pop()) {
      timeout->place.set(node::none);
      return_or_await(*timeout, timeout_state::linked, pending);
    }
    await_cancellers();
    flush();
    return pending;
  }

  [[nodiscard]] observer& observed() noexcept { return observer_; }
  [[nodiscard]] const timer_options& options() const noexcept { return options_; }

  void report(timer_problem problem, std::exception_ptr cause = nullptr) noexcept {
    report(*reporter_, problem, cause);
  }

 private:
  /// What the wheel calls for each timeout that is due.
  struct expiry {
    timer_core& core;
    void due(node& timeout, std::size_t slot) {
      core.observer_.unlinked(slot);
      core.expire(timeout);
    }
    void misplaced(node&) { core.report(timer_problem::misplaced); }
  };

  scheduled reject(rejection why) noexcept {
    observer_.rejected(why);
    return {handle(), why};
  }

  /// now + delay, with everything beyond the clock's range clamped to never.
  [[nodiscard]] static time_point deadline_of(time_point now,
                                              std::chrono::nanoseconds delay) noexcept {
    const auto wait = std::max(delay, std::chrono::nanoseconds::zero());
    if constexpr (recipe::overflow_guard) {
      return wait > never - now ? never : now + wait;
    } else {
      const auto sum =
          static_cast<std::uint64_t>(now.count()) + static_cast<std::uint64_t>(wait.count());
      return time_point(static_cast<std::int64_t>(sum));
    }
  }

  // --- queue -> wheel ---

  void transfer() {
    for (node* timeout = unplaced_.pop(); timeout != nullptr; timeout = unplaced_.pop()) {
      if (!place(*timeout)) break;
    }
    const drain_result drained = queue_.drain(options_.max_transfers_per_turn,
                                              [this](node* timeout) noexcept { link(*timeout); });
    drained_ += static_cast<std::uint32_t>(drained.count);
    observer_.scheduled(drained.count);
  }

  void link(node& timeout) noexcept {
    if constexpr (recipe::cancel_reoffers_node) {
      if (timeout.place.get() != node::none) {
        unlink(timeout);
        --linked_;
        --drained_;  // was admitted once, comes a second time
      }
    }
    if (!timeout.link()) return finalise_cancelled(timeout);
    ++linked_;
    (void)place(timeout);
  }

  /// False when there was no memory: the timeout waits for the next turn.
  bool place(node& timeout) noexcept {
    try {
      wheel_.place(timeout);
    } catch (...) {
      timeout.place.set(node::waiting);
      unplaced_.append(timeout);
      report(timer_problem::out_of_memory, std::current_exception());
      return false;
    }
    observer_.linked(wheel_.slot_of(timeout));
    return true;
  }

  void unlink(node& timeout) noexcept {
    const std::uint32_t place = timeout.place.get();
    if (place == node::none) return;  // its walk has already taken it out
    if (place == node::waiting) {
      unplaced_.remove(timeout);
      timeout.place.set(node::none);
      return;
    }
    observer_.unlinked(wheel_.slot_of(timeout));
    wheel_.remove(timeout);
  }

  // --- wheel -> task ---

  void expire(node& timeout) {
    if (!timeout.expire()) {
      // Cancelled: its canceller is handing it over through the cancel stack, which finalises it.
      if constexpr (recipe::walk_counts_cancelled) count_down();
      return;
    }
    --linked_;
    if constexpr (recipe::count_before_run) count_down();
    const time_point deadline = start_.get() + timeout.deadline();
    hand_over(timeout, deadline);
    if constexpr (!recipe::count_before_run) count_down();
  }

  void hand_over(node& timeout, time_point deadline) {
    if (runs_inline_) {
      observer_.fired(deadline);
      run(timeout, *reporter_);
      return;
    }
    try {
      options_.run_on(expired_task(&timeout, reporter_, act));
      observer_.fired(deadline);
    } catch (...) {  // unwinding dropped the task and released the timeout
      observer_.refused();
      report(timer_problem::executor_refused, std::current_exception());
    }
  }

  static void run(node& timeout, const problem_handler& handler) noexcept {
    try {
      timeout.work().run();
    } catch (...) {
      report(handler, timer_problem::task_threw, std::current_exception());
    }
    timeout.work().reset();
    timeout.release();
  }

  /// On the thread of some executor, perhaps after the timer is gone.
  static void act(void* timeout, const problem_handler& handler, bool runs) noexcept {
    node& due = *static_cast<node*>(timeout);
    if (runs) return run(due, handler);
    due.work().reset();
    due.release();
  }

  static void report(const problem_handler& handler, timer_problem problem,
                     std::exception_ptr cause) noexcept {
    try {
      handler(problem, cause);
    } catch (...) {  // a handler that throws must not take the worker down
    }
  }

  // --- cancellations ---

  void take_cancelled() noexcept {
    if (cancelled_ == nullptr) cancelled_ = home_.cancelled.take();
  }

  node* next_cancelled() noexcept {
    if (cancelled_ == nullptr) return nullptr;
    node* const timeout = static_cast<node*>(cancelled_);
    cancelled_ = node::stack::after(*cancelled_);
    return timeout;
  }

  void process_cancelled() noexcept {
    process_cancelled(recipe::cancel_drain_capped ? options_.max_cancels_per_turn
                                                  : ~std::size_t{0});
  }

  void process_cancelled(std::size_t most) noexcept {
    for (std::size_t done = 0; done < most; ++done) {
      take_cancelled();
      node* const timeout = next_cancelled();
      if (timeout == nullptr) return;
      unlink(*timeout);
      --linked_;
      finalise_cancelled(*timeout);
    }
  }

  void finalise_cancelled(node& timeout) noexcept {
    observer_.cancelled();
    count_down();
    notify_cancelled(timeout);
    timeout.release();
  }

  void notify_cancelled(node& timeout) noexcept {
    try {
      timeout.work().on_cancel();
    } catch (...) {
      report(timer_problem::on_cancel_threw, std::current_exception());
    }
    timeout.work().reset();
  }

  // --- counting ---

  /// With a limit, room is made at once, so that a task can schedule its successor; without one,
  /// all of a turn is counted down in one RMW.
  void count_down() noexcept {
    ++finalised_;
    if (options_.max_pending != 0) flush();
  }

  counts flush() noexcept {
    return admission_.settle(std::exchange(drained_, 0U), std::exchange(finalised_, 0U));
  }

  [[nodiscard]] time_point plan_next_turn(time_point elapsed) noexcept {
    if constexpr (!tickless) {
      if (drained_ != 0 || finalised_ != 0) flush();
      return absolute(wheel_.next_expiry());
    } else {
      // Publish the plan first, then look who is inside: both ends meet in the admission word, so
      // either schedule() sees this plan, or this turn sees schedule()'s entry and does not sleep.
      time_point wake = wheel_.next_expiry();
      if (linked_ != 0) wake = std::min(wake, deadline_of(elapsed, options_.housekeeping));
      next_wake_.store(wake.count(), recipe::wake_set);
      const counts left = flush();
      const bool work_left = left.unpublished != 0 || cancelled_ != nullptr || !unplaced_.empty();
      return absolute(work_left ? elapsed : wake);
    }
  }

  [[nodiscard]] time_point absolute(time_point relative) const noexcept {
    const time_point start = start_.get();
    return relative > never - start ? never : start + relative;
  }

  // --- stopping ---

  void final_drain(bucket<node>& pending) noexcept {
    for (;;) {
      const drain_result drained = queue_.drain(~std::size_t{0}, [&](node* timeout) noexcept {
        return_or_await(*timeout, timeout_state::queued, pending);
      });
      drained_ += static_cast<std::uint32_t>(drained.count);
      observer_.scheduled(drained.count);
      if constexpr (!recipe::final_drain_waits) {
        if (drained.why == drain_end::empty) return;
      }
      if (flush().unpublished == 0) return;
      platform::yield();  // somebody is between its admission and its enqueue
    }
  }

  /// Becomes a result of stop(), unless a cancel() was first: a queued one is finalised here, a
  /// linked one comes through the cancel stack.
  void return_or_await(node& timeout, timeout_state from, bucket<node>& pending) noexcept {
    if (timeout.cancel_by_stop(from)) {
      if (from == timeout_state::linked) --linked_;
      pending.append(timeout);
      if constexpr (recipe::stop_finalises) {
        observer_.returned();
        count_down();
        notify_cancelled(timeout);
      }
    } else if (from == timeout_state::queued) {
      finalise_cancelled(timeout);
    }
  }

  /// A cancelled timeout that is not on the stack yet has a canceller a few instructions away.
  void await_cancellers() noexcept {
    for (;;) {
      process_cancelled(~std::size_t{0});
      if (linked_ == 0 || !recipe::stop_awaits_cancellers) return;
      platform::yield();
    }
  }

  // --- specimens ---

  void reoffer(node& timeout) noexcept { (void)queue_.push(&timeout); }

  const timer_options options_;
  const expired_task::reporter reporter_;
  const bool runs_inline_;

  // Shared with producers and cancellers.
  admission<platform, recipe> admission_;
  typename node::home home_;
  typename platform::template atomic<std::int64_t> next_wake_{0};  // ns since the start
  typename platform::template plain<time_point> start_{time_point::zero()};
  observer observer_;
  queue queue_;

  // The worker's alone.
  alignas(separation) wheel wheel_;
  bucket<node> unplaced_;                     // linked, but there was no memory to place them
  mpsc_hook<platform>* cancelled_ = nullptr;  // taken from the stack, not yet processed
  std::size_t linked_ = 0;                    // linked and not yet finalised
  std::uint32_t drained_ = 0;                 // since the last flush
  std::uint32_t finalised_ = 0;               // since the last flush
};

}  // namespace racewheel
