// The way of a cancelled timeout back to the worker.
#pragma once

#include "core/mpsc_queue.hpp"
#include "core/timer_recipe.hpp"

namespace racewheel {

/// Intrusive Treiber stack, pushed by any canceller and taken whole by the worker. [TRE86]
///   push   any thread  lock-free, never full: the node's hook is free once its timeout is linked
///   take   the worker  one exchange, none when it looks empty; oldest first
/// Taking everything at once leaves no room for ABA. Once its compare-and-swap succeeded a
/// canceller touches neither the stack nor the timer again, so the worker that has received all
/// cancelled timeouts may let the timer go.
template <class Timeout, class Platform, class Recipe>
class cancel_stack {
  using hook = mpsc_hook<Platform>;

 public:
  void push(Timeout& timeout) noexcept {
    hook* const node = &timeout;
    hook* head = head_.load(Recipe::stack_look);
    do {
      node->next.store(head, Recipe::stack_link);
    } while (!head_.compare_exchange_weak(head, node, Recipe::stack_push, Recipe::stack_retry));
  }

  /// Everything pushed so far as a list linked by the hooks, oldest first; null when there is
  /// nothing.
  [[nodiscard]] hook* take() noexcept {
    hook* const seen = head_.load(Recipe::stack_peek);
    if (seen == nullptr) return nullptr;
    hook* newest = head_.exchange(nullptr, Recipe::stack_take);
    hook* oldest = nullptr;
    while (newest != nullptr) {
      hook* const older = newest->next.load(Recipe::stack_follow);
      newest->next.store(oldest, Recipe::stack_link);
      oldest = newest;
      newest = older;
    }
    return oldest;
  }

  [[nodiscard]] static hook* after(const hook& node) noexcept {
    return node.next.load(Recipe::stack_follow);
  }

 private:
  alignas(separation) typename Platform::template atomic<hook*> head_{nullptr};
};

}  // namespace racewheel
