// Specimens of queues whose interleaving can be forced on real threads.
#include <gtest/gtest.h>

#include <thread>

#include "core/gated_platform.hpp"
#include "races/lookup.hpp"

namespace racewheel {
namespace {

struct item : mpsc_hook<gated_platform> {};

/// Whether a queue of this recipe hands out exactly the two items that were pushed, although the
/// consumer meets the second producer's stall gap twice. Empty, or what was wrong.
template <class Recipe>
std::string meet_a_stall_gap_twice() {
  item first;
  item second;
  vyukov_queue<item, gated_platform, Recipe> queue;
  if (queue.push(&first) != push_result::ok) return "full";
  gate stall_gap(Recipe::stall.site_name, thread_role{"producer"});
  std::jthread producer([&] {
    gated_platform::set_role("producer");
    (void)(queue.push(&second) == push_result::ok);
  });
  if (!stall_gap.wait_until_held()) return "inconclusive: the producer was not held";
  for (int i = 0; i < 2; ++i) {
    if (queue.try_pop().state == pop_state::item) return "an item with no way to the next one";
  }
  stall_gap.open();
  producer.join();
  if (queue.try_pop().item != &first) return "the first item is lost";
  if (queue.try_pop().item != &second) return "the second item is lost";
  return queue.try_pop().state == pop_state::item ? "an item that nobody pushed" : "";
}

TEST(queue_specimens, stub_double_insert_is_absent_from_our_recipe) {
  EXPECT_EQ(meet_a_stall_gap_twice<vyukov_recipe>(), "");
}

TEST(queue_specimens, stub_double_insert_is_caught) {
  EXPECT_EQ(meet_a_stall_gap_twice<races::stub_double_insert::recipe>(),
            "an item that nobody pushed");
}

TEST(queue_specimens, each_that_can_be_forced_is_forced_here) {
  queue_specimens::for_each([]<class S>() {
    EXPECT_EQ(S::facts.caught_by.contains(detector::forced),
              (std::is_same_v<S, races::stub_double_insert>))
        << S::facts.id;
  });
}

}  // namespace
}  // namespace racewheel
