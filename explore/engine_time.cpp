// Virtual time. The clock is a location of its own, a jump an RMW of a thread of its own: so time
// is part of the graph, and reading it hands over nothing but time.
#include <algorithm>
#include <utility>

#include "explore/engine.hpp"

namespace racewheel::explore {

void engine::need_clock() {
  if (clock_thread_ != no_id) return;
  clock_thread_ = thread_count_;
  add_virtual_thread(no_id);
  clock_location_ = graph_.create(clock_thread_, nullptr, 0, false);
}

time_point engine::next_deadline() const {
  time_point next = never;
  for (std::uint32_t left = sleepers_; left != 0; left &= left - 1) {
    next = std::min(next, threads_[static_cast<std::size_t>(std::countr_zero(left))].deadline);
  }
  return next;
}

/// To the next deadline of a sleeper: nothing can happen in between.
void engine::jump() {
  now_ = std::max(now_, next_deadline());
  graph_.update(clock_thread_, clock_location_, 0, static_cast<word>(now_.count()),
                event_kind::jump, access(mode::acq_rel, "jump"));
  refresh_blocked();
}

time_point engine::now(access a) {
  need_clock();
  visible(operation::now, false, clock_location_, a);
  const event& e = graph_.read(self_, clock_location_, 0, event_kind::now, a);
  threads_[self_].iteration.push_back({clock_location_, e.source});
  return time_point(static_cast<time_point::rep>(e.value));
}

}  // namespace racewheel::explore
