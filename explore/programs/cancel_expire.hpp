// cancel() against the expiry of the same timeouts.
#pragma once

#include "explore/programs/timer_kit.hpp"

namespace racewheel::explore {

/// The timeouts are in the wheel when the threads start: cancellers cancel each of them, the worker
/// turns, observers look.
struct cancel_expire {
  static constexpr std::string_view name = "cancel_expire";
  static constexpr std::string_view summary = "cancellers against the expiry of linked timeouts";
  static constexpr std::array bounds{
      program_bound{"timeouts", &program_bounds::timeouts, 1, 4, 1},
      program_bound{"cancellers", &program_bounds::cancellers, 1, timer_kit::most_cancellers, 2},
      program_bound{"observers", &program_bounds::observers, 0, 4, 1},
      program_bound{"ticks", &program_bounds::ticks, 1, 8, 1},
  };

  template <class Config>
  static void run(const program_bounds& b) {
    using namespace timer_kit;
    core_run<Config> all(timer_kit::options(), *b.timeouts);
    for (std::size_t id = 0; id < *b.timeouts; ++id) all.schedule(id, time_point(0), soon);
    all.core().turn(time_point(0));
    run_crews(crew(*b.cancellers, [&](std::size_t k) { all.cancel_all(k, *b.timeouts); }),
              crew(1, [&](std::size_t) { all.turn_for(*b.ticks); }),
              crew(*b.observers, [&](std::size_t) { all.book().look(0); }));
    all.stop_alone();
  }
};

}  // namespace racewheel::explore
