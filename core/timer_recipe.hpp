// The sites and choices of the timer: what each atomic access of core/ is for, in one table.
#pragma once

#include <array>

#include "core/site.hpp"

namespace racewheel {

/// The protocol of the timer. Every choice below is the right one; a specimen overrides one member.
///
/// A timeout is decided by one word, its state: queued -> linked -> expired, or -> cancelled from
/// either. Admission is one word too: {closed, unpublished, pending}.
///
///   site             access               pairs with       what it hands over
///   [state_query]    state load  acquire  [cancel_win]     what came before cancel() or stop()
///   [state_look]     state load  relaxed  -                rechecked at [cancel_win]
///   [cancel_win]     state rmw   acq_rel  [transfer_win]   acquire: from linked, the hook has left
///                                                          the queue and is free for the cancel
///                                                          stack; release: the canceller's writes
///   [cancel_lose]    state load  relaxed  -                rechecked at [cancel_win]
///   [cancel_mark]    state store release  [transfer_lose]  specimens only: cancel by a flag
///   [transfer_win]   state rmw   release  [cancel_win]     the hook: the queue is done with it
///   [transfer_lose]  state load  acquire  [cancel_win]     what was written before cancel(), to
///                                                          the on-cancel callback
///   [expire_win]     state rmw   relaxed  -                owner: the queue gave the worker
///                                                          everything; only atomicity decides
///   [expire_lose]    state load  relaxed  -                carried by [stack_take], which follows
///   [expire_mark]    state store relaxed  -                owner: specimens only, a blind store
///   [stop_win]       state rmw   release  [state_query]    what the worker did before it stopped
///   [stop_lose]      state load  acquire  [cancel_win]     as [transfer_lose]
///   [stack_look]     head load   relaxed  -                rechecked at [stack_push]
///   [stack_link]     next store  relaxed  -                carried by [stack_push]
///   [stack_push]     head rmw    release  [stack_take]     the cancelled timeout and its link
///   [stack_retry]    head load   relaxed  -                rechecked at [stack_push]
///   [stack_peek]     head load   relaxed  -                rechecked at [stack_take]
///   [stack_take]     head rmw    acquire  [stack_push]     all timeouts pushed so far, their links
///                                                          and what their cancellers wrote
///   [stack_follow]   next load   relaxed  -                carried by [stack_take]
///   [admit]          word rmw    acquire  [settle]         the worker's next wake-up ([wake_set]),
///                                                          to decide whether it must be woken
///   [admit_look]     word load   relaxed  -                rechecked at [admit]
///   [admit_retry]    word load   relaxed  -                rechecked at [admit]
///   [take_back]      word rmw    release  [settle]         a rejected caller has left the queue
///   [settle]         word rmw    acq_rel  [admit]          release: the next wake-up; acquire:
///                                                          callers that left by [take_back]
///   [close]          word rmw    relaxed  -                carried by [admit], [settle]: one word
///   [closed_look]    word load   relaxed  -                rechecked at [settle]
///   [pending_look]   word load   relaxed  -                stat
///   [wake_set]       wake store  relaxed  -                carried by [settle]
///   [wake_look]      wake load   relaxed  -                carried by [admit]
///   [share]          count rmw   relaxed  -                owner: one reference is already held
///   [release_ref]    count rmw   acq_rel  [release_ref]    all accesses of the others, to the last
///                                                          owner, who frees the memory
///   [phase_look]     phase load  acquire  [phase_set]      the start time and the running worker
///   [phase_set]      phase store release  [phase_look]     the start time and the running worker
///   [worker_set]     id store    relaxed  -                owner: a thread looks for itself only
///   [worker_look]    id load     relaxed  -                owner: a thread looks for itself only
struct timer_recipe {
  static constexpr site state_query{"state_query", std::memory_order::acquire};
  static constexpr site state_look{"state_look", std::memory_order::relaxed};
  static constexpr site cancel_win{"cancel_win", std::memory_order::acq_rel};
  static constexpr site cancel_lose{"cancel_lose", std::memory_order::relaxed};
  static constexpr site cancel_mark{"cancel_mark", std::memory_order::release};
  static constexpr site transfer_win{"transfer_win", std::memory_order::release};
  static constexpr site transfer_lose{"transfer_lose", std::memory_order::acquire};
  static constexpr site expire_win{"expire_win", std::memory_order::relaxed};
  static constexpr site expire_lose{"expire_lose", std::memory_order::relaxed};
  static constexpr site expire_mark{"expire_mark", std::memory_order::relaxed};
  static constexpr site stop_win{"stop_win", std::memory_order::release};
  static constexpr site stop_lose{"stop_lose", std::memory_order::acquire};

