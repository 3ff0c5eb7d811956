// cancel() against stop.
#pragma once

#include "explore/programs/timer_kit.hpp"

namespace racewheel::explore {

/// The timeouts are in the wheel, not due for long, when the threads start: cancellers cancel each
/// of them while the worker turns and, once somebody has closed the timer, finishes.
struct cancel_stop {
  static constexpr std::string_view name = "cancel_stop";
  static constexpr std::string_view summary = "cancellers against stop";
  static constexpr std::array bounds{
      program_bound{"timeouts", &program_bounds::timeouts, 1, 4, 1},
      program_bound{"cancellers", &program_bounds::cancellers, 1, timer_kit::most_cancellers, 1},
      program_bound{"ticks", &program_bounds::ticks, 0, 8, 1},
  };

  template <class Config>
  static void run(const program_bounds& b) {
    using namespace timer_kit;
    core_run<Config> all(timer_kit::options(), *b.timeouts);
    for (std::size_t id = 0; id < *b.timeouts; ++id) all.schedule(id, time_point(0), far);
    all.core().turn(time_point(0));
    run_crews(crew(*b.cancellers, [&](std::size_t k) { all.cancel_all(k, *b.timeouts); }),
              crew(1, [&](std::size_t) { all.work(*b.ticks); }),
              crew(1, [&](std::size_t) { all.close(); }));
    all.settle_accounts();
  }
};

}  // namespace racewheel::explore
