// Counts what an operation costs: exact, so it can gate where timings cannot.
#pragma once

#include <cstdint>
#include <ostream>
#include <string_view>
#include <utility>

#include "core/instrumented_platform.hpp"

namespace racewheel {

/// What one thread did. A failed compare-exchange counts as failed_cas only, a successful one as
/// rmws.
struct access_counts {
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;
  std::uint64_t rmws = 0;
  std::uint64_t failed_cas = 0;
  std::uint64_t fences = 0;
  std::uint64_t waits = 0;
  std::uint64_t wakes = 0;
  std::uint64_t locks = 0;
  std::uint64_t allocations = 0;
  std::uint64_t deallocations = 0;

  friend bool operator==(const access_counts&, const access_counts&) = default;

  /// Calls `visit(name, member)` for each counter; the list of counters exists here only.
  template <class Visit>
  static void for_each(Visit&& visit) {
    visit("loads", &access_counts::loads);
    visit("stores", &access_counts::stores);
    visit("rmws", &access_counts::rmws);
    visit("failed_cas", &access_counts::failed_cas);
    visit("fences", &access_counts::fences);
    visit("waits", &access_counts::waits);
    visit("wakes", &access_counts::wakes);
    visit("locks", &access_counts::locks);
    visit("allocations", &access_counts::allocations);
    visit("deallocations", &access_counts::deallocations);
  }

  access_counts& operator+=(const access_counts& other) noexcept {
    for_each([&](std::string_view, auto member) { this->*member += other.*member; });
    return *this;
  }
  access_counts& operator-=(const access_counts& other) noexcept {
    for_each([&](std::string_view, auto member) { this->*member -= other.*member; });
    return *this;
  }
  friend access_counts operator+(access_counts a, const access_counts& b) noexcept {
    return a += b;
  }
  friend access_counts operator-(access_counts a, const access_counts& b) noexcept {
    return a -= b;
  }
  /// Only what is not zero: "{rmws 1, stores 2}".
  friend std::ostream& operator<<(std::ostream& out, const access_counts& counts) {
    out << '{';
    const char* gap = "";
    for_each([&](std::string_view name, auto member) {
      if (counts.*member == 0) return;
      out << gap << name << ' ' << counts.*member;
      gap = ", ";
    });
    return out << '}';
  }
};

struct counting_probe {
  static void before(access, site) noexcept {}
  static void after(access kind, site, bool succeeded) noexcept {
    switch (kind) {
      case access::load:
        ++mine.loads;
        break;
      case access::store:
        ++mine.stores;
        break;
      case access::rmw:
        ++mine.rmws;
        break;
      case access::cas:
        ++(succeeded ? mine.rmws : mine.failed_cas);
        break;
      case access::fence:
        ++mine.fences;
        break;
      case access::wait:
        ++mine.waits;
        break;
      case access::wake:
        ++mine.wakes;
        break;
      case access::lock:
        ++mine.locks;
        break;
      case access::unlock:
        break;
      case access::allocate:
        ++mine.allocations;
        break;
      case access::deallocate:
        ++mine.deallocations;
        break;
    }
  }

  static inline thread_local access_counts mine;
};

struct counting_platform : instrumented_platform<counting_probe> {
  /// What this thread did so far.
  [[nodiscard]] static access_counts counts() noexcept { return counting_probe::mine; }

  /// What this thread does inside `act`.
  template <class Act>
  [[nodiscard]] static access_counts count(Act&& act) {
    const access_counts start = counts();
    std::forward<Act>(act)();
    return counts() - start;
  }
};

static_assert(platform<counting_platform>);

}  // namespace racewheel
