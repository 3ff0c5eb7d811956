// The timer most programs want: a wheel or a heap, fed by the Vyukov queue.
#pragma once

#include "core/backend.hpp"
#include "core/hashed_wheel.hpp"
#include "core/heap_wheel.hpp"
#include "core/timer.hpp"
#include "queues/vyukov_queue.hpp"

namespace racewheel {

using default_backend = backend<vyukov_queue, vyukov_recipe>;

/// Ticks: O(1) schedule and cancel, up to one tick late.
using wheel_timer = timer<timer_config<wheel_kind<hashed_wheel>, default_backend>>;

/// Tickless: sleeps until the next deadline, exact to the clock, O(log n).
using heap_timer = timer<timer_config<wheel_kind<heap_wheel>, default_backend>>;

}  // namespace racewheel
