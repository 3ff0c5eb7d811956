// A timer's one template parameter.
#pragma once

#include "core/observer.hpp"
#include "core/std_platform.hpp"
#include "core/timer_recipe.hpp"

namespace racewheel {

/// A specimen derives and overrides one member:
///   struct spoiled : config { using recipe = ...; };
template <class Wheel, class Queue, class Platform = std_platform, class Recipe = timer_recipe,
          class Observer = null_observer>
struct timer_config {
  using wheel = Wheel;  // wheel_kind<hashed_wheel>
  using queue = Queue;  // backend<vyukov_queue, vyukov_recipe>
  using platform = Platform;
  using recipe = Recipe;
  using observer = Observer;
};

}  // namespace racewheel
