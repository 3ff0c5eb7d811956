// The explorer on the corpus: find a specimen anew, exhaust its fixed twin, run a race file again.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "explore/explorer.hpp"
#include "explore/programs/registry.hpp"
#include "explore/race_file.hpp"

namespace racewheel::races {

/// What is explored: a program of the registry, spoiled by a specimen if one is named.
struct exploration {
  std::string program;
  explore::program_parameters parameters{};
  std::string specimen{};  // an id; empty: what ships
};

/// Throws std::invalid_argument that names the offending value and lists what exists: of
/// explore::make_program, and for a specimen that is unknown or shown by another program.
[[nodiscard]] explore::program make_program(const exploration& what);

/// The plan of a specimen. Throws unknown_specimen with the list of those that exist.
[[nodiscard]] exploration plan_of(std::string_view id);

/// The strategy of its plan; dfs without a specimen.
[[nodiscard]] std::string strategy_of(std::string_view id);

struct search_limits {
  std::uint64_t executions = std::numeric_limits<std::uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
};

/// What a search of the corpus came to.
struct specimen_search {
  exploration what;
  explore::options options;
  explore::result result;
};

/// Searches the specimen by its plan: under sc, or rc11 if it needs weak memory. A violation is
/// what it should come to.
[[nodiscard]] specimen_search find_specimen(std::string_view id, const search_limits& limits = {});
/// The same program with the recipe that ships, depth first under rc11: ok if it was exhausted
/// without a finding.
[[nodiscard]] specimen_search exhaust_twin(std::string_view id, const search_limits& limits = {});
/// A W specimen under sc: ok if it was exhausted without a finding, so that weak memory is to
/// blame.
[[nodiscard]] specimen_search exhaust_under_sc(std::string_view id,
                                               const search_limits& limits = {});

// --- race files ---

/// Everything that is needed to run the finding again.
[[nodiscard]] explore::race_file race_of(const exploration& what, const explore::options& o,
                                         const explore::finding& f);
/// What a race file says. Throws std::invalid_argument for what does not exist.
[[nodiscard]] exploration exploration_of(const explore::race_file& race);
[[nodiscard]] explore::options options_of(const explore::race_file& race);

/// Runs it again and checks every step, the finding and the digest. Throws
/// explore::replay_divergence that names the step, or explore::bad_race_file.
[[nodiscard]] explore::result replay(const explore::race_file& race);

}  // namespace racewheel::races
