// What the timer's programs share: the ledger of every timeout's fate, and the roles of threads.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/timer.hpp"
#include "explore/moment.hpp"
#include "explore/platform.hpp"
#include "explore/program.hpp"
#include "explore/programs/parameters.hpp"
#include "explore/scratch_allocator.hpp"

namespace racewheel::explore {

/// When each turn ended. The explorer's own notes: no part of what the threads share.
struct turn_log : null_observer {
  using null_observer::null_observer;
  void turned(std::uint64_t) noexcept { ends.push_back(moment::now()); }

  /// Turns that happen before now.
  [[nodiscard]] std::size_t known() const noexcept {
    std::size_t count = 0;
    for (const moment& end : ends) count += end.happened_before_now() ? 1 : 0;
    return count;
  }

  scratch_vector<moment> ends;
};

/// The timer as programs run it: core/timer.hpp, unchanged, on virtual threads.
template <class Wheel, class Queue, class Recipe = timer_recipe>
using explored_timer = timer_config<Wheel, Queue, platform, Recipe, turn_log>;

namespace timer_kit {

inline constexpr std::size_t most_cancellers = 4;
inline constexpr std::chrono::milliseconds tick{1};
inline constexpr std::chrono::microseconds soon{500};  // due in the first tick
inline constexpr std::chrono::hours far{1};
inline constexpr std::size_t slots = 4;

/// A small wheel that keeps what it has to report to itself.
[[nodiscard]] inline timer_options options() {
  timer_options o;
  o.tick = tick;
  o.slots = slots;
  o.queue_capacity = 64;  // room for everything, and cheap to construct
  o.housekeeping = tick;  // tickless wheels wake up as often
  o.on_problem = [](timer_problem, const std::exception_ptr&) {};
  o.report_leaks = false;
  return o;
}

/// What became of each timeout, by id.
///   each accepted timeout ends exactly once: fired, cancelled by one caller, or returned by stop
///   on-cancel is called once for what was cancelled or returned, and for nothing else
///   what was written before schedule() is there when the task or the callback runs
///   what came before cancel() is known to the callback, and to whoever sees the timeout cancelled
template <class Handle>
class ledger {
 public:
  explicit ledger(std::size_t ids) : entries_(ids) {}

  struct task {
    ledger* book;
    std::size_t id;
    void operator()() { book->fired(id); }
    void on_cancel() { book->called_back(id); }
  };

  /// Schedules timeout `id` by schedule(task), which answers as timer_core::schedule does.
  template <class Schedule>
  bool enter(std::size_t id, Schedule&& schedule) {
    entry& e = entries_[id];
    e.payload.set(payload_of(id));
    auto answer = schedule(task{this, id});
    e.why = answer.why;
    e.accepted = static_cast<bool>(answer.timeout);
    e.timeout = std::move(answer.timeout);
    return e.accepted;
  }

  void cancel(std::size_t id, std::size_t canceller) {
    entry& e = entries_[id];
    e.before[canceller] = moment::next();
    if (!e.timeout.cancel()) return;
    ++e.wins;
    e.winner = canceller;
  }

  /// Cancelled and expired are exclusive and final, whenever anybody looks.
  void look(std::size_t id) {
    entry& e = entries_[id];
    const bool cancelled = e.timeout.is_cancelled();
    if (cancelled) e.seen_cancelled &= known_cancellers(e);
    const bool expired = e.timeout.is_expired();
    check(!(cancelled && expired), "cancelled and expired are exclusive");
  }

  void returned(Handle timeout) { returned_.push_back(std::move(timeout)); }

  [[nodiscard]] bool accepted(std::size_t id) const { return entries_[id].accepted; }
  [[nodiscard]] rejection why(std::size_t id) const { return entries_[id].why; }
  [[nodiscard]] std::size_t runs(std::size_t id) const { return entries_[id].runs; }
  [[nodiscard]] std::size_t callbacks() const { return callbacks_; }
  [[nodiscard]] Handle& timeout(std::size_t id) { return entries_[id].timeout; }

  /// Any time after the threads have ended: what a wrong end would make a mess of.
  void check_winners() {
    for (const entry& e : entries_) {
      check(e.wins <= 1, "one cancel() wins");
      check(e.runs + e.wins <= 1, "a task whose cancel() returned true does not run");
    }
  }

