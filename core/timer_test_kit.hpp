// What the timer's tests share: a log of problems, a counting observer, a ledger of fates, and a
// timer on virtual time.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/hashed_wheel.hpp"
#include "core/heap_wheel.hpp"
#include "core/timer.hpp"

namespace racewheel {

using namespace std::chrono_literals;

/// Names of typed tests.
struct wheel_names {
  template <class Tested>
  static std::string GetName(int) {
    return std::string(timer_core<typename Tested::template config<>>::wheel::traits.name);
  }
};

/// A wheel and a backend; the tests choose the platform and the observer.
template <class Wheel, class Backend>
struct timer_under_test {
  using backend = Backend;
  template <class Platform = std_platform, class Observer = null_observer>
  using config = timer_config<Wheel, Backend, Platform, timer_recipe, Observer>;
};
template <class Backend>
using both_wheels = testing::Types<timer_under_test<wheel_kind<hashed_wheel>, Backend>,
                                   timer_under_test<wheel_kind<heap_wheel>, Backend>>;

/// What on_problem was told, with the message of the cause. Must outlive the timer.
class problem_log {
 public:
  [[nodiscard]] problem_handler handler() {
    return [this](timer_problem problem, std::exception_ptr cause) {
      std::lock_guard lock(mutex_);
      entries_.emplace_back(problem, message_of(cause));
    };
  }
  [[nodiscard]] std::size_t count(timer_problem problem) const {
    std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(
        std::ranges::count_if(entries_, [&](const auto& e) { return e.first == problem; }));
  }
  [[nodiscard]] std::vector<std::pair<timer_problem, std::string>> entries() const {
    std::lock_guard lock(mutex_);
    return entries_;
  }

 private:
  static std::string message_of(const std::exception_ptr& cause) {
    if (!cause) return "";
    try {
      std::rethrow_exception(cause);
    } catch (const std::exception& e) {
      return e.what();
    } catch (...) {
      return "not a std::exception";
    }
  }

  mutable std::mutex mutex_;
  std::vector<std::pair<timer_problem, std::string>> entries_;
};

/// Counts everything. Relaxed: stat. What is not atomic may be read once the worker has ended.
class counting_observer {
 public:
  using count = std::atomic<std::uint64_t>;

  explicit counting_observer(std::size_t slots = 1) : in_slot(slots, 0) {}
  void rejected(rejection) noexcept { add(rejections); }
  void scheduled(std::size_t n) noexcept { add(schedules, n); }
  void linked(std::size_t slot) noexcept { move(slot, +1); }
  void unlinked(std::size_t slot) noexcept { move(slot, -1); }
  void fired(time_point) noexcept { add(fires); }
  void cancelled() noexcept { add(cancels); }
  void refused() noexcept { add(refusals); }
  void returned() noexcept { add(returns); }
  void turned(std::uint64_t passed) noexcept {
    add(ticks, passed);
    add(turns);
  }

  count rejections{0}, schedules{0}, fires{0}, cancels{0}, refusals{0}, returns{0}, ticks{0},
      turns{0};
  std::vector<std::int64_t> in_slot;       // links minus unlinks
  std::set<std::thread::id> list_keepers;  // threads that linked or unlinked
  bool negative = false;                   // a slot was left more often than entered

 private:
  static void add(count& c, std::uint64_t n = 1) noexcept {
    c.fetch_add(n, std::memory_order::relaxed);
  }
  void move(std::size_t slot, std::int64_t by) noexcept {
    in_slot.at(slot) += by;
    negative = negative || in_slot[slot] < 0;
    list_keepers.insert(std::this_thread::get_id());
  }
};
static_assert(timer_observer<counting_observer>);

/// What became of each timeout, by id. Any thread; read it when all is at rest.
class fate_ledger {
 public:
  enum fate : std::size_t { accepted, fired, cancelled, returned, refused, fates };

