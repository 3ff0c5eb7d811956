// Virtual threads: std::thread's interface on the explorer's scheduler.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace racewheel::explore {

namespace detail {
using thread_number = std::uint32_t;
inline constexpr thread_number no_thread = ~thread_number{0};

/// Starts a virtual thread that calls run(object) and, when that is over, destroy(object).
thread_number start_thread(void (*run)(void*), void (*destroy)(void*) noexcept, void* object);
void join_threads(std::uint32_t members);  // a bit per thread
[[nodiscard]] thread_number current_thread() noexcept;
/// Memory of this execution that nobody frees and no detector watches.
[[nodiscard]] void* scratch(std::size_t size, std::size_t alignment);

/// Starts threads that borrow their bodies, and joins them all at once.
class thread_group {
 public:
  template <class Body>
  void start(Body& body) {
    members_ |= 1U << start_thread([](void* b) { (*static_cast<Body*>(b))(); }, nullptr,
                                   const_cast<void*>(static_cast<const void*>(&body)));
  }
  void join() { join_threads(members_); }

 private:
  std::uint32_t members_ = 0;  // a bit per thread
};
}  // namespace detail

class thread {
 public:
  class id {
   public:
    constexpr id() noexcept = default;
    constexpr auto operator<=>(const id&) const noexcept = default;

   private:
    friend class thread;
    friend struct platform;
    constexpr explicit id(detail::thread_number n) noexcept : number_(n) {}
    detail::thread_number number_ = detail::no_thread;
  };

  thread() noexcept = default;

  template <class Body, class = std::enable_if_t<!std::is_same_v<std::decay_t<Body>, thread>>>
  explicit thread(Body&& body) {
    using stored = std::decay_t<Body>;
    void* const memory = detail::scratch(sizeof(stored), alignof(stored));
    auto* const object = new (memory) stored(std::forward<Body>(body));
    number_ =
        detail::start_thread([](void* b) { (*static_cast<stored*>(b))(); },
                             [](void* b) noexcept { static_cast<stored*>(b)->~stored(); }, object);
  }

  thread(thread&& other) noexcept : number_(std::exchange(other.number_, detail::no_thread)) {}
  thread& operator=(thread&& other) noexcept {
    number_ = std::exchange(other.number_, detail::no_thread);
    return *this;
  }

  [[nodiscard]] bool joinable() const noexcept { return number_ != detail::no_thread; }
  void join() { detail::join_threads(1U << std::exchange(number_, detail::no_thread)); }
  [[nodiscard]] id get_id() const noexcept { return id(number_); }

 private:
  detail::thread_number number_ = detail::no_thread;
};

}  // namespace racewheel::explore
