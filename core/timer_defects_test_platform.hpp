// What the checks of core/timer_defects_test.cpp run on: gates, and faults on demand.
#pragma once

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/backend.hpp"
#include "core/gated_platform.hpp"
#include "core/hashed_wheel.hpp"
#include "core/heap_wheel.hpp"
#include "core/timer.hpp"
#include "queues/vyukov_queue.hpp"

namespace racewheel::defects {

/// A check could not set up its interleaving; neither a violation nor its absence.
struct inconclusive : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown by a thread that has yielded too often for something that will not come.
struct out_of_patience {};

/// What goes wrong on demand, and what the worker is seen doing. One timer at a time.
class faults {
 public:
  static void reset() {
    no_thread_ = false;
    wait_throws_ = false;
    worker_yields_ = 0;
    workers_ended_ = 0;
  }

  static void fail_next_thread() { no_thread_ = true; }
  [[nodiscard]] static bool takes_thread_failure() { return no_thread_.exchange(false); }
  static void fail_next_wait() { wait_throws_ = true; }
  [[nodiscard]] static bool takes_wait_failure() { return wait_throws_.exchange(false); }

  /// The calling thread gives up, by an exception, at its `yields`-th yield.
  static void set_patience(int yields) { patience_ = yields; }

  static void enter_worker() {
    gated_platform::set_role("worker");
    is_worker_ = true;
  }
  static void leave_worker() { ++workers_ended_; }
  static void yielded() {
    if (is_worker_) ++worker_yields_;
    if (patience_ > 0 && --patience_ == 0) throw out_of_patience{};
  }
  [[nodiscard]] static long worker_yields() { return worker_yields_; }
  [[nodiscard]] static int workers_ended() { return workers_ended_; }

 private:
  // Sequentially consistent: these steer the tests and are no part of what is tested.
  static inline std::atomic<bool> no_thread_{false};
  static inline std::atomic<bool> wait_throws_{false};
  static inline std::atomic<long> worker_yields_{0};
  static inline std::atomic<int> workers_ended_{0};
  static inline thread_local int patience_ = 0;
  static inline thread_local bool is_worker_ = false;
};

/// gated_platform whose threads have the role "worker" (only the timer makes its threads here), and
/// whose thread creation, waiting and yielding fail on demand.
struct faulty_platform : gated_platform {
  class thread {
   public:
    using id = std::thread::id;

    thread() = default;
    template <class Body>
    explicit thread(Body body) {
      if (faults::takes_thread_failure()) {
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
      }
      thread_ = std::thread([body = std::move(body)]() mutable {
        faults::enter_worker();
        body();
        faults::leave_worker();
      });
    }
    void join() { thread_.join(); }
    [[nodiscard]] bool joinable() const noexcept { return thread_.joinable(); }

   private:
    std::thread thread_;
  };

  class event : public gated_platform::event {
   public:
    [[nodiscard]] bool wait_until(time_point deadline) {
      const bool signalled = gated_platform::event::wait_until(deadline);
      if (faults::takes_wait_failure()) throw std::runtime_error("the wait failed");
      return signalled;
    }
  };

  static void yield() {
    faults::yielded();
    gated_platform::yield();
  }
};
static_assert(platform<faulty_platform>);

/// Counts what the checks wait for.
struct counting_observer : null_observer {
  using null_observer::null_observer;
  void linked(std::size_t) noexcept { ++links; }
  void turned(std::uint64_t) noexcept { ++turns; }
  std::atomic<int> links{0};
  std::atomic<int> turns{0};
};

using only_hashed_wheel = type_list<wheel_kind<hashed_wheel>>;
using both_wheels = type_list<wheel_kind<hashed_wheel>, wheel_kind<heap_wheel>>;

template <class Recipe, class Wheel, class Queue = backend<vyukov_queue, vyukov_recipe>>
using config = timer_config<Wheel, Queue, faulty_platform, Recipe, counting_observer>;
template <class Recipe, class Wheel>
using core_of = timer_core<config<Recipe, Wheel>>;
template <class Recipe, class Wheel>
using timer_of = timer<config<Recipe, Wheel>>;

inline constexpr std::chrono::milliseconds tick{1};
inline constexpr std::chrono::hours far{1};
inline constexpr std::size_t slots = 4;

/// A small wheel that keeps what it has to report to itself.
[[nodiscard]] inline timer_options options() {
  timer_options o;
  o.tick = tick;
  o.slots = slots;
  o.on_problem = [](timer_problem, const std::exception_ptr&) {};
  o.report_leaks = false;
  o.housekeeping = tick;  // tickless wheels wake up as often
  return o;
}

/// Throws inconclusive unless `done()` comes true in time.
template <class Done>
void await(Done&& done, const char* what) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!done()) {
    if (std::chrono::steady_clock::now() > give_up) {
      throw inconclusive(std::string("waited in vain: ") + what);
    }
    std::this_thread::yield();
  }
}
inline void await_held(const gate& g, const char* what) {
  if (!g.wait_until_held()) throw inconclusive(std::string("not held: ") + what);
}
[[nodiscard]] inline bool is_held(const gate& g) {
  return g.wait_until_held(std::chrono::milliseconds(0));
}

/// A thread with a role for gates.
template <class Body>
[[nodiscard]] std::jthread in_role(const char* role, Body body) {
  return std::jthread([role, body = std::move(body)]() mutable {
    gated_platform::set_role(role);
    body();
  });
}

/// stop() on a thread of its own, in the role "stopper".
template <class Timer>
class stopping {
 public:
  explicit stopping(Timer& stopped)
      : thread_(in_role("stopper", [this, &stopped] {
          returned_ = stopped.stop();
          turns_at_return_ = stopped.observed().turns;
          done_ = true;
        })) {}

  [[nodiscard]] bool done() const { return done_; }

  /// Until stop() has returned, or the worker does nothing but wait for somebody. Admission is
  /// closed when the stopper comes to wake the worker; from then on the worker yields in earnest
  /// only inside finish().
  void until_it_returned_or_waits() {
    await_held(closed_, "the stopper, when it has closed admission");
    const long before = faults::worker_yields();
    closed_.open();
    await([&] { return done() || faults::worker_yields() > before + 10; },
          "stop() to return or the worker to wait");
  }

  void join() {
    closed_.open();
    thread_.join();
  }
  [[nodiscard]] const std::vector<typename Timer::handle>& returned() const { return returned_; }
  [[nodiscard]] int turns_at_return() const { return turns_at_return_; }

 private:
  gate closed_{platform_site::event_signal.name, thread_role{"stopper"}};
  std::vector<typename Timer::handle> returned_;
  int turns_at_return_ = 0;
  std::atomic<bool> done_{false};
  std::jthread thread_;  // last: it uses the others
};

/// How a specimen is caught. Specialise it with
///   wheels                 on which it bites
///   violation              what look() says of the spoiled recipe
///   look<Recipe, Wheel>()  forces the interleaving; empty if the promise was kept
template <class Specimen>
struct check;

}  // namespace racewheel::defects
