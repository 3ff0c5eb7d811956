// What a program for the explorer is, and what its body may call.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>

#include "core/platform.hpp"
#include "explore/thread.hpp"

namespace racewheel::explore {

/// A program is run once per execution, from the start, on the main virtual thread: the body builds
/// its state, starts virtual threads, waits for them, and checks the end.
///
///   explore::program p{"message_passing", [] {
///     explore::atomic<int> flag{0};
///     explore::plain<int> data{0};
///     explore::run([&] { data.set(1); flag.store(1, publish); },
///                  [&] { if (flag.load(follow) == 1) explore::check(data.get() == 1, "data"); });
///   }};
///
/// Three rules keep an execution repeatable:
///   - shared state is created inside the body, never outside;
///   - nothing but the schedule decides: no real time, no randomness, no addresses;
///   - an execution that ends with a finding, or reaches the limit of steps, is dropped without
///     unwinding. What the body keeps on the heap across visible operations leaks then, unless it
///     comes from Platform::allocate or scratch_allocator.
struct program {
  std::string name;
  std::function<void()> body;
};

/// The named assertion of programs. False ends the execution with a finding of kind assertion.
void check(bool condition, const char* name);

/// Bounds time: later than this it passes only when nobody can run without it. Without a horizon a
/// program whose threads sleep again and again has executions without end.
void set_horizon(time_point horizon);

/// Faults on demand: the next thread cannot be created, the next wait_until() throws; both by
/// std::system_error.
void fail_next_thread();
void fail_next_wait();

/// Starts one virtual thread per body, in order (P0, P1, ...), and waits for all of them.
template <class... Bodies>
void run(Bodies&&... bodies) {
  detail::thread_group group;
  (group.start(bodies), ...);
  group.join();
}

/// The same for a number of threads known only at run time.
template <class Body>
void run_each(std::span<Body> bodies) {
  detail::thread_group group;
  for (Body& body : bodies) group.start(body);
  group.join();
}

}  // namespace racewheel::explore