  explicit fate_ledger(std::size_t ids) : ids_(ids) {}

  void enter(std::size_t id, fate f) noexcept {
    ids_[id][f].fetch_add(1, std::memory_order::relaxed);
  }
  [[nodiscard]] bool has(std::size_t id, fate f) const noexcept { return of(id, f) != 0; }
  [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
  [[nodiscard]] std::size_t total(fate f) const noexcept {
    std::size_t sum = 0;
    for (std::size_t id = 0; id < ids_.size(); ++id) sum += static_cast<std::size_t>(of(id, f));
    return sum;
  }

  /// The first timeout that did not end exactly once, or ended without being accepted.
  [[nodiscard]] testing::AssertionResult each_ended_exactly_once() const {
    for (std::size_t id = 0; id < ids_.size(); ++id) {
      const int in = of(id, accepted);
      const int ends = of(id, fired) + of(id, cancelled) + of(id, returned) + of(id, refused);
      if (in <= 1 && ends == in) continue;
      return testing::AssertionFailure()
             << "timeout " << id << ": accepted " << in << ", fired " << of(id, fired)
             << ", cancelled " << of(id, cancelled) << ", returned " << of(id, returned)
             << ", refused " << of(id, refused);
    }
    return testing::AssertionSuccess();
  }

 private:
  [[nodiscard]] int of(std::size_t id, fate f) const noexcept {
    return ids_[id][f].load(std::memory_order::relaxed);
  }

  std::vector<std::array<std::atomic<std::uint8_t>, fates>> ids_;
};

/// A timer_core driven by hand: no thread, no clock, exact.
template <class Config>
class virtual_timer {
 public:
  using core_type = timer_core<Config>;
  using handle = typename core_type::handle;

  explicit virtual_timer(timer_options options, time_point start = 1h)
      : core_(std::move(options)), start_(start), now_(start) {
    core_.begin(start);
  }

  template <class Task>
  auto try_schedule(std::chrono::nanoseconds delay, Task&& task) {
    return core_.schedule(now_, delay, std::forward<Task>(task));
  }
  template <class Task>
  handle schedule(std::chrono::nanoseconds delay, Task&& task) {
    auto result = try_schedule(delay, std::forward<Task>(task));
    if (!result.timeout) throw rejected(result.why);
    return std::move(result.timeout);
  }

  /// One turn at the present time.
  time_point turn() { return core_.turn(now_); }

  /// Time passes, with a turn whenever the core asked for one, and one at the end.
  void run_for(time_point duration) {
    const time_point end = now_ + duration;
    for (;;) {
      const time_point wake = turn();
      if (wake > end) break;
      now_ = std::max(now_, wake);
    }
    jump_for(end - now_);
  }

  /// Time passes in one leap, with one turn at its end.
  void jump_for(time_point duration) {
    now_ += duration;
    (void)turn();
  }

  std::vector<handle> stop() {
    core_.close();
    auto pending = core_.finish();
    std::vector<handle> returned;
    while (auto* const timeout = pending.pop()) returned.push_back(handle::adopt(timeout));
    return returned;
  }

  [[nodiscard]] time_point elapsed() const noexcept { return now_ - start_; }
  [[nodiscard]] std::uint32_t pending() const noexcept { return core_.pending(); }
  [[nodiscard]] core_type& core() noexcept { return core_; }

 private:
  core_type core_;
  time_point start_;
  time_point now_;
};

/// Waits, in real time, until `done()`; false after far too long.
template <class Done>
[[nodiscard]] bool eventually(Done&& done, std::chrono::seconds patience = 20s) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!done()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(200us);
  }
  return true;
}

/// Runs `body(index)` on so many threads and joins them.
template <class Body>
void on_threads(std::size_t count, Body&& body) {
  std::vector<std::thread> threads;
  threads.reserve(count);
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&body, i] { body(i); });
  for (std::thread& t : threads) t.join();
}

}  // namespace racewheel
