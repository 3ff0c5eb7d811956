// One timeout: its state, its task, and the hooks of whatever holds it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "core/cancel_stack.hpp"
#include "core/stored_task.hpp"

namespace racewheel {

/// queued: in the intake queue. linked: in the wheel. cancelled and expired are exclusive and
/// final.
enum class timeout_state : std::uint8_t { queued, linked, cancelled, expired };

/// The node that travels: producer -> queue -> wheel -> task. Two references at birth, one of the
/// handle and one of the timer; the last to go frees it. It is decided by its state word alone:
///   cancel           any thread  one winning compare-and-swap, at most one retry; from linked the
///                                winner hands the node to the worker through the cancel stack
///   link, expire,    the worker  one compare-and-swap each
///   cancel_by_stop
/// Its sites are in the table of core/timer_recipe.hpp.
template <class Platform, class Recipe>
class timeout : public mpsc_hook<Platform> {
 public:
  using platform_type = Platform;
  using recipe_type = Recipe;
  using stack = cancel_stack<timeout, Platform, Recipe>;

  /// Where a cancelled timeout goes. The function is for the specimen that re-offers the node.
  struct home {
    stack cancelled;
    void* intake = nullptr;
    void (*reoffer)(void* intake, timeout& node) noexcept = nullptr;
  };

  static constexpr std::size_t inline_task_size = 56;
  using task = stored_task<Platform, inline_task_size>;

  /// Allocated through the platform, in the state queued, with two references.
  template <class Task>
  [[nodiscard]] static timeout* make(home& back, time_point deadline, Task&& work) {
    void* const memory = Platform::allocate(sizeof(timeout), alignof(timeout));
    try {
      return ::new (memory) timeout(back, deadline, std::forward<Task>(work));
    } catch (...) {
      Platform::deallocate(memory, sizeof(timeout), alignof(timeout));
      throw;
    }
  }

  timeout(const timeout&) = delete;
  timeout& operator=(const timeout&) = delete;
  ~timeout() = default;

  /// True if and only if this call decided the timeout.
  bool cancel() noexcept {
    timeout_state seen = state_.load(Recipe::state_look);
    while (seen == timeout_state::queued || seen == timeout_state::linked) {
      if constexpr (Recipe::cancel_by_cas) {
        const timeout_state from = seen;
        if (!state_.compare_exchange_strong(seen, timeout_state::cancelled, Recipe::cancel_win,
                                            Recipe::cancel_lose)) {
          continue;
        }
        hand_back(from);
      } else {
        state_.store(timeout_state::cancelled, Recipe::cancel_mark);
        hand_back(seen);
      }
      return true;
    }
    return false;
  }

  [[nodiscard]] timeout_state state() const noexcept { return state_.load(Recipe::state_query); }

  /// Since the start of the timer, clamped to never.
  [[nodiscard]] time_point deadline() const noexcept { return deadline_.get(); }

  // --- the worker's side ---

  /// queued -> linked; false if it was cancelled while it was queued.
  [[nodiscard]] bool link() noexcept {
    timeout_state expected = timeout_state::queued;
    return state_.compare_exchange_strong(expected, timeout_state::linked, Recipe::transfer_win,
                                          Recipe::transfer_lose);
  }

  /// linked -> expired; false if it was cancelled.
  [[nodiscard]] bool expire() noexcept {
    timeout_state expected = timeout_state::linked;
    if constexpr (Recipe::expire_by_cas) {
      return state_.compare_exchange_strong(expected, timeout_state::expired, Recipe::expire_win,
                                            Recipe::expire_lose);
    } else {
      const timeout_state seen = state_.load(Recipe::expire_lose);
      if (seen != expected) return false;
      state_.store(timeout_state::expired, Recipe::expire_mark);
      return true;
    }
  }

  /// `from` -> cancelled, on behalf of stop(); false if somebody else cancelled it.
  [[nodiscard]] bool cancel_by_stop(timeout_state from) noexcept {
    return state_.compare_exchange_strong(from, timeout_state::cancelled, Recipe::stop_win,
                                          Recipe::stop_lose);
  }

  [[nodiscard]] task& work() noexcept { return task_; }

  void share() noexcept { references_.fetch_add(1U, Recipe::share); }

  void release() noexcept {
    const std::uint32_t owners = references_.fetch_sub(1U, Recipe::release_ref);
    if (owners != 1) return;
    std::destroy_at(this);
    Platform::deallocate(this, sizeof(timeout), alignof(timeout));
  }

  // Where the wheel keeps it. The worker's alone: bucket links and round counter, or heap index and
  // sequence number. `place` is none while nobody holds it, and waiting while it is linked but the
  // wheel had no memory for it.
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::uint32_t waiting = none - 1;
  template <class T>
  using owned = typename Platform::template plain<T>;
  owned<timeout*> before{nullptr};
  owned<timeout*> after{nullptr};
  owned<std::uint64_t> rank{0};      // rounds left (hashed wheel) or order of arrival (heap)
  owned<std::uint32_t> place{none};  // slot (hashed wheel) or index (heap)

 private:
  template <class Task>
  timeout(home& back, time_point deadline, Task&& work)
      : home_(&back), deadline_(deadline), task_(std::forward<Task>(work)) {}

  void hand_back(timeout_state from) noexcept {
    if constexpr (Recipe::cancel_reoffers_node) {
      home_->reoffer(home_->intake, *this);
    } else if (from == timeout_state::linked) {
      home_->cancelled.push(*this);
    }
  }

  typename Platform::template atomic<timeout_state> state_{timeout_state::queued};
  typename Platform::template atomic<std::uint32_t> references_{2};
  home* const home_;
  owned<time_point> deadline_;  // written once, before the push
  task task_;
};

}  // namespace racewheel
