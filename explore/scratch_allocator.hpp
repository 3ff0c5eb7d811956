// A standard allocator for what a program keeps for itself.
#pragma once

#include <cstddef>
#include <vector>

#include "explore/thread.hpp"

namespace racewheel::explore {

/// Memory that goes with the execution: no detector watches it, and nothing leaks when an execution
/// is dropped half-way.
template <class T>
struct scratch_allocator {
  using value_type = T;

  scratch_allocator() = default;
  template <class U>
  scratch_allocator(const scratch_allocator<U>&) noexcept {}  // NOLINT: rebinding

  [[nodiscard]] T* allocate(std::size_t count) {
    return static_cast<T*>(detail::scratch(count * sizeof(T), alignof(T)));
  }
  void deallocate(T*, std::size_t) noexcept {}

  template <class U>
  friend bool operator==(const scratch_allocator&, const scratch_allocator<U>&) {
    return true;
  }
};

template <class T>
using scratch_vector = std::vector<T, scratch_allocator<T>>;

}  // namespace racewheel::explore
