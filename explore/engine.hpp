// One execution: virtual threads, their scheduling points, and the detectors.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/platform.hpp"
#include "explore/arena.hpp"
#include "explore/cell.hpp"
#include "explore/fiber.hpp"
#include "explore/graph.hpp"
#include "explore/plain_shadow.hpp"
#include "explore/strategy.hpp"

namespace racewheel::explore {

/// One decision as it was made. Schedules are made of those that differ from the default.
struct decision {
  choice_kind kind;
  std::uint16_t option;  // index; 0 is the default
  std::uint16_t count;
  std::uint16_t value;  // the option itself: a thread, a distance, ...
  std::uint32_t step;   // events before it
};

/// Runs executions of one program, one at a time, all memory reused. A thread of the operating
/// system has at most one running engine.
///
/// There is one scheduling point before each visible operation; the pending operation is published
/// first. What a thread does between two of them (plain data, allocation) is seen by the detectors,
/// which need no interleaving for it: they compare clocks.
class engine final : public search_state {
 public:
  engine(const program& p, const options& o);
  ~engine();
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  /// One execution under the strategy.
  execution_end run(strategy& s);

  // After an execution.
  [[nodiscard]] const std::vector<decision>& decisions() const noexcept { return decisions_; }
  [[nodiscard]] finding_kind found() const noexcept { return found_; }
  [[nodiscard]] const std::string& message() const noexcept { return message_; }
  [[nodiscard]] bool data_race() const noexcept { return data_race_; }
  [[nodiscard]] const graph& execution() const noexcept { return graph_; }

  // search_state
  [[nodiscard]] std::uint64_t graph_hash() const noexcept override { return graph_.hash(); }
  [[nodiscard]] const pending_operation& pending(std::uint32_t t) const noexcept override {
    return threads_[t].pending;
  }
  [[nodiscard]] std::uint32_t clock_thread() const noexcept override { return clock_thread_; }

  // What the platform calls, on virtual threads.
  [[nodiscard]] static engine& current();
  [[nodiscard]] static engine* running() noexcept { return current_; }

  location_handle create(const void* address, word initial, bool pointer);
  void destroy(location_handle h);
  word load(location_handle h, access a);
  void store(location_handle h, word value, access a);
  word modify(location_handle h, rmw_kind kind, word operand, word mask, access a);
  bool compare_exchange(location_handle h, word& expected, word desired, access success,
                        access failure, bool weak);
  void wait(location_handle h, word old, access a);
  void notify(location_handle h, bool all, access a);
  [[nodiscard]] word latest(location_handle h);
  void fence(access a);

  void lock(location_handle h, access a);
  [[nodiscard]] bool try_lock(location_handle h, access a);
  void unlock(location_handle h, access a);
  void signal(location_handle h, access a);
  bool await(location_handle h, time_point deadline, access a);
  [[nodiscard]] time_point now(access a);

  std::uint32_t start_thread(void (*body)(void*), void (*cleanup)(void*) noexcept, void* object);
  void join(std::uint32_t members);
  [[nodiscard]] std::string thread_name(std::uint32_t t) const;
  [[nodiscard]] std::uint32_t current_thread() const noexcept { return self_; }
  void pause();

  struct fault_flags {
    bool thread = false;
    bool wait = false;
  };
  [[nodiscard]] fault_flags& faults() noexcept { return faults_; }
  void set_horizon(time_point horizon) noexcept { horizon_ = horizon; }

  plain_handle create_plain(const void* address);
  void destroy_plain(plain_handle h);
  void touch(plain_handle h, bool writes, std::source_location where);
  void made_progress() noexcept { threads_[self_].wrote = true; }
  [[nodiscard]] void* allocate(std::size_t size, std::size_t alignment);
  void deallocate(void* block);
  [[nodiscard]] void* scratch(std::size_t size, std::size_t alignment) {
    return arena_.scratch(size, alignment);
  }
  [[noreturn]] void fail(finding_kind kind, std::string message);

 private:
  struct read_mark {
    location_id location;
    event_id source;
    bool operator==(const read_mark&) const = default;
  };

