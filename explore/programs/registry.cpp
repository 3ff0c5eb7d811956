#include "explore/programs/registry.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "explore/programs/push_pop.hpp"
#include "queues/registry.hpp"

namespace racewheel::explore {

namespace {

program make_push_pop(const program_parameters& p) {
  if (p.producers == 0 || p.producers > 12) {
    throw std::invalid_argument("producers " + std::to_string(p.producers) +
                                ": push_pop takes 1 to 12");
  }
  program made;
  std::string known;
  queue_backends::for_each([&]<class Backend>() {
    if constexpr (Backend::traits.explorable) {
      known.append(" ").append(Backend::traits.name);
      if (Backend::traits.name != p.queue) return;
      made = push_pop<Backend>({p.producers, p.items, p.pops, p.capacity});
    }
  });
  if (!made.body) {
    throw std::invalid_argument("queue '" + p.queue + "' cannot be explored; use one of" + known);
  }
  return made;
}

// The registry: one header and one line each.
constexpr std::array registry{
    program_entry{"push_pop", "producers push, one consumer pops, then all is drained", true, false,
                  &make_push_pop},
};

}  // namespace

std::span<const program_entry> programs() noexcept { return registry; }

const program_entry& find_program(std::string_view name) {
  const auto found = std::find_if(registry.begin(), registry.end(),
                                  [&](const program_entry& e) { return e.name == name; });
  if (found != registry.end()) return *found;
  std::string known;
  for (const program_entry& e : registry) known.append(" ").append(e.name);
  throw std::invalid_argument("program '" + std::string(name) +
                              "' does not exist; there are:" + known);
}

}  // namespace racewheel::explore
