// The README's first example, word for word: it must compile and return 0.
#include <cstdio>
#include "queues/wheel_timer.hpp"

int main() {
  using namespace std::chrono_literals;
  racewheel::wheel_timer timer{{.tick = 1ms}};
  timer.schedule(5ms, [] { std::puts("five milliseconds later"); });
  auto late = timer.schedule(1h, [] { std::puts("never seen"); });
  std::printf("cancelled: %d\n", late.cancel());  // 1: this call decided it
  std::this_thread::sleep_for(50ms);
  return static_cast<int>(timer.stop().size());  // 0: nothing was left
}
