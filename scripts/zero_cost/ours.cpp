// The two operations as racewheel has them: platform, sites and recipe included.
#include "core/std_platform.hpp"
#include "queues/vyukov_queue.hpp"

namespace racewheel {

struct item : mpsc_hook<std_platform> {
  int payload;
};
using queue = vyukov_queue<item, std_platform>;

extern "C" {
push_result compared_push(queue& q, item* i) noexcept { return q.push(i); }
pop_result<item> compared_try_pop(queue& q) noexcept { return q.try_pop(); }
}

}  // namespace racewheel
