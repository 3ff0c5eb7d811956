// The list of programs that run on the timer.
#pragma once

#include "core/backend.hpp"
#include "explore/programs/cancel_expire.hpp"
#include "explore/programs/cancel_stop.hpp"
#include "explore/programs/cancel_transfer.hpp"
#include "explore/programs/run_schedule.hpp"
#include "explore/programs/schedule_stop.hpp"
#include "explore/programs/start_stop.hpp"
#include "explore/programs/turns.hpp"

namespace racewheel::explore {

/// One struct and one line each.
using timer_programs = type_list<cancel_expire, cancel_transfer, cancel_stop, schedule_stop,
                                 start_stop, run_schedule, turns, failed_start, dead_worker>;

/// The program of this name with resolved bounds; defined in timer_programs_body.hpp, instantiated
/// once per Config.
template <class Config>
[[nodiscard]] program timer_program(std::string_view name, const program_bounds& bounds);

}  // namespace racewheel::explore
