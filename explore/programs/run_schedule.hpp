// A running task against the limit of pending timeouts.
#pragma once

#include "explore/programs/timer_kit.hpp"

namespace racewheel::explore {

/// One timeout may be pending. Its task signals a thread that schedules the next one: by then the
/// first no longer counts.
struct run_schedule {
  static constexpr std::string_view name = "run_schedule";
  static constexpr std::string_view summary = "a task signals, a waiter schedules at the limit";
  static constexpr std::array bounds{
      program_bound{"ticks", &program_bounds::ticks, 1, 8, 2},
  };

  template <class Config>
  static void run(const program_bounds& b) {
    using namespace timer_kit;
    timer_options limited = timer_kit::options();
    limited.max_pending = 1;
    core_run<Config> all(limited, 1);
    platform::event ran;
    const auto first = all.core().schedule(time_point(0), soon, [&] { ran.signal(); });
    check(static_cast<bool>(first.timeout), "the first is accepted");
    run_crews(crew(1,
                   [&](std::size_t) {
                     ran.wait();
                     all.schedule(0, time_point(0), soon);
                     check(all.book().accepted(0), "there is room for a successor");
                   }),
              crew(1, [&](std::size_t) { all.turn_for(*b.ticks); }));
    all.stop_alone();
  }
};

}  // namespace racewheel::explore
