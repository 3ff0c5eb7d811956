// A doubly linked list of timeouts: one slot of a wheel, or any list that the worker owns.
#pragma once

#include <cstddef>

namespace racewheel {

/// Intrusive FIFO through `before` and `after`. The worker's alone; no operation allocates.
template <class Timeout>
class bucket {
 public:
  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }
  [[nodiscard]] Timeout* first() const noexcept { return first_; }
  [[nodiscard]] static Timeout* next(const Timeout& node) noexcept { return node.after.get(); }

  void append(Timeout& node) noexcept {
    node.before.set(last_);
    node.after.set(nullptr);
    (last_ != nullptr ? last_->after.access() : first_) = &node;
    last_ = &node;
  }

  void remove(Timeout& node) noexcept {
    Timeout* const before = node.before.get();
    Timeout* const after = node.after.get();
    (before != nullptr ? before->after.access() : first_) = after;
    (after != nullptr ? after->before.access() : last_) = before;
    node.before.set(nullptr);
    node.after.set(nullptr);
  }

  /// The oldest, removed; null when empty.
  Timeout* pop() noexcept {
    Timeout* const node = first_;
    if (node != nullptr) remove(*node);
    return node;
  }

 private:
  Timeout* first_ = nullptr;
  Timeout* last_ = nullptr;
};

}  // namespace racewheel
