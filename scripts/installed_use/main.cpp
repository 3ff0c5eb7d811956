// Uses what is installed: one item through every backend of the registry, and the timer.
#include <cstdio>

#include "queues/registry.hpp"
#include "queues/wheel_timer.hpp"

namespace rw = racewheel;

struct item : rw::mpsc_hook<rw::std_platform> {};

int main() {
  std::size_t carried = 0;
  rw::queue_backends::for_each([&]<class Backend> {
    using queue = typename Backend::template queue<item, rw::std_platform>;
    auto through = rw::make_queue<queue>(16);
    item one;
    carried += through.push(&one) == rw::push_result::ok && through.try_pop().item == &one;
    std::printf("%s\n", queue::traits.name.data());
  });
  rw::wheel_timer timer;
  const bool cancelled = timer.schedule(std::chrono::hours(1), [] {}).cancel();
  return carried == rw::queue_backends::size && cancelled && timer.stop().empty() ? 0 : 1;
}
