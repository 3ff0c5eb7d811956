// What a timer reports when something goes wrong that no caller can be told.
#pragma once

#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <string_view>

namespace racewheel {

/// What the worker could not do quietly.
enum class timer_problem {
  task_threw,        // the timeout counts as fired
  on_cancel_threw,   // the timeout counts as cancelled
  executor_refused,  // the timeout counts as refused; its task does not run
  misplaced,         // a timeout was found in a wrong slot, and moved
  out_of_memory,     // the wheel could not grow; placing is tried again at the next turn
  worker_died,       // the timer is closed; stop() returns what was pending
  not_stopped,       // destroyed without stop()
  many_timers,       // more timers are alive than a program should need
};

[[nodiscard]] constexpr std::string_view describe(timer_problem problem) {
  switch (problem) {
    case timer_problem::task_threw:
      return "a task threw";
    case timer_problem::on_cancel_threw:
      return "an on-cancel callback threw";
    case timer_problem::executor_refused:
      return "the executor refused a task";
    case timer_problem::misplaced:
      return "a timeout was in a wrong slot and was moved";
    case timer_problem::out_of_memory:
      return "no memory to place a timeout, trying again";
    case timer_problem::worker_died:
      return "the worker died, the timer is closed";
    case timer_problem::not_stopped:
      return "a timer was destroyed without stop()";
    case timer_problem::many_timers:
      return "more than 64 timers are alive, share them";
  }
  return "unknown problem";
}

/// Called on the worker, and from a pool when a task throws there. What it throws is ignored.
using problem_handler = std::function<void(timer_problem, std::exception_ptr)>;

/// One line on standard error.
inline void report_to_stderr(timer_problem problem, std::exception_ptr cause) noexcept {
  std::string line = "racewheel timer: " + std::string(describe(problem));
  if (cause) {
    try {
      std::rethrow_exception(cause);
    } catch (const std::exception& e) {
      line += std::string(": ") + e.what();
    } catch (...) {
      line += ": not a std::exception";
    }
  }
  line += '\n';
  std::fputs(line.c_str(), stderr);
}

}  // namespace racewheel
