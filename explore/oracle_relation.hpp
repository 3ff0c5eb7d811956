// Binary relations over at most 64 events, as the axioms of a memory model are written in them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace racewheel::oracle {

/// A set of events.
using event_set = std::uint64_t;

inline constexpr std::size_t max_events = 64;

[[nodiscard]] constexpr event_set single(std::size_t event) noexcept {
  return event_set{1} << event;
}

/// Calls f(event) for each member.
template <class F>
constexpr void for_each(event_set set, F&& f) {
  for (; set != 0; set &= set - 1) f(static_cast<std::size_t>(std::countr_zero(set)));
}

class relation {
 public:
  explicit constexpr relation(std::size_t size) noexcept : size_(size) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  constexpr void add(std::size_t from, std::size_t to) noexcept { rows_[from] |= single(to); }
  [[nodiscard]] constexpr bool has(std::size_t from, std::size_t to) const noexcept {
    return (rows_[from] & single(to)) != 0;
  }
  /// All events that `from` relates to.
  [[nodiscard]] constexpr event_set after(std::size_t from) const noexcept { return rows_[from]; }

  constexpr relation& operator|=(const relation& other) noexcept {
    for (std::size_t i = 0; i < size_; ++i) rows_[i] |= other.rows_[i];
    return *this;
  }
  [[nodiscard]] friend constexpr relation operator|(relation a, const relation& b) noexcept {
    return a |= b;
  }
  [[nodiscard]] friend constexpr relation operator&(relation a, const relation& b) noexcept {
    for (std::size_t i = 0; i < a.size_; ++i) a.rows_[i] &= b.rows_[i];
    return a;
  }
  [[nodiscard]] friend constexpr relation operator-(relation a, const relation& b) noexcept {
    for (std::size_t i = 0; i < a.size_; ++i) a.rows_[i] &= ~b.rows_[i];
    return a;
  }

  /// a;b: from x to z if x -a-> y -b-> z for some y.
  [[nodiscard]] friend constexpr relation compose(const relation& a, const relation& b) noexcept {
    relation c(a.size_);
    for (std::size_t i = 0; i < a.size_; ++i) {
      for_each(a.rows_[i], [&](std::size_t j) { c.rows_[i] |= b.rows_[j]; });
    }
    return c;
  }

  /// [from]; r; [to]
  [[nodiscard]] constexpr relation between(event_set from, event_set to) const noexcept {
    relation c(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      if ((from & single(i)) != 0) c.rows_[i] = rows_[i] & to;
    }
    return c;
  }

  [[nodiscard]] constexpr relation inverse() const noexcept {
    relation c(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      for_each(rows_[i], [&](std::size_t j) { c.add(j, i); });
    }
    return c;
  }

  /// r+
  [[nodiscard]] constexpr relation closure() const noexcept {
    relation c = *this;
    for (std::size_t k = 0; k < size_; ++k) {
      for (std::size_t i = 0; i < size_; ++i) {
        if (c.has(i, k)) c.rows_[i] |= c.rows_[k];
      }
    }
    return c;
  }

  /// r?: r and the identity
  [[nodiscard]] constexpr relation optional() const noexcept {
    relation c = *this;
    for (std::size_t i = 0; i < size_; ++i) c.add(i, i);
    return c;
  }

  [[nodiscard]] constexpr bool irreflexive() const noexcept {
    for (std::size_t i = 0; i < size_; ++i) {
      if (has(i, i)) return false;
    }
    return true;
  }
  [[nodiscard]] constexpr bool acyclic() const noexcept { return closure().irreflexive(); }
  [[nodiscard]] constexpr bool empty() const noexcept {
    for (std::size_t i = 0; i < size_; ++i) {
      if (rows_[i] != 0) return false;
    }
    return true;
  }

 private:
  std::array<event_set, max_events> rows_{};
  std::size_t size_;
};

}  // namespace racewheel::oracle
