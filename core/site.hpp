// A site: the name and the memory order of one atomic access in the source.
#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <string_view>

namespace racewheel {

/// Every atomic access of ours names a site: `tail_.exchange(&node, Recipe::claim)`.
///
/// On real platforms the order is a compile-time constant and the name vanishes. In the explorer
/// the name labels traces and schedules, and an override table may weaken the order at run time. A
/// compare-exchange takes two sites, one for success and one for failure.
///
/// Two sites are the same site if their names are equal, so names are unique within a program: the
/// sites of the timer and those of the queue backends never share one (scripts/check-sites sees to
/// it).
struct site {
  const char* name;
  std::memory_order order;

  [[nodiscard]] constexpr bool named(std::string_view other) const noexcept {
    return name == other;
  }
};

/// The label of accesses that carry no site: third-party code that passes bare memory orders.
inline constexpr const char* unnamed_site = "";

/// A recipe gathers the sites and the choices of one algorithm in one struct, and enumerates the
/// sites in `sites_of<R>`. It is a template over the most derived recipe, so that a specimen that
/// derives and overrides a single member is listed with what it overrides.
template <class R>
concept recipe = requires {
  { *R::template sites_of<R>.begin() } -> std::convertible_to<site>;
};

/// All sites of a recipe, in the order of the table in its header.
template <recipe R>
[[nodiscard]] constexpr auto sites_of() {
  return R::template sites_of<R>;
}

/// A choice of a recipe that is not a memory order, by the name of its member.
struct choice {
  const char* name;
  bool taken;
};

/// All choices of a recipe; none if it does not enumerate them in `choices_of<R>`.
template <recipe R>
[[nodiscard]] constexpr auto choices_of() {
  if constexpr (requires { R::template choices_of<R>.begin(); }) {
    return R::template choices_of<R>;
  } else {
    return std::array<choice, 0>{};
  }
}

}  // namespace racewheel
