// What a specimen is: a real bug as a recipe with one member spoiled, and what must catch it.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string_view>

#include "core/site.hpp"
#include "explore/programs/parameters.hpp"

namespace racewheel {

/// S: an interleaving is enough. W: visible only under weak memory, not on x86 hardware.
enum class race_kind : char { interleaving = 'S', weak_memory = 'W' };

/// forced: a test that forces the interleaving with gates, or the order of calls with turn().
/// explore_sc, explore_rc11: the explorer, under sequential consistency or the C++ memory model.
enum class detector { forced, explore_sc, explore_rc11 };

class detector_set {
 public:
  constexpr detector_set(std::initializer_list<detector> members) noexcept {
    for (const detector d : members) bits_ |= bit(d);
  }
  [[nodiscard]] constexpr bool contains(detector d) const noexcept { return (bits_ & bit(d)) != 0; }
  [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }

 private:
  [[nodiscard]] static constexpr unsigned bit(detector d) noexcept {
    return 1U << static_cast<unsigned>(d);
  }

  unsigned bits_ = 0;
};

/// How the explorer finds it: a program of its registry, the program's size, and a strategy. S
/// specimens are searched under sc, W specimens under rc11; the fixed twin is the same program with
/// the recipe that ships, exhausted under rc11.
struct search_plan {
  std::string_view program;
  explore::program_bounds bounds{};
  std::string_view strategy = "dfs";
};

struct specimen_facts {
  std::string_view id;    // the name of its struct, with hyphens
  std::string_view from;  // where the bug shipped
  race_kind kind;
  std::string_view goes_wrong;
  std::string_view spoils;  // the one member of the recipe that differs from the base
  detector_set caught_by;   // each of them must
  search_plan find;
};

/// `base` is the recipe that ships, `recipe` derives from it. A specimen of a queue also names the
/// backend as `queue`; the others are specimens of the timer.
template <class S>
concept specimen = requires {
  { S::facts } -> std::convertible_to<const specimen_facts&>;
  requires recipe<typename S::base>;
  requires recipe<typename S::recipe>;
  requires std::derived_from<typename S::recipe, typename S::base>;
};

template <class S>
concept queue_specimen = specimen<S> && std::same_as<typename S::queue::recipe, typename S::base>;

}  // namespace racewheel
