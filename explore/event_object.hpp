// An event of virtual threads, with deadlines in virtual time.
#pragma once

#include "core/platform.hpp"
#include "explore/cell.hpp"

namespace racewheel::explore {

/// Sticky and auto-reset, as std_event. It synchronises as that does, by a mutex inside: whoever
/// signals knows what earlier signals and waits knew.
class event_object {
 public:
  event_object() : cell_(0) {}

  void signal() noexcept;
  void wait() noexcept;
  [[nodiscard]] bool wait_until(time_point deadline);

 private:
  cell cell_;
};

}  // namespace racewheel::explore
