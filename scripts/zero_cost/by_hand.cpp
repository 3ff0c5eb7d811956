// The same two operations as one would write them for std::atomic, without any of our headers.
#include <atomic>

namespace by_hand {

struct hook {
  std::atomic<hook*> next{nullptr};
};
struct item : hook {
  int payload;
};
enum class push_result { ok, full };
enum class pop_state { item, empty, busy };
struct pop_result {
  item* taken;
  pop_state state;
};

#ifdef SPOILED  // an order that is stronger than ours: the comparison must see it
constexpr auto link_order = std::memory_order_seq_cst;
#else
constexpr auto link_order = std::memory_order_release;
#endif

struct queue {
  alignas(128) std::atomic<hook*> tail{&stub};
  alignas(128) hook* head = &stub;
  hook stub;

  void append(hook* first, hook* last) noexcept {
    last->next.store(nullptr, std::memory_order_relaxed);
    hook* const before = tail.exchange(last, std::memory_order_acq_rel);
    before->next.store(first, link_order);
  }

  static pop_result nothing(bool empty) noexcept {
    return {nullptr, empty ? pop_state::empty : pop_state::busy};
  }

  pop_result take(hook* first, hook* next) noexcept {
    head = next;
    return {static_cast<item*>(first), pop_state::item};
  }

  pop_result try_pop() noexcept {
    hook* first = head;
    hook* next = first->next.load(std::memory_order_acquire);
    if (first == &stub) {
      if (next == nullptr) {
        hook* const last = tail.load(std::memory_order_relaxed);
        return nothing(last == &stub);
      }
      head = next;
      first = next;
      next = first->next.load(std::memory_order_acquire);
    }
    if (next != nullptr) return take(first, next);
    hook* const last = tail.load(std::memory_order_relaxed);
    if (last != first) return nothing(false);
    append(&stub, &stub);
    next = first->next.load(std::memory_order_acquire);
    if (next != nullptr) return take(first, next);
    return nothing(false);
  }
};

extern "C" {
push_result compared_push(queue& q, item* i) noexcept {
  q.append(i, i);
  return push_result::ok;
}
pop_result compared_try_pop(queue& q) noexcept { return q.try_pop(); }
}

}  // namespace by_hand