  /// When everything is over and `pending` is what the timer says of it.
  void close(std::size_t pending) {
    for (entry& e : entries_) {
      std::size_t returns = 0;
      for (const Handle& h : returned_) returns += e.accepted && h == e.timeout ? 1 : 0;
      const std::size_t ends = e.runs + e.wins + returns;
      check(ends == (e.accepted ? 1 : 0), "each accepted timeout ends exactly once");
      check(e.callbacks == e.wins + returns, "on-cancel is called once for what was cancelled");
      if (!e.accepted) continue;
      check(e.timeout.is_expired() == (e.runs == 1), "its state says how it ended");
      if (e.wins == 0) continue;
      check((e.callback_knows >> e.winner & 1U) != 0, "on-cancel knows what came before cancel()");
      check((e.seen_cancelled >> e.winner & 1U) != 0,
            "who sees it cancelled knows what came before");
    }
    check(pending == 0, "nothing stays pending");
  }

 private:
  struct entry {
    Handle timeout;
    platform::plain<std::uint64_t> payload{0};
    bool accepted = false;
    rejection why{};
    std::size_t runs = 0;
    std::size_t wins = 0;
    std::size_t winner = 0;
    std::size_t callbacks = 0;
    std::array<moment, most_cancellers> before{};
    std::uint32_t callback_knows = 0;                  // a bit per canceller
    std::uint32_t seen_cancelled = ~std::uint32_t{0};  // what every observer knew that saw it
  };

  [[nodiscard]] static std::uint64_t payload_of(std::size_t id) { return (id + 1) * 0x9E3779B9U; }

  [[nodiscard]] static std::uint32_t known_cancellers(const entry& e) {
    std::uint32_t known = 0;
    for (std::size_t k = 0; k < e.before.size(); ++k) {
      if (e.before[k].happened_before_now()) known |= 1U << k;
    }
    return known;
  }

  void fired(std::size_t id) {
    entry& e = entries_[id];
    check(e.payload.get() == payload_of(id), "the payload is there");
    ++e.runs;
  }
  void called_back(std::size_t id) {
    entry& e = entries_[id];
    check(e.payload.get() == payload_of(id), "the payload is there");
    e.callback_knows = known_cancellers(e);
    ++e.callbacks;
    ++callbacks_;
  }

  scratch_vector<entry> entries_;
  scratch_vector<Handle> returned_;
  std::size_t callbacks_ = 0;
};

/// A timer core, its ledger, and what the threads of programs do with them.
template <class Config>
class core_run {
 public:
  using core_type = timer_core<Config>;
  using handle = typename core_type::handle;

  core_run(const timer_options& o, std::size_t ids) : core_(o), book_(ids) {}

  void schedule(std::size_t id, time_point now, std::chrono::nanoseconds delay) {
    book_.enter(id, [&](auto task) { return core_.schedule(now, delay, task); });
  }
  void cancel_all(std::size_t canceller, std::size_t timeouts) {
    for (std::size_t id = 0; id < timeouts; ++id) book_.cancel(id, canceller);
  }

  /// So many turns, one per tick, each at the end of its tick.
  void turn_for(std::size_t ticks) {
    for (std::size_t t = 0; t < ticks && !core_.closed(); ++t) core_.turn(time_of(t + 1));
  }
  void close() {
    core_.close();
    closed_.signal();
  }
  /// The worker of a timer that is stopped meanwhile.
  void work(std::size_t ticks) {
    turn_for(ticks);
    closed_.wait();
    finish();
  }
  void finish() {
    book_.check_winners();
    auto left = core_.finish();
    while (auto* const timeout = left.pop()) book_.returned(handle::adopt(timeout));
  }
  /// By the last thread: what the worker left to do, then the ledger.
  void settle_accounts() { book_.close(core_.pending()); }
  /// Both, by a thread that everybody else is behind.
  void stop_alone() {
    core_.close();
    finish();
    settle_accounts();
  }

  [[nodiscard]] core_type& core() { return core_; }
  [[nodiscard]] ledger<handle>& book() { return book_; }
  [[nodiscard]] static time_point time_of(std::size_t ticks) {
    return tick * static_cast<std::int64_t>(ticks);
  }

 private:
  core_type core_;
  ledger<handle> book_;
  platform::event closed_;
};

/// Threads of the same kind: body(number) on each.
template <class Body>
class crew {
 public:
  crew(std::size_t size, Body body) : body_(std::move(body)) {
    members_.reserve(size);
    for (std::size_t n = 0; n < size; ++n) members_.push_back({this, n});
  }
  void start(detail::thread_group& group) {
    for (member& m : members_) group.start(m);
  }

 private:
  struct member {
    crew* all;
    std::size_t number;
    void operator()() { all->body_(number); }
  };

  Body body_;
  scratch_vector<member> members_;
};

/// Starts crews and single bodies, in order, and waits for all of them.
template <class... Crews>
void run_crews(Crews&&... crews) {
  detail::thread_group group;
  (crews.start(group), ...);
  group.join();
}

}  // namespace timer_kit

}  // namespace racewheel::explore
