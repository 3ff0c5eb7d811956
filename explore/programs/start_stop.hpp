// The life cycle of a timer with its worker thread.
#pragma once

#include <stdexcept>
#include <system_error>

#include "explore/programs/timer_kit.hpp"

namespace racewheel::explore {

namespace timer_kit {

/// A timer with its own worker thread, in virtual time up to the horizon, and its ledger.
template <class Config>
class timer_run {
 public:
  timer_run(std::size_t ids, std::size_t ticks) : book_(ids) {
    set_horizon(time_point(tick) * ticks);
  }

  void start() {
    try {
      timer_.start();
    } catch (const std::logic_error&) {  // stop() was first
    }
  }
  void schedule(std::size_t id, std::chrono::nanoseconds delay) {
    book_.enter(id, [&](auto task) { return timer_.try_schedule(delay, task); });
    check(book_.accepted(id) || book_.why(id) == rejection::stopped,
          "rejected only because it is stopped");
  }
  void stop() {
    for (auto& timeout : timer_.stop()) book_.returned(std::move(timeout));
    turns_at_stop_ = timer_.observed().known();
  }
  void settle_accounts() {
    check(timer_.observed().ends.size() == turns_at_stop_, "no turn runs after stop() returned");
    book_.close(timer_.pending());
  }
  [[nodiscard]] ledger<typename timer<Config>::handle>& book() { return book_; }

 private:
  ledger<typename timer<Config>::handle> book_;  // first: the timer's tasks use it
  timer<Config> timer_{timer_kit::options()};
  std::size_t turns_at_stop_ = 0;
};

}  // namespace timer_kit

/// Producers start the timer and schedule so many items each, while somebody stops it. Without
/// items they only start it.
struct start_stop {
  static constexpr std::string_view name = "start_stop";
  static constexpr std::string_view summary = "producers that start the timer, against stop";
  static constexpr std::array bounds{
      program_bound{"producers", &program_bounds::producers, 1, 8, 1},
      program_bound{"items", &program_bounds::items, 0, 4, 1},
      program_bound{"ticks", &program_bounds::ticks, 0, 8, 1},
  };

  template <class Config>
  static void run(const program_bounds& b) {
    using namespace timer_kit;
    timer_run<Config> all(*b.producers * *b.items, *b.ticks);
    run_crews(crew(*b.producers,
                   [&](std::size_t p) {
                     if (*b.items == 0) all.start();
                     for (std::size_t i = 0; i < *b.items; ++i) {
                       all.schedule(p * *b.items + i, soon);
                     }
                   }),
              crew(1, [&](std::size_t) { all.stop(); }));
    all.settle_accounts();
  }
};

/// The first attempt to start finds no thread; the second finds one.
struct failed_start {
  static constexpr std::string_view name = "failed_start";
  static constexpr std::string_view summary =
      "no thread at the first start; then schedule and stop";
  static constexpr std::array bounds{
      program_bound{"ticks", &program_bounds::ticks, 0, 8, 0},
  };

  template <class Config>
  static void run(const program_bounds& b) {
    using namespace timer_kit;
    timer_run<Config> all(2, *b.ticks);
    fail_next_thread();
    bool told = false;
    try {
      all.schedule(0, far);
    } catch (const std::system_error&) {
      told = true;
    }
    check(told, "who finds no thread is told");
    all.schedule(1, far);
    check(all.book().accepted(1), "a timer that could start accepts");
    all.stop();
    all.settle_accounts();
  }
};

/// The worker's first wait throws: it dies at any point of what the caller does.
struct dead_worker {
  static constexpr std::string_view name = "dead_worker";
  static constexpr std::string_view summary = "the worker's wait throws; schedule, stop";
  static constexpr std::array bounds{
      program_bound{"items", &program_bounds::items, 1, 4, 1},
      program_bound{"ticks", &program_bounds::ticks, 0, 8, 0},
  };

  template <class Config>
  static void run(const program_bounds& b) {
    using namespace timer_kit;
    timer_run<Config> all(*b.items, *b.ticks);
    fail_next_wait();
    for (std::size_t id = 0; id < *b.items; ++id) all.schedule(id, far);
    all.stop();
    all.settle_accounts();
  }
};

}  // namespace racewheel::explore
