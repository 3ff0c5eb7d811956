// Checks of starting and stopping, on real threads that gates hold where the defect bites.
#pragma once

#include <string>
#include <string_view>

#include "core/timer_defects_test_platform.hpp"
#include "queues/mpsc_array_queue.hpp"
#include "races/registry.hpp"

namespace racewheel::defects {

/// Whether stop() returned this timeout, and nothing else.
template <class Handle>
[[nodiscard]] bool is_all_of(const Handle& timeout, const std::vector<Handle>& returned) {
  return returned.size() == 1 && returned.front() == timeout && timeout.is_cancelled();
}

/// D1. A producer is admitted and stalls before its enqueue; stop() comes.
template <>
struct check<races::stop_misses_late_add> {
  using wheels = both_wheels;
  static constexpr std::string_view violation = "accepted, never run, never returned";

  template <class Recipe, class Wheel>
  static std::string look() {
    timer_of<Recipe, Wheel> timer(options());
    timer.start();
    typename timer_of<Recipe, Wheel>::scheduled late;
    gate before_enqueue("claim", thread_role{"producer"});
    std::jthread producer = in_role("producer", [&] { late = timer.try_schedule(far, [] {}); });
    await_held(before_enqueue, "the producer, between admission and enqueue");
    stopping stop(timer);
    stop.until_it_returned_or_waits();
    const bool waited = !stop.done();
    before_enqueue.open();
    producer.join();
    stop.join();
    if (!late.timeout) return "rejected after its admission";
    if (!is_all_of(late.timeout, stop.returned())) return std::string(violation);
    return waited && timer.pending() == 0 ? "" : "returned, and yet pending";
  }
};

/// D2. A producer has seen the timer running; stop() returns before its admission. And: the queue
/// is full.
template <>
struct check<races::rejection_leaves_trace> {
  using wheels = both_wheels;
  static constexpr std::string_view violation = "rejected, and yet pending";

  template <class Recipe, class Wheel>
  static std::string look() {
    const std::string after_stop = rejected_after_stop<Recipe, Wheel>();
    const std::string by_queue = rejected_by_queue<Recipe, Wheel>();
    return after_stop == by_queue ? after_stop : after_stop + " / " + by_queue;
  }

  template <class Recipe, class Wheel>
  static std::string rejected_after_stop() {
    timer_of<Recipe, Wheel> timer(options());
    timer.start();
    typename timer_of<Recipe, Wheel>::scheduled late;
    gate before_admission("admit", thread_role{"producer"});
    std::jthread producer = in_role("producer", [&] { late = timer.try_schedule(far, [] {}); });
    await_held(before_admission, "the producer, before its admission");
    (void)timer.stop();
    before_admission.open();
    producer.join();
    if (late.timeout || late.why != rejection::stopped) return "accepted after stop()";
    return timer.pending() == 0 ? "" : std::string(violation);
  }

  template <class Recipe, class Wheel>
  static std::string rejected_by_queue() {
    timer_options small = options();
    small.queue_capacity = 2;
    timer_core<config<Recipe, Wheel, backend<mpsc_array_queue, mpsc_array_recipe>>> core(small);
    std::uint32_t accepted = 0;
    for (int i = 0; i < 100; ++i) {
      const auto result = core.schedule(time_point(0), far, [] {});
      accepted += result.timeout ? 1U : 0U;
      if (!result.timeout && result.why != rejection::queue_full) return "wrong reason";
    }
    if (accepted == 100) return "never full";
    return core.pending() == accepted ? "" : std::string(violation);
  }
};

/// D3. What stop() returns is final: counted down, its callback called.
template <>
struct check<races::stop_leaves_pending> {
  using wheels = both_wheels;
  static constexpr std::string_view violation = "returned by stop(), pending 1, callbacks 0";

  template <class Recipe, class Wheel>
  static std::string look() {
    timer_of<Recipe, Wheel> timer(options());
    int callbacks = 0;
    const auto timeout = timer.schedule(far, [] {}, [&] { ++callbacks; });
    const auto returned = timer.stop();
    if (!is_all_of(timeout, returned)) return "not returned by stop()";
    if (timer.pending() == 0 && callbacks == 1) return "";
    return "returned by stop(), pending " + std::to_string(timer.pending()) + ", callbacks " +
           std::to_string(callbacks);
  }
};

/// D4. A producer is about to start the timer; stop() comes first.
template <>
struct check<races::start_stop_hang> {
  using wheels = both_wheels;
  static constexpr std::string_view violation = "schedule() waits for ever";

  template <class Recipe, class Wheel>
  static std::string look() {
    timer_of<Recipe, Wheel> timer(options());
    typename timer_of<Recipe, Wheel>::scheduled late;
    bool hung = false;
    gate before_start(platform_site::lock.name, thread_role{"producer"});
    std::jthread producer = in_role("producer", [&] {
      faults::set_patience(10'000);
      try {
        late = timer.try_schedule(far, [] {});
      } catch (const out_of_patience&) {
        hung = true;
      }
    });
    await_held(before_start, "the producer, which has seen a fresh timer");
    const auto returned = timer.stop();
    before_start.open();
    producer.join();
    if (hung) return std::string(violation);
    if (late.timeout || late.why != rejection::stopped) return "accepted after stop()";
    return returned.empty() && timer.pending() == 0 ? "" : "something is left";
  }
};

/// D5. start() has created the worker, which is in its first turn; stop() comes before start() has
/// returned.
template <>
struct check<races::stop_overtakes_start> {
  using wheels = both_wheels;
  static constexpr std::string_view violation = "a tick ran after stop() returned";

