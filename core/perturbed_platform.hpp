// Seeded stalls and yields around accesses: widens the windows of races on real threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>

#include "core/instrumented_platform.hpp"

namespace racewheel {

/// How perturbed_platform disturbs: `strength` in a hundred accesses meet a stall before or after
/// them; 0 switches it off.
struct perturbation {
  std::uint64_t seed = 1;
  unsigned strength = 0;
};

/// Every thread draws from its own generator, made from the seed and the thread's number, so what a
/// thread does to itself depends on nothing but these and its own sequence of accesses. (The
/// scheduler of the operating system stays what it is: a seed makes runs alike, not equal.)
///
/// All settings are read relaxed, so that the probe adds no happens-before edge of its own: change
/// them before the threads that shall see them are started.
class perturbing_probe {
 public:
  static void before(access, site) noexcept { maybe_stall(); }
  static void after(access, site, bool) noexcept { maybe_stall(); }

  static void configure(perturbation p) {
    if (p.strength > 100) {
      throw std::invalid_argument("perturbation strength is " + std::to_string(p.strength) +
                                  "; it is a percentage, 0 to 100");
    }
    seed_.store(p.seed, std::memory_order::relaxed);
    strength_.store(p.strength, std::memory_order::relaxed);
    next_number_.store(0, std::memory_order::relaxed);
    generation_.fetch_add(1, std::memory_order::relaxed);
  }
  [[nodiscard]] static perturbation configured() noexcept {
    return {seed_.load(std::memory_order::relaxed), strength_.load(std::memory_order::relaxed)};
  }

  /// Numbers the calling thread and restarts its generator; a thread that never calls this is
  /// numbered by arrival.
  static void set_thread_number(std::uint64_t number) noexcept {
    mine_.generation = generation_.load(std::memory_order::relaxed);
    mine_.random = mix(seed_.load(std::memory_order::relaxed) ^ mix(number + 1));
    mine_.stalls = 0;
  }

  /// Stalls of the calling thread since its generator was started.
  [[nodiscard]] static std::uint64_t stalls() noexcept { return mine_.stalls; }

 private:
  struct state {
    std::uint64_t generation;  // 0: not numbered yet
    std::uint64_t random;
    std::uint64_t stalls;
  };

  static void maybe_stall() noexcept {
    const unsigned strength = strength_.load(std::memory_order::relaxed);
    if (strength == 0) return;
    if (mine_.generation != generation_.load(std::memory_order::relaxed)) {
      set_thread_number(next_number_.fetch_add(1, std::memory_order::relaxed));
    }
    const std::uint64_t draw = mix(mine_.random += 0x9e3779b97f4a7c15u);
    // Two chances per access, before and after: each takes half of the percentage.
    if (draw % 200 >= strength) return;
    ++mine_.stalls;
    stall(draw >> 32);
  }

  /// Mostly yields, which make room for others where threads outnumber cores; short spins, which
  /// shift threads against each other where they do not; now and then a sleep, which outlasts
  /// whatever the others are about to do.
  static void stall(std::uint64_t draw) noexcept {
    const std::uint64_t kind = draw % 64;
    const std::uint64_t length = (draw >> 8) % 64 + 1;
    if (kind == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(length));
    } else if (kind < 24) {
      for (std::uint64_t i = 0; i < length; ++i) std_platform::pause();
    } else {
      std::this_thread::yield();
    }
  }

  /// The output function of SplitMix64.
  static constexpr std::uint64_t mix(std::uint64_t x) noexcept {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }

  static inline std::atomic<std::uint64_t> seed_{1};
  static inline std::atomic<unsigned> strength_{0};
  static inline std::atomic<std::uint64_t> generation_{1};
  static inline std::atomic<std::uint64_t> next_number_{0};
  static inline thread_local state mine_{0, 0, 0};
};

struct perturbed_platform : instrumented_platform<perturbing_probe> {
  static void configure(perturbation p) { perturbing_probe::configure(p); }
  [[nodiscard]] static perturbation configured() noexcept { return perturbing_probe::configured(); }
  static void set_thread_number(std::uint64_t number) noexcept {
    perturbing_probe::set_thread_number(number);
  }
  [[nodiscard]] static std::uint64_t stalls() noexcept { return perturbing_probe::stalls(); }
};

static_assert(platform<perturbed_platform>);

}  // namespace racewheel
