// Production: std::atomic, std::mutex, std::thread, the steady clock, operator new. Zero cost.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

#include "core/platform.hpp"

namespace racewheel {

/// std::atomic that also takes sites. After inlining nothing is left of the name.
template <class T>
class std_atomic : public std::atomic<T> {
  using base = std::atomic<T>;

 public:
  using base::base;
  using base::compare_exchange_strong;
  using base::compare_exchange_weak;
  using base::exchange;
  using base::load;
  using base::store;
  using base::wait;
  using base::operator=;

  T load(site s) const noexcept { return base::load(s.order); }
  void store(T v, site s) noexcept { base::store(v, s.order); }
  T exchange(T v, site s) noexcept { return base::exchange(v, s.order); }
  bool compare_exchange_strong(T& expected, T desired, site success, site failure) noexcept {
    return base::compare_exchange_strong(expected, desired, success.order, failure.order);
  }
  bool compare_exchange_weak(T& expected, T desired, site success, site failure) noexcept {
    return base::compare_exchange_weak(expected, desired, success.order, failure.order);
  }
  void wait(T old, site s) const noexcept { base::wait(old, s.order); }

  // Templates with a deferred `base`, because std::atomic<bool> or an enum has no arithmetic.
  template <class D, class B = base>
  T fetch_add(D v, site s) noexcept {
    return B::fetch_add(v, s.order);
  }
  template <class D, class B = base>
  T fetch_sub(D v, site s) noexcept {
    return B::fetch_sub(v, s.order);
  }
  template <class D, class B = base>
  T fetch_or(D v, site s) noexcept {
    return B::fetch_or(v, s.order);
  }
  template <class D, class B = base>
  T fetch_and(D v, site s) noexcept {
    return B::fetch_and(v, s.order);
  }
  template <class D, class B = base>
  T fetch_add(D v, std::memory_order o = std::memory_order::seq_cst) noexcept {
    return B::fetch_add(v, o);
  }
  template <class D, class B = base>
  T fetch_sub(D v, std::memory_order o = std::memory_order::seq_cst) noexcept {
    return B::fetch_sub(v, o);
  }
  template <class D, class B = base>
  T fetch_or(D v, std::memory_order o = std::memory_order::seq_cst) noexcept {
    return B::fetch_or(v, o);
  }
  template <class D, class B = base>
  T fetch_and(D v, std::memory_order o = std::memory_order::seq_cst) noexcept {
    return B::fetch_and(v, o);
  }
};

/// Data that algorithms hand from thread to thread; here just the value.
template <class T>
class std_plain {
 public:
  constexpr std_plain() = default;
  constexpr explicit std_plain(T v) : value_(std::move(v)) {}

  [[nodiscard]] constexpr const T& get() const noexcept { return value_; }
  constexpr void set(T v) { value_ = std::move(v); }
  [[nodiscard]] constexpr T& access() noexcept { return value_; }  // counts as a write

 private:
  T value_{};
};

/// Sticky auto-reset event for one waiter.
class std_event {
 public:
  void signal() {
    {
      std::lock_guard lock(mutex_);
      signalled_ = true;
    }
    wake_.notify_one();
  }

  void wait() {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return signalled_; });
    signalled_ = false;
  }

  [[nodiscard]] bool wait_until(time_point deadline) {
    if (deadline == never) {  // the far end of the clock overflows inside some standard libraries
      wait();
      return true;
    }
    std::unique_lock lock(mutex_);
    const std::chrono::steady_clock::time_point until{
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(deadline)};
    const bool signalled = wake_.wait_until(lock, until, [this] { return signalled_; });
    signalled_ = false;
    return signalled;
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool signalled_ = false;
};

struct std_platform {
  template <class T>
  using atomic = std_atomic<T>;
  template <class T>
  using plain = std_plain<T>;
  using mutex = std::mutex;
  using thread = std::thread;
  using event = std_event;

  [[nodiscard]] static thread::id this_thread_id() noexcept { return std::this_thread::get_id(); }
  [[nodiscard]] static time_point now() noexcept {
    return std::chrono::duration_cast<time_point>(
        std::chrono::steady_clock::now().time_since_epoch());
  }
  static void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#else
    std::this_thread::yield();
#endif
  }
  static void yield() noexcept { std::this_thread::yield(); }
  static void fence(site s) noexcept { std::atomic_thread_fence(s.order); }

  [[nodiscard]] static void* allocate(std::size_t size, std::size_t alignment) {
    return ::operator new(size, std::align_val_t{alignment});
  }
  static void deallocate(void* p, std::size_t size, std::size_t alignment) noexcept {
    ::operator delete(p, size, std::align_val_t{alignment});
  }
};

static_assert(platform<std_platform>);
static_assert(sizeof(std_atomic<void*>) == sizeof(std::atomic<void*>), "a site costs no memory");
static_assert(sizeof(std_atomic<bool>) == sizeof(bool), "a site costs no memory");
static_assert(sizeof(std_plain<void*>) == sizeof(void*), "plain data is just the data");
static_assert(std_atomic<void*>::is_always_lock_free);

}  // namespace racewheel
