// A queue backend as a type: a queue template together with its recipe.
#pragma once

#include "core/mpsc_queue.hpp"
#include "core/std_platform.hpp"

namespace racewheel {

/// What the registry lists and what a timer's Config names.
template <template <class, class, class> class Queue, class Recipe>
struct backend {
  using recipe = Recipe;

  template <class T, class Platform>
  using queue = Queue<T, Platform, Recipe>;

  /// The same backend with a spoiled recipe.
  template <class Other>
  using with_recipe = backend<Queue, Other>;

  struct probe : mpsc_hook<std_platform> {};
  static constexpr queue_traits traits = queue<probe, std_platform>::traits;
};

/// A list of types, and how to visit it: registries are such lists.
template <class... Ts>
struct type_list {
  static constexpr std::size_t size = sizeof...(Ts);

  /// Calls `visit.template operator()<T>()` for each type in turn.
  template <class Visit>
  static constexpr void for_each(Visit&& visit) {
    (visit.template operator()<Ts>(), ...);
  }
};

}  // namespace racewheel
