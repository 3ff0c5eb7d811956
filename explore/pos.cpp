// Partial order sampling.
#include <array>

#include "explore/rng.hpp"
#include "explore/strategy.hpp"

namespace racewheel::explore {

namespace {

/// POS [YYG18]: every pending operation has a random priority, the highest runs; operations that
/// race with the one that ran draw again. So independent operations do not dilute the sampling.
/// What a load reads and where a store lands is uniform.
class pos final : public strategy {
 public:
  explicit pos(std::uint64_t seed) : rng_(seed) {}

  bool start() override {
    priority_.fill(0);
    return true;
  }

  std::uint32_t choose(const choice& c) override {
    const auto count = static_cast<std::uint32_t>(c.options.size());
    if (c.kind != choice_kind::thread) return rng_.below(count);
    std::uint32_t best = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      std::uint64_t& mine = priority_[c.options[i]];
      if (mine == 0) mine = rng_.next() | 1;
      if (mine > priority_[c.options[best]]) best = i;
    }
    redraw(c, c.options[best]);
    return best;
  }

 private:
  void redraw(const choice& c, std::uint32_t chosen) {
    priority_[chosen] = 0;
    if (chosen == c.state.clock_thread()) return;
    const pending_operation& runs = c.state.pending(chosen);
    if (runs.location == no_id) return;
    for (const std::uint16_t t : c.options) {
      if (t == chosen || t == c.state.clock_thread()) continue;
      const pending_operation& other = c.state.pending(t);
      if (other.location == runs.location && (other.writes || runs.writes)) priority_[t] = 0;
    }
  }

  rng rng_;
  std::array<std::uint64_t, max_threads> priority_{};
};

}  // namespace

std::unique_ptr<strategy> make_pos(const options& o) { return std::make_unique<pos>(o.seed); }

}  // namespace racewheel::explore
