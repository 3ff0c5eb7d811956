// std::atomic's interface on the explorer's memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>
#include <source_location>
#include <type_traits>

#include "core/access.hpp"
#include "core/site.hpp"
#include "explore/cell.hpp"

namespace racewheel::explore {

/// Integers, pointers, bool, enums and whatever else is trivially copyable and fits in a word.
/// Nothing throws: a finding ends the execution where it stands.
template <class T>
class atomic {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(word));
  using order = std::memory_order;
  using location = std::source_location;
  static constexpr order seq_cst = order::seq_cst;  // the default is for third-party code only
  using difference = std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;

  atomic() noexcept : atomic(T{}) {}
  atomic(T v) noexcept : cell_(to_word(v), std::is_pointer_v<T>) {}  // NOLINT: as std::atomic
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  [[nodiscard]] bool is_lock_free() const noexcept { return true; }

  T load(site s) const noexcept { return from_word(cell_.load(s)); }
  void store(T v, site s) noexcept { cell_.store(to_word(v), s); }
  T exchange(T v, site s) noexcept { return modify(rmw_kind::exchange, to_word(v), s); }
  bool compare_exchange_strong(T& expected, T desired, site success, site failure) noexcept {
    return swap(expected, desired, success, failure, false);
  }
  bool compare_exchange_weak(T& expected, T desired, site success, site failure) noexcept {
    return swap(expected, desired, success, failure, true);
  }
  T fetch_add(difference v, site s) noexcept { return modify(rmw_kind::add, scaled(v), s); }
  T fetch_sub(difference v, site s) noexcept { return modify(rmw_kind::sub, scaled(v), s); }
  T fetch_and(T v, site s) noexcept { return modify(rmw_kind::bit_and, to_word(v), s); }
  T fetch_or(T v, site s) noexcept { return modify(rmw_kind::bit_or, to_word(v), s); }
  T fetch_xor(T v, site s) noexcept { return modify(rmw_kind::bit_xor, to_word(v), s); }
  void wait(T old, site s) const noexcept { cell_.wait(to_word(old), s); }
  void notify_one() noexcept { cell_.notify(false, platform_site::notify); }
  void notify_all() noexcept { cell_.notify(true, platform_site::notify); }

  // The rest of std::atomic's interface, for third-party code: labelled by where it stands.
  T load(order o = seq_cst, location w = location::current()) const noexcept {
    return from_word(cell_.load(access(o, w)));
  }
  void store(T v, order o = seq_cst, location w = location::current()) noexcept {
    cell_.store(to_word(v), access(o, w));
  }
  T exchange(T v, order o = seq_cst, location w = location::current()) noexcept {
    return modify(rmw_kind::exchange, to_word(v), access(o, w));
  }
  bool compare_exchange_strong(T& expected, T desired, order success, order failure,
                               location w = location::current()) noexcept {
    return swap(expected, desired, access(success, w), access(failure, w), false);
  }
  bool compare_exchange_strong(T& expected, T desired, order o = seq_cst,
                               location w = location::current()) noexcept {
    return swap(expected, desired, access(o, w), access(failure_of(o), w), false);
  }
  bool compare_exchange_weak(T& expected, T desired, order success, order failure,
                             location w = location::current()) noexcept {
    return swap(expected, desired, access(success, w), access(failure, w), true);
  }
  bool compare_exchange_weak(T& expected, T desired, order o = seq_cst,
                             location w = location::current()) noexcept {
    return swap(expected, desired, access(o, w), access(failure_of(o), w), true);
  }
  T fetch_add(difference v, order o = seq_cst, location w = location::current()) noexcept {
    return modify(rmw_kind::add, scaled(v), access(o, w));
  }
  T fetch_sub(difference v, order o = seq_cst, location w = location::current()) noexcept {
    return modify(rmw_kind::sub, scaled(v), access(o, w));
  }
  T fetch_and(T v, order o = seq_cst, location w = location::current()) noexcept {
    return modify(rmw_kind::bit_and, to_word(v), access(o, w));
  }
  T fetch_or(T v, order o = seq_cst, location w = location::current()) noexcept {
    return modify(rmw_kind::bit_or, to_word(v), access(o, w));
  }
  T fetch_xor(T v, order o = seq_cst, location w = location::current()) noexcept {
    return modify(rmw_kind::bit_xor, to_word(v), access(o, w));
  }
  void wait(T old, order o = seq_cst, location w = location::current()) const noexcept {
    cell_.wait(to_word(old), access(o, w));
  }

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

  /// Not an access: the last value in modification order so far, for the checks of programs.
  [[nodiscard]] T latest() const noexcept { return from_word(cell_.latest()); }

 private:
  static constexpr word mask = ~word{0} >> (8 * (sizeof(word) - sizeof(T)));

  static word to_word(T v) noexcept {
    word w = 0;
    std::memcpy(&w, &v, sizeof(T));
    return w;
  }
  static T from_word(word w) noexcept {
    T v;
    std::memcpy(static_cast<void*>(&v), &w, sizeof(T));
    return v;
  }
  static word scaled(difference d) noexcept {
    if constexpr (std::is_pointer_v<T>) {
      return static_cast<word>(d) * sizeof(std::remove_pointer_t<T>);
    } else {
      return static_cast<word>(d);
    }
  }

  T modify(rmw_kind kind, word operand, explore::access a) noexcept {
    return from_word(cell_.modify(kind, operand, mask, a));
  }
  bool swap(T& expected, T desired, explore::access success, explore::access failure,
            bool weak) noexcept {
    word seen = to_word(expected);
    if (cell_.compare_exchange(seen, to_word(desired), success, failure, weak)) return true;
    expected = from_word(seen);
    return false;
  }

  /// The failure order that std::atomic derives from a single order.
  static constexpr order failure_of(order o) noexcept {
    if (o == order::acq_rel) return order::acquire;
    return o == order::release ? order::relaxed : o;
  }

  cell cell_;
};

}  // namespace racewheel::explore
