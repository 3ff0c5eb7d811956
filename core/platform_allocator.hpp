// A standard allocator over Platform::allocate, so that containers are seen by every platform.
#pragma once

#include <cstddef>
#include <limits>
#include <new>

#include "core/platform.hpp"

namespace racewheel {

template <class T, class Platform>
struct platform_allocator {
  using value_type = T;

  platform_allocator() = default;
  template <class U>
  platform_allocator(const platform_allocator<U, Platform>&) noexcept {}  // NOLINT: rebinding

  [[nodiscard]] T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) {
      throw std::bad_array_new_length();
    }
    return static_cast<T*>(Platform::allocate(count * sizeof(T), alignof(T)));
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    Platform::deallocate(memory, count * sizeof(T), alignof(T));
  }

  template <class U>
  friend bool operator==(const platform_allocator&, const platform_allocator<U, Platform>&) {
    return true;
  }
};

}  // namespace racewheel
