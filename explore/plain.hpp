// Plain data that the explorer watches for races.
#pragma once

#include <source_location>
#include <utility>

#include "explore/plain_shadow.hpp"

namespace racewheel::explore {

namespace detail {
[[nodiscard]] plain_handle create_plain(const void* address);
void destroy_plain(plain_handle h) noexcept;
void touch(plain_handle h, bool writes, std::source_location where) noexcept;
void made_progress() noexcept;
}  // namespace detail

/// The value with a race check on every access. Not a scheduling point: two accesses that race do
/// so in every order of execution, and are found in any.
template <class T>
class plain {
  using location = std::source_location;

 public:
  plain() : handle_(detail::create_plain(this)) {}
  explicit plain(T v) : value_(std::move(v)), handle_(detail::create_plain(this)) {}
  plain(const plain& other) : plain(T(other.get())) {}
  plain& operator=(const plain& other) {
    set(other.get());
    return *this;
  }
  ~plain() { detail::destroy_plain(handle_); }

  [[nodiscard]] const T& get(location where = location::current()) const noexcept {
    detail::touch(handle_, false, where);
    return value_;
  }
  void set(T v, location where = location::current()) {
    detail::touch(handle_, true, where);
    detail::made_progress();
    value_ = std::move(v);
  }
  /// Counts as a write for races; not as progress of a spin loop, which may only have looked.
  [[nodiscard]] T& access(location where = location::current()) noexcept {
    detail::touch(handle_, true, where);
    return value_;
  }

 private:
  T value_{};
  plain_handle handle_;
};

}  // namespace racewheel::explore