  template <class Recipe, class Wheel>
  static std::string look() {
    timer_of<Recipe, Wheel> timer(options());
    gate in_start("phase_set", thread_role{"starter"});
    gate in_turn("stack_peek", thread_role{"worker"});
    gate at_lock(platform_site::lock.name, thread_role{"stopper"});
    std::jthread starter = in_role("starter", [&] { timer.start(); });
    await_held(in_start, "the starter, before it publishes");
    await_held(in_turn, "the worker, in its first turn");
    stopping stop(timer);
    await([&] { return stop.done() || is_held(at_lock); }, "stop() to return or to take the lock");
    const bool overtook = stop.done();
    at_lock.open();
    in_start.open();
    starter.join();
    in_turn.open();
    stop.join();
    (void)timer.stop();  // joins the worker if the first did not
    const int turns = timer.observed().turns;
    if (turns > stop.turns_at_return()) return std::string(violation);
    return overtook ? "stop() did not wait for start()" : "";
  }
};

/// D6. The first attempt to start finds no thread.
template <>
struct check<races::failed_start_sticks> {
  using wheels = both_wheels;
  static constexpr std::string_view violation = "accepted by a timer without a worker";

  template <class Recipe, class Wheel>
  static std::string look() {
    timer_of<Recipe, Wheel> timer(options());
    faults::fail_next_thread();
    try {
      (void)timer.try_schedule(far, [] {});
      return "no thread, and nobody was told";
    } catch (const std::system_error&) {
    }
    if (timer.pending() != 0) return "failed, and yet pending";
    const auto second = timer.try_schedule(far, [] {});
    const auto returned = timer.stop();
    if (!second.timeout) return "rejected by a timer that could start";
    if (!is_all_of(second.timeout, returned)) return std::string(violation);
    return timer.pending() == 0 ? "" : "returned, and yet pending";
  }
};

/// D7. The worker dies of an exception while a timeout is pending.
template <>
struct check<races::dead_worker_accepts> {
  using wheels = both_wheels;
  static constexpr std::string_view violation = "accepted by a dead worker";

  template <class Recipe, class Wheel>
  static std::string look() {
    timer_options watched = options();
    std::atomic<int> deaths{0};
    watched.on_problem = [&](timer_problem problem, const std::exception_ptr&) {
      deaths += problem == timer_problem::worker_died;
    };
    timer_of<Recipe, Wheel> timer(watched);
    const auto before = timer.schedule(far, [] {});
    faults::fail_next_wait();
    await([] { return faults::workers_ended() == 1; }, "the worker to die");
    const auto after = timer.try_schedule(far, [] {});
    const auto returned = timer.stop();
    if (deaths != 1) return "nobody was told";
    if (after.timeout) return std::string(violation);
    if (!is_all_of(before, returned)) return "pending at the death, never returned";
    return timer.pending() == 0 ? "" : "returned, and yet pending";
  }
};

/// D9. A canceller has won and stalls on its way to the cancel stack; stop() comes.
template <>
struct check<races::stop_forgets_canceller> {
  using wheels = both_wheels;
  static constexpr std::string_view violation = "cancelled, pending 1, callbacks 0";

  template <class Recipe, class Wheel>
  static std::string look() {
    const std::string at_look = stalled_at<Recipe, Wheel>("stack_look");
    const std::string at_push = stalled_at<Recipe, Wheel>("stack_push");
    return at_look == at_push ? at_look : at_look + " / " + at_push;
  }

  template <class Recipe, class Wheel>
  static std::string stalled_at(const char* site_name) {
    timer_of<Recipe, Wheel> timer(options());
    std::atomic<int> callbacks{0};
    auto timeout = timer.schedule(far, [] {}, [&] { ++callbacks; });
    await([&] { return timer.observed().links == 1; }, "the timeout to be linked");
    bool won = false;
    gate on_the_way(site_name, thread_role{"canceller"});
    std::jthread canceller = in_role("canceller", [&] { won = timeout.cancel(); });
    await_held(on_the_way, "the canceller, after its win");
    stopping stop(timer);
    stop.until_it_returned_or_waits();
    const bool waited = !stop.done();
    on_the_way.open();
    canceller.join();
    stop.join();
    if (!won || !stop.returned().empty()) return "cancelled and returned";
    if (timer.pending() == 0 && callbacks == 1) return waited ? "" : "stop() did not wait";
    return "cancelled, pending " + std::to_string(timer.pending()) + ", callbacks " +
           std::to_string(callbacks);
  }
};

}  // namespace racewheel::defects
