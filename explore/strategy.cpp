#include "explore/strategy.hpp"

#include <algorithm>
#include <array>

namespace racewheel::explore {

namespace {
// The registry: one file and one line each.
constexpr std::array registry{
    strategy_entry{"dfs", "exhaustive, depth first, cut where a graph was met before", true,
                   &make_dfs},
    strategy_entry{"random", "every choice at random", false, &make_random},
    strategy_entry{"pos", "partial order sampling: random priorities, drawn anew after a race",
                   false, &make_pos},
};
}  // namespace

std::span<const strategy_entry> strategies() noexcept { return registry; }

const strategy_entry* find_strategy(std::string_view name) noexcept {
  const auto found = std::find_if(registry.begin(), registry.end(),
                                  [&](const strategy_entry& s) { return s.name == name; });
  return found == registry.end() ? nullptr : &*found;
}

}  // namespace racewheel::explore
