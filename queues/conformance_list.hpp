// The list of conformance checks: what every backend must pass, under these names.
#pragma once

#include <string_view>
#include <vector>

#include "queues/conformance_threads.hpp"

namespace racewheel::conformance {

struct check {
  std::string_view name;
  violation (*run)();
};

template <class Backend>
[[nodiscard]] std::vector<check> checks() {
  static_assert(can_stall<Backend> || Backend::traits.push == progress::blocking,
                "a queue whose producers do not block can stall: its recipe must say where");
  using B = Backend;
  std::vector<check> list{
      {"items_come_out_in_the_order_of_pushes", items_come_out_in_the_order_of_pushes<B>},
      {"order_holds_from_thread_to_thread", order_holds_from_thread_to_thread<B>},
      {"one_producer_loses_nothing", [] { return nothing_is_lost_or_reordered<B>(1); }},
      {"two_producers_lose_nothing", [] { return nothing_is_lost_or_reordered<B>(2); }},
      {"four_producers_lose_nothing", [] { return nothing_is_lost_or_reordered<B>(4); }},
      {"eight_producers_lose_nothing", [] { return nothing_is_lost_or_reordered<B>(8); }},
      {"nothing_is_lost_under_perturbation", nothing_is_lost_under_perturbation<B>},
      {"drain_stops_at_its_limit_or_when_empty", drain_stops_at_its_limit_or_when_empty<B>},
      {"a_sink_may_push_again", a_sink_may_push_again<B>},
      {"a_sink_may_destroy_the_item", a_sink_may_destroy_the_item<B>},
      {"push_bulk_takes_the_prefix_that_fits", push_bulk_takes_the_prefix_that_fits<B>},
      {"bulks_of_several_producers_stay_together", bulks_of_several_producers_stay_together<B>},
      {"a_queue_may_be_destroyed_with_items_inside", a_queue_may_be_destroyed_with_items_inside<B>},
      {"size_approx_counts_a_queue_at_rest", size_approx_counts_a_queue_at_rest<B>},
  };
  if constexpr (B::traits.exact_empty) {
    list.push_back({"empty_is_never_said_while_a_pushed_item_is_inside",
                    empty_is_never_said_while_a_pushed_item_is_inside<B>});
  }
  if constexpr (B::traits.bounded) {
    list.push_back({"the_capacity_is_exact", the_capacity_is_exact<B>});
    list.push_back({"bad_capacities_are_refused_by_name_and_value",
                    bad_capacities_are_refused_by_name_and_value<B>});
    if constexpr (B::traits.exact_full) {
      list.push_back({"full_is_said_only_when_full", full_is_said_only_when_full<B>});
      list.push_back(
          {"full_is_never_said_while_there_is_room", full_is_never_said_while_there_is_room<B>});
    }
  }
  if constexpr (can_stall<B>) {
    list.push_back(
        {"busy_is_said_while_a_producer_stalls", busy_is_said_while_a_producer_stalls<B>});
  }
  return list;
}

}  // namespace racewheel::conformance
