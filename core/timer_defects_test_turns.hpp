// Checks of what a turn does: who wins, who counts, and when something is due.
#pragma once

#include <string>
#include <string_view>

#include "core/timer_defects_test_platform.hpp"
#include "races/registry.hpp"

namespace racewheel::defects {

/// A spoiled timer gives its reference back twice when both sides win: this is the one too many.
template <class Handle>
void lend_reference(const Handle& timeout) {
  alignas(Handle) std::byte never_destroyed[sizeof(Handle)];
  ::new (static_cast<void*>(never_destroyed)) Handle(timeout);
}

inline constexpr std::string_view both_win = "cancel() returned true, and the task ran";

/// cancel() against expiry on one linked timeout.
template <class Recipe, class Wheel>
class contest {
 public:
  contest()
      : core_(options()),
        timeout_(core_.schedule(time_point(0), tick, [this] { ++runs_; }).timeout) {
    core_.turn(time_point(0));
  }

  void cancel() { cancelled_ = timeout_.cancel(); }
  void expire() { core_.turn(3 * tick); }

  /// One side is stopped at a site of its own, the other passes. Empty if exactly one has won.
  template <class Stalled, class Other>
  [[nodiscard]] std::string meet(const char* site_name, Stalled stalled, Other other) {
    gate before_decision(site_name, thread_role{"stalled"});
    std::jthread thread = in_role("stalled", stalled);
    await_held(before_decision, site_name);
    other();
    before_decision.open();
    thread.join();
    if (runs_ == 1 && cancelled_) {
      lend_reference(timeout_);
      return std::string(both_win);
    }
    if (runs_ + (cancelled_ ? 1 : 0) != 1) return "neither ran nor was cancelled";
    core_.turn(10 * tick);
    return core_.pending() == 0 ? "" : "ended, and yet pending";
  }

 private:
  core_of<Recipe, Wheel> core_;
  int runs_ = 0;
  bool cancelled_ = false;
  typename core_of<Recipe, Wheel>::handle timeout_;
};

/// cancel() has looked and stalls; the worker expires.
template <>
struct check<races::cancel_flag_not_cas> {
  using wheels = both_wheels;
  static constexpr std::string_view violation = both_win;

  template <class Recipe, class Wheel>
  static std::string look() {
    contest<Recipe, Wheel> c;
    return c.meet(
        Recipe::cancel_by_cas ? "cancel_win" : "cancel_mark", [&] { c.cancel(); },
        [&] { c.expire(); });
  }
};

/// The worker has found it due and stalls; cancel() wins.
template <>
struct check<races::expire_blind_store> {
  using wheels = both_wheels;
  static constexpr std::string_view violation = both_win;

  template <class Recipe, class Wheel>
  static std::string look() {
    contest<Recipe, Wheel> c;
    return c.meet(
        Recipe::expire_by_cas ? "expire_win" : "expire_mark", [&] { c.expire(); },
        [&] { c.cancel(); });
  }
};

/// The first of two queued timeouts is cancelled; the second must still be found.
template <>
struct check<races::node_reoffered> {
  using wheels = both_wheels;
  static constexpr std::string_view violation = "the one behind a cancelled one never fires";

  template <class Recipe, class Wheel>
  static std::string look() {
    core_of<Recipe, Wheel> core(options());
    int runs = 0;
    auto first = core.schedule(time_point(0), tick, [&] { runs += 100; }).timeout;
    auto second = core.schedule(time_point(0), tick, [&] { ++runs; }).timeout;
    if (!first.cancel()) return "cancel() lost to nobody";
    for (int i = 1; i < 10; ++i) core.turn(i * tick);
    if (runs == 1) return core.pending() == 0 ? "" : "ended, and yet pending";
    second.cancel();  // offers the lost node again, so that the core can release it
    return runs == 0 ? std::string(violation) : "a cancelled task ran";
  }
};

/// A task cancels one that is due in the same slot: after the cancel drain, before its expiry.
template <>
struct check<races::double_decrement> {
  using wheels = both_wheels;
  static constexpr std::string_view violation = "two ended, and pending went from 3 to 0";

  template <class Recipe, class Wheel>
  static std::string look() {
    core_of<Recipe, Wheel> core(options());
    bool cancelled = false;
    typename core_of<Recipe, Wheel>::handle second;
    const auto first =
        core.schedule(time_point(0), tick, [&] { cancelled = second.cancel(); }).timeout;
    second = core.schedule(time_point(0), tick, [] {}).timeout;
    const auto third = core.schedule(time_point(0), far, [] {}).timeout;
    for (int i = 0; i < 10; ++i) core.turn(i * tick);
    if (!cancelled || second.is_expired() || third.is_expired()) return "the wrong one ran";
    const std::uint32_t left = core.pending();
    return left == 1 ? "" : "two ended, and pending went from 3 to " + std::to_string(left);
  }
};

/// At the limit a task schedules its successor.
template <>
struct check<races::count_after_run> {
  using wheels = both_wheels;
  static constexpr std::string_view violation = "rejected by its own predecessor";

