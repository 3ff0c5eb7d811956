// What an executor receives: a task that is due, to be run once.
#pragma once

#include <memory>
#include <utility>

#include "core/timer_problem.hpp"

namespace racewheel {

/// Move-only; call it once, on any thread, also after the timer was destroyed. What the task throws
/// goes to the timer's problem handler. Dropping it without a call releases the memory, and the
/// task never runs: an executor that accepts takes over the duty to run.
class expired_task {
 public:
  using reporter = std::shared_ptr<const problem_handler>;
  using action = void (*)(void* timeout, const problem_handler& handler, bool run) noexcept;

  expired_task(void* timeout, reporter handler, action act) noexcept
      : timeout_(timeout), reporter_(std::move(handler)), act_(act) {}
  expired_task(expired_task&& other) noexcept
      : timeout_(std::exchange(other.timeout_, nullptr)),
        reporter_(std::move(other.reporter_)),
        act_(other.act_) {}
  expired_task& operator=(expired_task&& other) noexcept {
    expired_task taken(std::move(other));
    std::swap(timeout_, taken.timeout_);
    std::swap(reporter_, taken.reporter_);
    std::swap(act_, taken.act_);
    return *this;
  }
  ~expired_task() { finish(false); }

  void operator()() { finish(true); }

 private:
  void finish(bool run) noexcept {
    if (timeout_ != nullptr) act_(std::exchange(timeout_, nullptr), *reporter_, run);
  }

  void* timeout_;
  reporter reporter_;
  action act_;
};

}  // namespace racewheel