  struct virtual_thread {
    engine* owner = nullptr;
    fiber stack;
    bool looping = false;  // the stack stands in the loop that runs bodies; no need to prepare it
    void (*run)(void*) = nullptr;
    void (*destroy)(void*) noexcept = nullptr;
    void* object = nullptr;
    pending_operation pending;
    std::uint32_t starter = no_id;  // to be resumed at the first visible operation
    bool finished = false;
    bool notified = false;
    bool released = false;    // a blocked spinner gets one more round
    std::uint32_t joins = 0;  // bit per thread it waits for
    event_id cause = no_id;   // the notify that woke it, or the store it parked on
    time_point deadline = never;
    // The spin rule: what this and the last iteration read.
    std::vector<read_mark> iteration;
    std::vector<read_mark> previous;
    bool wrote = false;
    bool repeating = false;
    std::uint32_t same_reads = 0;
    std::uint32_t idle_pauses = 0;  // in a row, without a visible operation between
  };

  // engine.cpp: scheduling
  static void thread_main(void* thread) noexcept;
  void begin(strategy& s);
  void visible(operation op, bool writes, location_id where, const access& a);
  void schedule();
  void announce() const;
  void finish_thread();
  [[nodiscard]] std::uint32_t pick();
  [[nodiscard]] bool enabled(std::uint32_t t) const;
  void publish(std::uint32_t t);
  void recheck(location_id where);
  void refresh_blocked();
  [[nodiscard]] std::string waits_for(const virtual_thread& t) const;
  void switch_to(std::uint32_t t);
  std::uint32_t choose(choice_kind kind);
  [[noreturn]] void stop(execution_end end);
  [[noreturn]] void report_blocked();
  bool release_spinners();
  std::uint32_t add_virtual_thread(std::uint32_t parent);
  void check_leaks();

  // engine_time.cpp
  [[nodiscard]] time_point next_deadline() const;
  [[nodiscard]] bool time_may_pass() const { return sleepers_ != 0 && next_deadline() <= horizon_; }
  void jump();
  void need_clock();

  // engine_access.cpp
  [[nodiscard]] location_id resolve(location_handle h, const access& a);
  location_id arrive(location_handle h, operation op, bool writes, const access& a);
  [[nodiscard]] access adjusted(access a) const;
  void audit(const event& e);
  void wrote();
  word read(location_id where, std::uint32_t distance, event_kind kind, const access& a);
  void update(location_id where, std::uint32_t distance, word value, event_kind kind,
              const access& a);
  [[nodiscard]] bool is_idle(const event& e) const;
  [[nodiscard]] event_id origin(std::uint32_t thread, event_id store) const;
  [[nodiscard]] bool changed(std::uint32_t thread, const read_mark& r) const;
  [[nodiscard]] bool repeats_so_far() const;
  void take(location_id where, const access& a);
  void note_read(location_id where, event_id source);
  void obey_spin_rule(location_id where);
  void end_silent_spin();

  // engine_memory.cpp
  void kill_location(location_id id, const char* how);
  void kill_plain(plain_shadow& p, const char* how);
  [[noreturn]] void plain_race(const plain_shadow& p, bool first_writes, std::uint32_t other,
                               std::uint32_t index, std::source_location first, bool writes,
                               std::source_location where, const char* how);

  static thread_local engine* current_;

  const program& program_;
  const options& options_;
  strategy* strategy_ = nullptr;
  graph graph_;
  arena arena_;
  std::vector<plain_shadow> plains_;
  std::uint32_t plain_count_ = 0;

  fiber root_;
  std::array<virtual_thread, max_threads> threads_;
  std::uint32_t thread_count_ = 0;
  std::uint32_t unfinished_ = 0;  // bit per thread
  std::uint32_t self_ = 0;
  std::uint32_t runnable_ = 0;  // bit per thread: its pending operation can go on
  std::uint32_t blocked_ = 0;   // bit per thread: it cannot, and some event may change that
  std::uint32_t joining_ = 0;
  std::uint32_t clock_thread_ = no_id;
  location_id clock_location_ = no_id;
  std::uint32_t sleepers_ = 0;  // blocked with a deadline
  time_point now_{0};
  time_point horizon_ = never;
  fault_flags faults_;
  std::uint32_t spin_rounds_ = 0;
  std::uint32_t steps_ = 0;
  std::uint32_t spurious_left_ = 0;
  std::uint32_t serial_ = 0;  // of the execution, so that stale handles are seen
  std::vector<std::uint16_t> choices_;
  std::vector<decision> decisions_;
  execution_end end_ = execution_end::complete;
  finding_kind found_ = finding_kind::none;
  std::string message_;
  bool data_race_ = false;
  bool pruned_ = false;  // the strategy has seen enough, the rest goes by default
};

}  // namespace racewheel::explore
