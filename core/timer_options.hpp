// How a timer is built, and what it reports to.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/expired_task.hpp"
#include "core/platform.hpp"
#include "core/timer_problem.hpp"

namespace racewheel {

/// The work of one turn in released Netty, and the order it tried in 4.2 and took back.
enum class turn_order { cancel_transfer_expire, transfer_expire_cancel };

/// sleep: park until the next tick. hybrid: park until shortly before it, then spin.
enum class wait_strategy { sleep, hybrid };

using executor = std::function<void(expired_task)>;

/// Runs the task at once, on the worker.
struct inline_executor {
  void operator()(expired_task task) const { task(); }
};

struct timer_options {
  /// Resolution of the hashed wheel; at least one microsecond. Tickless wheels ignore it.
  std::chrono::nanoseconds tick = std::chrono::milliseconds(100);
  std::size_t slots = 512;             // rounded up to a power of two
  std::uint32_t max_pending = 0;       // 0: no limit
  std::size_t queue_capacity = 65536;  // bounded backends only

  std::size_t max_transfers_per_turn = 100'000;
  std::size_t max_cancels_per_turn = 100'000;
  turn_order order = turn_order::cancel_transfer_expire;

  wait_strategy wait = wait_strategy::sleep;
  std::chrono::nanoseconds spin = std::chrono::microseconds(60);  // of the hybrid strategy
  /// Tickless wheels wake up this often while anything is pending, to release cancelled timeouts.
  std::chrono::nanoseconds housekeeping = std::chrono::seconds(1);

  executor run_on = inline_executor{};
  problem_handler on_problem = report_to_stderr;
  bool report_leaks = true;  // timer_problem::not_stopped
};

inline constexpr std::chrono::nanoseconds shortest_tick = std::chrono::microseconds(1);
inline constexpr std::size_t most_slots = std::size_t{1} << 30;
inline constexpr std::uint32_t most_pending = (std::uint32_t{1} << 31) - 1;

/// Throws std::invalid_argument that names the option, its value and what is allowed; otherwise
/// returns the options with the slots rounded up.
[[nodiscard]] timer_options validated(timer_options options);

// --- implementation ---

inline timer_options validated(timer_options options) {
  const auto reject = [](std::string_view name, auto value, std::string_view unit,
                         std::string_view allowed) {
    throw std::invalid_argument("timer_options." + std::string(name) + " = " +
                                std::to_string(value) + std::string(unit) + ": " +
                                std::string(allowed));
  };
  if (options.tick < shortest_tick) {
    reject("tick", options.tick.count(), " ns", "must be at least 1000 ns");
  }
  if (options.slots == 0 || options.slots > most_slots) {
    reject("slots", options.slots, "", "must be 1 to 1073741824 (2^30)");
  }
  options.slots = std::bit_ceil(options.slots);
  if (options.tick > never / static_cast<std::int64_t>(options.slots)) {
    reject("tick", options.tick.count(), " ns",
           "times " + std::to_string(options.slots) + " slots is beyond the clock's range");
  }
  if (options.max_pending > most_pending) {
    reject("max_pending", options.max_pending, "", "must be 0 (no limit) to 2147483647");
  }
  if (options.max_transfers_per_turn == 0) {
    reject("max_transfers_per_turn", 0, "", "must be at least 1");
  }
  if (options.max_cancels_per_turn == 0) {
    reject("max_cancels_per_turn", 0, "", "must be at least 1");
  }
  if (options.spin.count() < 0) {
    reject("spin", options.spin.count(), " ns", "must not be negative");
  }
  if (options.housekeeping.count() <= 0) {
    reject("housekeeping", options.housekeeping.count(), " ns", "must be positive");
  }
  if (!options.run_on) {
    throw std::invalid_argument("timer_options.run_on = empty: must be callable");
  }
  if (!options.on_problem) {
    throw std::invalid_argument("timer_options.on_problem = empty: must be callable");
  }
  return options;
}

}  // namespace racewheel
