// std_platform with a probe before and after everything through which threads see each other.
#pragma once

#include <mutex>

#include "core/instrumented_atomic.hpp"
#include "core/std_platform.hpp"

namespace racewheel {

template <class Probe>
class instrumented_mutex {
 public:
  void lock() {
    Probe::before(access::lock, platform_site::lock);
    mutex_.lock();
    Probe::after(access::lock, platform_site::lock, true);
  }
  [[nodiscard]] bool try_lock() {
    Probe::before(access::lock, platform_site::lock);
    const bool taken = mutex_.try_lock();
    Probe::after(access::lock, platform_site::lock, taken);
    return taken;
  }
  void unlock() {
    Probe::before(access::unlock, platform_site::unlock);
    mutex_.unlock();
    Probe::after(access::unlock, platform_site::unlock, true);
  }

 private:
  std::mutex mutex_;
};

template <class Probe>
class instrumented_event {
 public:
  void signal() {
    Probe::before(access::wake, platform_site::event_signal);
    event_.signal();
    Probe::after(access::wake, platform_site::event_signal, true);
  }
  void wait() {
    Probe::before(access::wait, platform_site::event_wait);
    event_.wait();
    Probe::after(access::wait, platform_site::event_wait, true);
  }
  [[nodiscard]] bool wait_until(time_point deadline) {
    Probe::before(access::wait, platform_site::event_wait);
    const bool signalled = event_.wait_until(deadline);
    Probe::after(access::wait, platform_site::event_wait, true);
    return signalled;
  }

 private:
  std_event event_;
};

/// The common part of the perturbed, gated and counting platforms; see instrumented_atomic for what
/// a Probe is. plain<T> stays plain: it is no access that other threads may see without a race.
template <class Probe>
struct instrumented_platform : std_platform {
  template <class T>
  using atomic = instrumented_atomic<Probe, T>;
  using mutex = instrumented_mutex<Probe>;
  using event = instrumented_event<Probe>;

  static void fence(site s) noexcept {
    Probe::before(access::fence, s);
    std_platform::fence(s);
    Probe::after(access::fence, s, true);
  }
  [[nodiscard]] static void* allocate(std::size_t size, std::size_t alignment) {
    Probe::before(access::allocate, platform_site::allocate);
    void* const memory = std_platform::allocate(size, alignment);
    Probe::after(access::allocate, platform_site::allocate, true);
    return memory;
  }
  static void deallocate(void* p, std::size_t size, std::size_t alignment) noexcept {
    Probe::before(access::deallocate, platform_site::deallocate);
    std_platform::deallocate(p, size, alignment);
    Probe::after(access::deallocate, platform_site::deallocate, true);
  }
};

}  // namespace racewheel
