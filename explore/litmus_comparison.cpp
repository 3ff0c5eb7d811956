#include "explore/litmus_comparison.hpp"

#include <fmt/format.h>

#include "explore/litmus_generator.hpp"

namespace racewheel::litmus {

comparison compare_random(std::uint64_t seed, memory m, const judge& expected) {
  comparison c;
  c.code = random_program(seed);
  c.seen = run(c.code, m);
  c.difference = c.seen.bound.empty() ? difference(c.code, expected(c.code, m), c.seen.seen)
                                      : "not exhausted: " + c.seen.bound;
  c.replay = fmt::format("racewheel litmus --random 1 --seed {} --memory {}", seed, to_string(m));
  return c;
}

}  // namespace racewheel::litmus
