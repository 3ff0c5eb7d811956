// Every choice at random, uniformly.
#include "explore/rng.hpp"
#include "explore/strategy.hpp"

namespace racewheel::explore {

namespace {

class random_walk final : public strategy {
 public:
  explicit random_walk(std::uint64_t seed) : rng_(seed) {}

  bool start() override { return true; }
  std::uint32_t choose(const choice& c) override {
    return rng_.below(static_cast<std::uint32_t>(c.options.size()));
  }

 private:
  rng rng_;
};

}  // namespace

std::unique_ptr<strategy> make_random(const options& o) {
  return std::make_unique<random_walk>(o.seed);
}

}  // namespace racewheel::explore
