// explore_speed [SECONDS]: executions a second, next to the context switch that they are made of.
// Seconds of processor time, so that other work on the machine disturbs it less.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "explore/explorer.hpp"
#include "explore/fiber.hpp"
#include "explore/platform.hpp"
#include "explore/programs/registry.hpp"

namespace racewheel::explore {
namespace {

double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Two fibers that do nothing but hand over to each other.
struct ping_pong {
  fiber here;
  fiber there;

  static void answer(void* self) noexcept {
    auto& both = *static_cast<ping_pong*>(self);
    for (;;) fiber::switch_to(both.there, both.here);
  }
};

double switch_ns(double seconds) {
  constexpr int batch = 100'000;
  ping_pong both;
  both.here.adopt_caller();
  both.there.prepare(&ping_pong::answer, &both);
  const std::clock_t start = std::clock();
  long switches = 0;
  while (seconds_since(start) < seconds) {
    for (int i = 0; i < batch; ++i) fiber::switch_to(both.here, both.there);
    switches += 2 * batch;
  }
  return seconds_since(start) * 1e9 / static_cast<double>(switches);
}

program message_passing() {
  static constexpr site publish{"publish", std::memory_order::release};
  static constexpr site follow{"follow", std::memory_order::acquire};
  return {"message_passing", [] {
            platform::plain<int> data{0};
            platform::atomic<bool> ready{false};
            run([&] { data.set(1), ready.store(true, publish); },
                [&] {
                  if (ready.load(follow)) check(data.get() == 1, "the data is there");
                });
          }};
}

void measure(const char* name, const program& p, const char* strategy, double seconds) {
  options o;
  o.strategy = strategy;
  o.seconds = seconds;
  o.count_graphs = false;
  const std::clock_t start = std::clock();
  const result r = search(p, o);
  const double used = seconds_since(start);
  const auto executions = static_cast<double>(r.executions);
  std::printf("%-16s %-6s %12.0f executions/s  (%.0f ns each)%s\n", name, strategy,
              executions / used, used * 1e9 / executions,
              r.verdict == verdict::violation ? "  VIOLATION" : "");
}

}  // namespace
}  // namespace racewheel::explore

int main(int argc, char** argv) {
  using namespace racewheel::explore;
  const double seconds = argc > 1 ? std::atof(argv[1]) : 1.0;
  if (!(seconds > 0)) {
    std::fprintf(stderr, "explore_speed: '%s' seconds; expected a number above 0\n", argv[1]);
    return 2;
  }
  std::printf("context switch   %.1f ns\n", switch_ns(seconds));
  const program vyukov = make_program(
      "push_pop", {.queue = "vyukov", .bounds = {.producers = 2, .items = 2, .pops = 4}});
  for (const char* strategy : {"random", "pos"}) {
    measure("message_passing", message_passing(), strategy, seconds);
    measure("vyukov 2x2", vyukov, strategy, seconds);
  }
}
