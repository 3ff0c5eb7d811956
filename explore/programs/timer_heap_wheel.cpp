// The timer's programs on the heap wheel, with the first backend of the registry.
#include "core/heap_wheel.hpp"
#include "explore/programs/timer_programs_body.hpp"
#include "queues/vyukov_queue.hpp"

namespace racewheel::explore {

template program
timer_program<explored_timer<wheel_kind<heap_wheel>, backend<vyukov_queue, vyukov_recipe>>>(
    std::string_view, const program_bounds&);

}  // namespace racewheel::explore
