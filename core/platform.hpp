// The platform concept: everything through which threads can see each other, and nothing else.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>

#include "core/site.hpp"

namespace racewheel {

/// Time since the platform's own epoch. Virtual in the explorer, an argument on the manual clock.
using time_point = std::chrono::nanoseconds;

/// "Never": the deadline of what does not expire, and the next wake-up of what waits for nothing.
inline constexpr time_point never = time_point::max();

/// The order of a bare memory_order in the default arguments exists for third-party code (folly);
/// our own files always pass a site. scripts/check-sites enforces that.
template <class A, class T>
concept atomic_like = requires(A a, const A ca, T v, site s, std::memory_order o) {
  { ca.load(s) } -> std::same_as<T>;
  { ca.load(o) } -> std::same_as<T>;
  a.store(v, s);
  a.store(v, o);
  { a.exchange(v, s) } -> std::same_as<T>;
  { a.compare_exchange_strong(v, v, s, s) } -> std::same_as<bool>;
  { a.compare_exchange_weak(v, v, s, s) } -> std::same_as<bool>;
  a.wait(v, s);
  a.notify_one();
  a.notify_all();
};

/// Shared data without synchronisation of its own: free in production, race-checked in the
/// explorer.
template <class P, class T>
concept plain_like = requires(P p, const P cp, T v) {
  { cp.get() } -> std::convertible_to<T>;
  p.set(v);
  { p.access() } -> std::same_as<T&>;
};

/// Auto-reset and sticky: a signal given before the wait is not lost; one waiter at a time.
template <class E>
concept event_like = requires(E e, time_point t) {
  e.signal();
  e.wait();
  { e.wait_until(t) } -> std::same_as<bool>;  // true: signalled, false: the deadline passed
};

template <class P>
concept platform = requires(site s, std::size_t n, void* p) {
  requires atomic_like<typename P::template atomic<int>, int>;
  requires atomic_like<typename P::template atomic<int*>, int*>;
  requires atomic_like<typename P::template atomic<bool>, bool>;
  requires plain_like<typename P::template plain<int>, int>;
  requires event_like<typename P::event>;
  requires requires(typename P::mutex m) {
    m.lock();
    m.unlock();
    { m.try_lock() } -> std::same_as<bool>;
  };
  requires requires(typename P::thread t) {
    t.join();
    { t.joinable() } -> std::same_as<bool>;
    typename P::thread::id;
  };
  { P::this_thread_id() } -> std::same_as<typename P::thread::id>;
  { P::now() } -> std::same_as<time_point>;
  P::pause();   // one turn of a spin loop ends
  P::yield();   // let somebody else run
  P::fence(s);  // for code under test; our own algorithms use no stand-alone fences
  { P::allocate(n, n) } -> std::same_as<void*>;  // size, alignment; throws std::bad_alloc
  P::deallocate(p, n, n);
};

/// Keeps what different threads write on lines of their own: two lines, because x86 prefetches
/// pairs.
inline constexpr std::size_t separation = 128;

}  // namespace racewheel
