// The registry of wheels.
#pragma once

#include "core/backend.hpp"
#include "core/hashed_wheel.hpp"
#include "core/heap_wheel.hpp"
#include "core/timeout.hpp"
#include "core/wheel.hpp"

namespace racewheel {

/// Every wheel: one header core/NAME.hpp and one line here.
using wheel_kinds = type_list<wheel_kind<hashed_wheel>,  //
                              wheel_kind<heap_wheel>>;

template <class Kind>
inline constexpr wheel_traits traits_of_wheel =
    Kind::template wheel<timeout<std_platform, timer_recipe>>::traits;

}  // namespace racewheel
