// What each turn must do, and may do, with nobody in between.
#pragma once

#include <optional>

#include "explore/programs/timer_kit.hpp"

namespace racewheel::explore {

/// One thread, so one execution. At each tick three timeouts are scheduled: of the next round, of
/// this round in the same slot behind it, and never due. Each must run in the turn in which it is
/// due. In the end those that are never due are cancelled: a turn may process two of them.
struct turns {
  static constexpr std::string_view name = "turns";
  static constexpr std::string_view summary = "one thread: what is due when, turn by turn";
  static constexpr std::array bounds{
      program_bound{"ticks", &program_bounds::ticks, 1, 64, 12},
  };
  static constexpr std::size_t cancels_per_turn = 2;

  template <class Config>
  static void run(const program_bounds& b) {
    using namespace timer_kit;
    using core = timer_core<Config>;
    const std::array delays{time_of(slots + 2), time_of(2), std::chrono::nanoseconds::max()};
    timer_options capped = timer_kit::options();
    capped.max_cancels_per_turn = cancels_per_turn;
    core_run<Config> all(capped, *b.ticks * delays.size());
    const auto id_of = [&](std::size_t at, std::size_t kind) { return at * delays.size() + kind; };
    // A hashed wheel runs it when its tick has ended.
    const std::size_t late = core::tickless ? 0 : 1;

    const std::size_t last = *b.ticks + slots + 2 + late;
    for (std::size_t now = 0; now <= last; ++now) {
      for (std::size_t kind = 0; now < *b.ticks && kind < delays.size(); ++kind) {
        all.schedule(id_of(now, kind), time_of(now), delays[kind]);
      }
      all.core().turn(time_of(now));
      for (std::size_t at = 0; at <= now && at < *b.ticks; ++at) {
        for (const std::size_t kind : {0U, 1U}) {
          const std::size_t due = at + (kind == 0 ? slots + 2 : 2) + late;
          check(all.book().runs(id_of(at, kind)) == (now >= due ? 1 : 0),
                "each runs in the turn in which it is due");
        }
        check(all.book().runs(id_of(at, 2)) == 0, "what is never due does not run");
      }
    }
    for (std::size_t at = 0; at < *b.ticks; ++at) all.book().cancel(id_of(at, 2), 0);
    for (std::size_t turn = 1; turn <= *b.ticks; ++turn) {
      all.core().turn(time_of(last));
      check(all.book().callbacks() <= turn * cancels_per_turn, "a turn processes so many cancels");
    }
    all.stop_alone();
  }

 private:
  [[nodiscard]] static constexpr std::chrono::nanoseconds time_of(std::size_t ticks) {
    return timer_kit::tick * static_cast<std::int64_t>(ticks);
  }
};

}  // namespace racewheel::explore
