// What schedule() returns: the caller's share of a timeout.
#pragma once

#include <compare>
#include <utility>

#include "core/timeout.hpp"

namespace racewheel {

/// A counted reference to a timeout, never to the timer: every call is safe after the timer is
/// gone. Dropping a handle does not cancel. An empty handle answers false.
template <class Platform, class Recipe>
class timeout_handle {
  using node = timeout<Platform, Recipe>;

 public:
  timeout_handle() = default;
  timeout_handle(const timeout_handle& other) noexcept : node_(other.node_) {
    if (node_ != nullptr) node_->share();
  }
  timeout_handle(timeout_handle&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  timeout_handle& operator=(timeout_handle other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~timeout_handle() {
    if (node_ != nullptr) node_->release();
  }

  /// True if and only if this call decided the timeout; then its task never runs. Any thread, also
  /// from a task and after stop().
  bool cancel() noexcept { return node_ != nullptr && node_->cancel(); }

  [[nodiscard]] bool is_cancelled() const noexcept { return in(timeout_state::cancelled); }
  /// The task has run, is running, or was handed to the executor.
  [[nodiscard]] bool is_expired() const noexcept { return in(timeout_state::expired); }

  /// Since the timer's start; `never` for a delay beyond the clock's range.
  [[nodiscard]] time_point deadline() const noexcept {
    return node_ != nullptr ? node_->deadline() : never;
  }

  [[nodiscard]] explicit operator bool() const noexcept { return node_ != nullptr; }
  /// Handles of the same timeout are equal; the order is arbitrary, for sets and sorted vectors.
  [[nodiscard]] friend auto operator<=>(const timeout_handle&, const timeout_handle&) = default;

  /// Takes over a reference; for the timer.
  [[nodiscard]] static timeout_handle adopt(node* owned) noexcept { return timeout_handle(owned); }

 private:
  explicit timeout_handle(node* owned) noexcept : node_(owned) {}
  [[nodiscard]] bool in(timeout_state state) const noexcept {
    return node_ != nullptr && node_->state() == state;
  }

  node* node_ = nullptr;
};

}  // namespace racewheel
