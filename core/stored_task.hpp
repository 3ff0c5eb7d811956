// A task of any type, kept inside the timeout when it is small.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace racewheel {

/// A task with a callback for cancellation: on_cancel() runs on the worker, once, if the timeout
/// ends by cancel() or by stop(). Any callable with an `on_cancel()` member is treated the same.
template <class Run, class OnCancel>
struct task_with_cancel {
  Run run;
  OnCancel cancelled;

  void operator()() { run(); }
  void on_cancel() { cancelled(); }
};
template <class Run, class OnCancel>
task_with_cancel(Run, OnCancel) -> task_with_cancel<Run, OnCancel>;

/// Callables that exist and yet cannot be called: null function pointers, empty std::functions.
template <class Task>
[[nodiscard]] bool is_empty_task(const Task& task) noexcept {
  if constexpr (std::is_pointer_v<Task>) {
    return task == nullptr;
  } else {
    return false;
  }
}
template <class Result, class... Args>
[[nodiscard]] bool is_empty_task(const std::function<Result(Args...)>& task) noexcept {
  return !task;
}
template <class Run, class OnCancel>
[[nodiscard]] bool is_empty_task(const task_with_cancel<Run, OnCancel>& task) noexcept {
  return is_empty_task(task.run) || is_empty_task(task.cancelled);
}

/// Type-erased callable. Up to `inline_size` bytes live here and cost no allocation; larger ones,
/// or those with an unusual alignment, are allocated through the platform.
template <class Platform, std::size_t InlineSize>
class stored_task {
 public:
  static constexpr std::size_t inline_size = InlineSize;

  template <class Task>
  static constexpr bool fits =
      sizeof(Task) <= InlineSize && alignof(Task) <= alignof(std::max_align_t);

  template <class Task>
  explicit stored_task(Task&& task) {
    using stored = std::decay_t<Task>;
    static_assert(std::invocable<stored&>, "a task is called without arguments");
    if (is_empty_task(task)) {
      throw std::invalid_argument("task = empty: schedule() needs something to call");
    }
    if constexpr (fits<stored>) {
      ::new (static_cast<void*>(storage_)) stored(std::forward<Task>(task));
      operations_ = &inline_operations<stored>;
    } else {
      void* const memory = Platform::allocate(sizeof(stored), alignof(stored));
      try {
        ::new (memory) stored(std::forward<Task>(task));
      } catch (...) {
        Platform::deallocate(memory, sizeof(stored), alignof(stored));
        throw;
      }
      ::new (static_cast<void*>(storage_))(void*)(memory);
      operations_ = &remote_operations<stored>;
    }
  }

  stored_task(const stored_task&) = delete;
  stored_task& operator=(const stored_task&) = delete;
  ~stored_task() { reset(); }

  void run() { operations_->run(storage_); }
  void on_cancel() {
    if (operations_ != nullptr) operations_->on_cancel(storage_);
  }

  /// Destroys the callable and whatever it captured; the worker does so as soon as it is done with
  /// it.
  void reset() noexcept {
    if (operations_ != nullptr) operations_->destroy(storage_);
    operations_ = nullptr;
  }

 private:
  struct operations {
    void (*run)(void*);
    void (*on_cancel)(void*);
    void (*destroy)(void*) noexcept;
  };

  template <class Task>
  static void notify(Task& task) {
    if constexpr (requires { task.on_cancel(); }) task.on_cancel();
  }

  template <class Task>
  static Task& local(void* storage) {
    return *std::launder(static_cast<Task*>(storage));
  }
  template <class Task>
  static Task& remote(void* storage) {
    return *static_cast<Task*>(*std::launder(static_cast<void**>(storage)));
  }

  template <class Task>
  static constexpr operations inline_operations{
      [](void* s) { std::invoke(local<Task>(s)); }, [](void* s) { notify(local<Task>(s)); },
      [](void* s) noexcept { std::destroy_at(&local<Task>(s)); }};

  template <class Task>
  static constexpr operations remote_operations{
      [](void* s) { std::invoke(remote<Task>(s)); }, [](void* s) { notify(remote<Task>(s)); },
      [](void* s) noexcept {
        Task* const task = &remote<Task>(s);
        std::destroy_at(task);
        Platform::deallocate(task, sizeof(Task), alignof(Task));
      }};

  alignas(std::max_align_t) std::byte storage_[InlineSize];
  const operations* operations_ = nullptr;
};

}  // namespace racewheel
