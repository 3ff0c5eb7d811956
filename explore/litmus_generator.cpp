#include "explore/litmus_generator.hpp"

#include <array>
#include <initializer_list>
#include <random>

namespace racewheel::litmus {
namespace {

class generator {
 public:
  generator(std::uint64_t seed, const generator_limits& limits) : random_(seed), limits_(limits) {}

  program run() {
    const std::size_t locations = 1 + below(limits_.max_locations);
    const std::size_t plain = locations > 1 && one_in(4) ? locations - 1 : locations;
    // Programs of one flavour of orders are where the models differ most; half mix all of them.
    flavour_ = below(8);
    const std::size_t spread = limits_.max_threads - limits_.min_threads + 1;
    program p;
    p.threads.resize(limits_.min_threads + below(spread));
    for (auto& thread : p.threads) {
      registers_ = 0;
      const std::size_t length = 1 + below(limits_.max_operations);
      for (std::size_t i = 0; i < length; ++i) {
        const std::size_t at = below(locations);
        thread.push_back(at == plain ? plain_operation() : atomic_operation());
        thread.back().location = at;
        finish(thread.back());
      }
    }
    for (std::size_t l = 0; l < locations; ++l) p.locations.push_back(std::string(1, names[l]));
    // Parsing numbers the locations by first use and drops those without one.
    return parse(to_string(p));
  }

 private:
  static constexpr std::array names{'x', 'y', 'z', 'u', 'v', 'w'};

  /// std distributions differ between standard libraries.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }

  order pick(std::initializer_list<order> orders) {
    if (flavour_ == 0) return order::rlx;
    if (flavour_ == 1) return order::sc;
    if (flavour_ == 2) return orders.begin()[one_in(3) ? 0 : orders.size() - 2];  // release-acquire
    if (flavour_ == 3) return one_in(2) ? order::sc : orders.begin()[below(orders.size() - 1)];
    return orders.begin()[below(orders.size())];
  }

  operation plain_operation() {
    operation op;
    op.what = one_in(2) ? kind::load : kind::store;
    op.success = order::na;
    return op;
  }

  operation atomic_operation() {
    constexpr std::array weighted{
        kind::store, kind::store, kind::store,    kind::load,      kind::load,
        kind::load,  kind::load,  kind::exchange, kind::fetch_add, kind::compare_exchange,
        kind::fence, kind::fence};
    operation op;
    op.what = weighted[below(weighted.size())];
    switch (op.what) {
      case kind::store:
        op.success = pick({order::rlx, order::rel, order::sc});
        break;
      case kind::load:
        op.success = pick({order::rlx, order::acq, order::sc});
        break;
      case kind::fence:
        op.success =
            flavour_ == 0 ? order::sc : pick({order::acq, order::rel, order::ar, order::sc});
        break;
      case kind::exchange:
      case kind::fetch_add:
      case kind::compare_exchange:
        op.success = pick({order::rlx, order::acq, order::rel, order::ar, order::sc});
        break;
    }
    if (op.what == kind::compare_exchange) {
      op.failure = pick({order::rlx, order::acq, order::sc});
    }
    return op;
  }

  void finish(operation& op) {
    if (registers_ != 0 && one_in(6)) op.only_if = condition{below(registers_), number(3)};
    if (op.what != kind::fence && op.what != kind::load) op.argument = some_operand(1);
    if (op.what == kind::compare_exchange) op.expected = some_operand(0);
    if (op.what != kind::fence && op.what != kind::store) op.result = registers_++;
  }

  operand some_operand(value least) {
    if (registers_ != 0 && one_in(6)) return {below(registers_), 0};
    return {std::nullopt, least + number(2)};
  }

  value number(std::size_t n) { return static_cast<value>(below(n)); }

  std::mt19937_64 random_;
  const generator_limits limits_;
  std::size_t registers_ = 0;
  std::size_t flavour_ = 0;
};

}  // namespace

program random_program(std::uint64_t seed, const generator_limits& limits) {
  return generator(seed, limits).run();
}

}  // namespace racewheel::litmus