  static constexpr site stack_look{"stack_look", std::memory_order::relaxed};
  static constexpr site stack_link{"stack_link", std::memory_order::relaxed};
  static constexpr site stack_push{"stack_push", std::memory_order::release};
  static constexpr site stack_retry{"stack_retry", std::memory_order::relaxed};
  static constexpr site stack_peek{"stack_peek", std::memory_order::relaxed};
  static constexpr site stack_take{"stack_take", std::memory_order::acquire};
  static constexpr site stack_follow{"stack_follow", std::memory_order::relaxed};

  static constexpr site admit{"admit", std::memory_order::acquire};
  static constexpr site admit_look{"admit_look", std::memory_order::relaxed};
  static constexpr site admit_retry{"admit_retry", std::memory_order::relaxed};
  static constexpr site take_back{"take_back", std::memory_order::release};
  static constexpr site settle{"settle", std::memory_order::acq_rel};
  static constexpr site close{"close", std::memory_order::relaxed};
  static constexpr site closed_look{"closed_look", std::memory_order::relaxed};
  static constexpr site pending_look{"pending_look", std::memory_order::relaxed};
  static constexpr site wake_set{"wake_set", std::memory_order::relaxed};
  static constexpr site wake_look{"wake_look", std::memory_order::relaxed};

  static constexpr site share{"share", std::memory_order::relaxed};
  static constexpr site release_ref{"release_ref", std::memory_order::acq_rel};
  static constexpr site phase_look{"phase_look", std::memory_order::acquire};
  static constexpr site phase_set{"phase_set", std::memory_order::release};
  static constexpr site worker_set{"worker_set", std::memory_order::relaxed};
  static constexpr site worker_look{"worker_look", std::memory_order::relaxed};

  // Who wins: the state word, by compare-and-swap on both sides.
  static constexpr bool cancel_by_cas = true;
  static constexpr bool expire_by_cas = true;
  static constexpr bool cancel_reoffers_node = false;  // instead of the cancel stack
  // Counting: the worker alone counts down, once per timeout, before the task runs.
  static constexpr bool walk_counts_cancelled = false;
  static constexpr bool count_before_run = true;
  static constexpr bool rejection_takes_back = true;
  // Arithmetic of the hashed wheel.
  static constexpr bool rounds_relative = true;
  static constexpr bool walk_to_the_end = true;
  static constexpr bool overflow_guard = true;
  // Stopping and starting.
  static constexpr bool final_drain_waits = true;       // for those inside schedule()
  static constexpr bool stop_awaits_cancellers = true;  // for those inside cancel()
  static constexpr bool stop_finalises = true;          // counts down and calls on-cancel
  static constexpr bool start_heeds_stop = true;        // a start that lost to stop fails
  static constexpr bool stop_awaits_start = true;       // stop takes the lifecycle lock
  static constexpr bool failed_start_recovers = true;   // no thread: as if never started
  static constexpr bool death_closes = true;            // a dying worker stops admission
  static constexpr bool cancel_drain_capped = true;

  template <class R>
  static constexpr std::array sites_of{
      R::state_query,  R::state_look,    R::cancel_win, R::cancel_lose,  R::cancel_mark,
      R::transfer_win, R::transfer_lose, R::expire_win, R::expire_lose,  R::expire_mark,
      R::stop_win,     R::stop_lose,     R::stack_look, R::stack_link,   R::stack_push,
      R::stack_retry,  R::stack_peek,    R::stack_take, R::stack_follow, R::admit,
      R::admit_look,   R::admit_retry,   R::take_back,  R::settle,       R::close,
      R::closed_look,  R::pending_look,  R::wake_set,   R::wake_look,    R::share,
      R::release_ref,  R::phase_look,    R::phase_set,  R::worker_set,   R::worker_look};

  template <class R>
  static constexpr std::array choices_of{
      choice{"cancel_by_cas", R::cancel_by_cas},
      choice{"expire_by_cas", R::expire_by_cas},
      choice{"cancel_reoffers_node", R::cancel_reoffers_node},
      choice{"walk_counts_cancelled", R::walk_counts_cancelled},
      choice{"count_before_run", R::count_before_run},
      choice{"rejection_takes_back", R::rejection_takes_back},
      choice{"rounds_relative", R::rounds_relative},
      choice{"walk_to_the_end", R::walk_to_the_end},
      choice{"overflow_guard", R::overflow_guard},
      choice{"final_drain_waits", R::final_drain_waits},
      choice{"stop_awaits_cancellers", R::stop_awaits_cancellers},
      choice{"stop_finalises", R::stop_finalises},
      choice{"start_heeds_stop", R::start_heeds_stop},
      choice{"stop_awaits_start", R::stop_awaits_start},
      choice{"failed_start_recovers", R::failed_start_recovers},
      choice{"death_closes", R::death_closes},
      choice{"cancel_drain_capped", R::cancel_drain_capped}};
};

static_assert(recipe<timer_recipe>);

}  // namespace racewheel
