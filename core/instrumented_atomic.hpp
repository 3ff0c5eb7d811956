// std::atomic with a probe before and after every access.
#pragma once

#include <atomic>
#include <cstddef>
#include <type_traits>

#include "core/access.hpp"

namespace racewheel {

/// A probe is told of every access, on the thread that makes it:
///   Probe::before(kind, site)            nothing has happened yet
///   Probe::after(kind, site, succeeded)  it has; `succeeded` is false for a failed
///                                        compare-exchange or try_lock only
/// A compare-exchange is announced with its success site; a failed one ends with its failure site.
/// Accesses that pass a bare memory order (third-party code) come with `unnamed_site`.
///
/// The probe must not synchronise threads that it does not mean to hold: a hidden happens-before
/// edge would blind ThreadSanitizer.
template <class Probe, class T>
class instrumented_atomic {
  using order = std::memory_order;
  static constexpr order seq_cst = order::seq_cst;  // the default is for third-party code only
  // What `p + 1` takes for a pointer, and `i + 1` for an integer.
  using difference = std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = std::atomic<T>::is_always_lock_free;

  constexpr instrumented_atomic() noexcept = default;
  constexpr instrumented_atomic(T v) noexcept : value_(v) {}  // NOLINT: as std::atomic
  instrumented_atomic(const instrumented_atomic&) = delete;
  instrumented_atomic& operator=(const instrumented_atomic&) = delete;

  [[nodiscard]] bool is_lock_free() const noexcept { return value_.is_lock_free(); }

  T load(site s) const noexcept {
    return observe(access::load, s, [&] { return value_.load(s.order); });
  }
  void store(T v, site s) noexcept {
    observe(access::store, s, [&] { value_.store(v, s.order); });
  }
  T exchange(T v, site s) noexcept {
    return observe(access::rmw, s, [&] { return value_.exchange(v, s.order); });
  }
  bool compare_exchange_strong(T& expected, T desired, site success, site failure) noexcept {
    Probe::before(access::cas, success);
    const bool ok = value_.compare_exchange_strong(expected, desired, success.order, failure.order);
    Probe::after(access::cas, ok ? success : failure, ok);
    return ok;
  }
  bool compare_exchange_weak(T& expected, T desired, site success, site failure) noexcept {
    Probe::before(access::cas, success);
    const bool ok = value_.compare_exchange_weak(expected, desired, success.order, failure.order);
    Probe::after(access::cas, ok ? success : failure, ok);
    return ok;
  }
  T fetch_add(difference v, site s) noexcept {
    return observe(access::rmw, s, [&] { return value_.fetch_add(v, s.order); });
  }
  T fetch_sub(difference v, site s) noexcept {
    return observe(access::rmw, s, [&] { return value_.fetch_sub(v, s.order); });
  }
  T fetch_and(T v, site s) noexcept {
    return observe(access::rmw, s, [&] { return value_.fetch_and(v, s.order); });
  }
  T fetch_or(T v, site s) noexcept {
    return observe(access::rmw, s, [&] { return value_.fetch_or(v, s.order); });
  }
  T fetch_xor(T v, site s) noexcept {
    return observe(access::rmw, s, [&] { return value_.fetch_xor(v, s.order); });
  }
  void wait(T old, site s) const noexcept {
    observe(access::wait, s, [&] { value_.wait(old, s.order); });
  }
  void notify_one() noexcept {
    observe(access::wake, platform_site::notify, [&] { value_.notify_one(); });
  }
  void notify_all() noexcept {
    observe(access::wake, platform_site::notify, [&] { value_.notify_all(); });
  }

  // The rest of std::atomic's interface, for third-party code.
  T load(order o = seq_cst) const noexcept { return load(unnamed(o)); }
  void store(T v, order o = seq_cst) noexcept { store(v, unnamed(o)); }
  T exchange(T v, order o = seq_cst) noexcept { return exchange(v, unnamed(o)); }
  bool compare_exchange_strong(T& expected, T desired, order success, order failure) noexcept {
    return compare_exchange_strong(expected, desired, unnamed(success), unnamed(failure));
  }
  bool compare_exchange_strong(T& expected, T desired, order o = seq_cst) noexcept {
    return compare_exchange_strong(expected, desired, o, failure_of(o));
  }
  bool compare_exchange_weak(T& expected, T desired, order success, order failure) noexcept {
    return compare_exchange_weak(expected, desired, unnamed(success), unnamed(failure));
  }
  bool compare_exchange_weak(T& expected, T desired, order o = seq_cst) noexcept {
    return compare_exchange_weak(expected, desired, o, failure_of(o));
  }
  T fetch_add(difference v, order o = seq_cst) noexcept { return fetch_add(v, unnamed(o)); }
  T fetch_sub(difference v, order o = seq_cst) noexcept { return fetch_sub(v, unnamed(o)); }
  T fetch_and(T v, order o = seq_cst) noexcept { return fetch_and(v, unnamed(o)); }
  T fetch_or(T v, order o = seq_cst) noexcept { return fetch_or(v, unnamed(o)); }
  T fetch_xor(T v, order o = seq_cst) noexcept { return fetch_xor(v, unnamed(o)); }
  void wait(T old, order o = seq_cst) const noexcept { wait(old, unnamed(o)); }

  operator T() const noexcept { return load(seq_cst); }  // NOLINT: as std::atomic
  T operator=(T v) noexcept {                            // NOLINT: as std::atomic
    store(v, seq_cst);
    return v;
  }
  T operator++() noexcept { return static_cast<T>(fetch_add(1, seq_cst) + 1); }
  T operator++(int) noexcept { return fetch_add(1, seq_cst); }
  T operator--() noexcept { return static_cast<T>(fetch_sub(1, seq_cst) - 1); }
  T operator--(int) noexcept { return fetch_sub(1, seq_cst); }
  T operator+=(difference v) noexcept { return static_cast<T>(fetch_add(v, seq_cst) + v); }
  T operator-=(difference v) noexcept { return static_cast<T>(fetch_sub(v, seq_cst) - v); }
  T operator&=(T v) noexcept { return static_cast<T>(fetch_and(v, seq_cst) & v); }
  T operator|=(T v) noexcept { return static_cast<T>(fetch_or(v, seq_cst) | v); }
  T operator^=(T v) noexcept { return static_cast<T>(fetch_xor(v, seq_cst) ^ v); }

 private:
  static constexpr site unnamed(order o) noexcept { return {unnamed_site, o}; }

  /// The failure order that std::atomic derives from a single order.
  static constexpr order failure_of(order o) noexcept {
    if (o == order::acq_rel) return order::acquire;
    return o == order::release ? order::relaxed : o;
  }

  template <class Act>
  static auto observe(access kind, site s, Act&& act) noexcept {
    Probe::before(kind, s);
    if constexpr (std::is_void_v<decltype(act())>) {
      act();
      Probe::after(kind, s, true);
    } else {
      const auto result = act();
      Probe::after(kind, s, true);
      return result;
    }
  }

  std::atomic<T> value_{};
};

}  // namespace racewheel