  template <class Recipe, class Wheel>
  static std::string look() {
    timer_options limited = options();
    limited.max_pending = 1;
    core_of<Recipe, Wheel> core(limited);
    typename core_of<Recipe, Wheel>::scheduled next;
    int runs = 0;
    const auto first = core.schedule(time_point(0), tick, [&] {
      ++runs;
      next = core.schedule(2 * tick, tick, [&] { ++runs; });
    });
    if (core.schedule(time_point(0), tick, [] {}).timeout) return "accepted beyond the limit";
    core.turn(2 * tick);
    if (runs != 1) return "not run when it was due";
    if (!next.timeout) return std::string(violation);
    core.turn(4 * tick);
    return runs == 2 && core.pending() == 0 ? "" : "the successor did not run";
  }
};

/// When, in ticks, a timeout runs that is scheduled at `now` with this delay; "not at all" if it
/// does not run within the next rotations. A turn is made at each tick.
template <class Core>
[[nodiscard]] std::string run_of(Core& core, int now, std::chrono::nanoseconds delay) {
  int at = now;
  int ran_at = 0;
  const auto timeout = core.schedule(at * tick, delay, [&] { ran_at = at; }).timeout;
  const int last = now + 5 * static_cast<int>(slots);
  for (; at <= last && ran_at == 0; ++at) core.turn(at * tick);
  return ran_at == 0 ? "not at all" : "at " + std::to_string(ran_at);
}

/// More than one rotation has passed when a timeout of the next tick is scheduled.
template <>
struct check<races::rounds_absolute> {
  using wheels = only_hashed_wheel;
  static constexpr std::string_view violation = "due when tick 6 ends, at 7, and ran at 11";

  template <class Recipe, class Wheel>
  static std::string look() {
    core_of<Recipe, Wheel> core(options());
    core.turn(5 * tick);
    const std::string ran = run_of(core, 5, tick);
    return ran == "at 7" ? "" : "due when tick 6 ends, at 7, and ran " + ran;
  }
};

/// A timeout of the next round is before one of this round in the same slot.
template <>
struct check<races::early_break> {
  using wheels = only_hashed_wheel;
  static constexpr std::string_view violation = "due when tick 2 ends, at 3, and ran not at all";

  template <class Recipe, class Wheel>
  static std::string look() {
    core_of<Recipe, Wheel> core(options());
    const auto in_front = core.schedule(time_point(0), (2 + slots) * tick, [] {}).timeout;
    const std::string ran = run_of(core, 0, 2 * tick);
    return ran == "at 3" ? "" : "due when tick 2 ends, at 3, and ran " + ran;
  }
};

/// The longest delay there is, a while after the start.
template <>
struct check<races::deadline_overflow> {
  using wheels = both_wheels;
  static constexpr std::string_view violation = "never due, and ran";

  template <class Recipe, class Wheel>
  static std::string look() {
    core_of<Recipe, Wheel> core(options());
    core.turn(4 * tick);
    const std::string ran = run_of(core, 4, std::chrono::nanoseconds::max());
    if (ran != "not at all") return std::string(violation);
    return core.pending() == 1 ? "" : "not run, and yet not pending";
  }
};

/// D8. More cancellations than one turn may process.
template <>
struct check<races::cancel_drain_uncapped> {
  using wheels = both_wheels;
  static constexpr std::string_view violation = "5 cancellations in a turn that may do 2";

  template <class Recipe, class Wheel>
  static std::string look() {
    timer_options capped = options();
    capped.max_cancels_per_turn = 2;
    core_of<Recipe, Wheel> core(capped);
    int processed = 0;
    std::vector<typename core_of<Recipe, Wheel>::handle> timeouts;
    for (int i = 0; i < 5; ++i) {
      timeouts.push_back(
          core.schedule(time_point(0), far, task_with_cancel{[] {}, [&] { ++processed; }}).timeout);
    }
    core.turn(time_point(0));
    for (auto& timeout : timeouts) timeout.cancel();
    for (const int expected : {2, 4, 5}) {
      const int before = processed;
      core.turn(time_point(0));
      if (processed == expected) continue;
      return std::to_string(processed - before) + " cancellations in a turn that may do 2";
    }
    return core.pending() == 0 ? "" : "cancelled, and yet pending";
  }
};

}  // namespace racewheel::defects
