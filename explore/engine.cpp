#include "explore/engine.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

#include "explore/label.hpp"
#include "explore/sanitized.hpp"

#ifdef RACEWHEEL_ASAN
#include <sanitizer/lsan_interface.h>
#endif

namespace racewheel::explore {

namespace {
/// What a dropped execution leaves on the ordinary heap is no leak of the program: nothing was
/// unwound. Memory of the platform is watched by the leak detector here.
struct unwatched_heap {
#ifdef RACEWHEEL_ASAN
  unwatched_heap() { __lsan_disable(); }
  ~unwatched_heap() { __lsan_enable(); }
#endif
};

/// Spinners that nobody can help get so many more rounds before it is called a livelock: loops that
/// give up after a few turns end in fewer.
constexpr std::uint32_t last_spin_round = 64;

/// Pauses in a row without looking at anything: up to so many are a back-off, more a loop for ever.
constexpr std::uint32_t longest_backoff = 4096;

constexpr std::uint32_t bit(std::uint32_t t) { return 1U << t; }
}  // namespace

thread_local engine* engine::current_ = nullptr;

engine::engine(const program& p, const options& o) : program_(p), options_(o) {
  root_.adopt_caller();
  for (virtual_thread& t : threads_) t.owner = this;
}

engine::~engine() = default;

engine& engine::current() {
  if (current_ == nullptr) {
    throw std::logic_error(
        "explore::platform is used outside an execution: create and use its "
        "objects inside the body of an explore::program");
  }
  return *current_;
}

void engine::begin(strategy& s) {
  strategy_ = &s;
  ++serial_;
  graph_.reset(options_.memory, options_.sc_strengthens);
  arena_.reset();
  plain_count_ = 0;
  thread_count_ = 0;
  unfinished_ = 0;
  runnable_ = 0;
  blocked_ = 0;
  joining_ = 0;
  sleepers_ = 0;
  clock_thread_ = no_id;
  clock_location_ = no_id;
  now_ = time_point{0};
  horizon_ = never;
  faults_ = {};
  spin_rounds_ = 0;
  steps_ = 0;
  spurious_left_ = options_.spurious_failures;
  decisions_.clear();
  end_ = execution_end::complete;
  found_ = finding_kind::none;
  data_race_ = false;
  pruned_ = false;
}

execution_end engine::run(strategy& s) {
  begin(s);
  const std::uint32_t main = add_virtual_thread(no_id);
  virtual_thread& t = threads_[main];
  t.run = [](void* body) { (*static_cast<const std::function<void()>*>(body))(); };
  t.destroy = nullptr;
  t.object = const_cast<std::function<void()>*>(&program_.body);
  engine* const outer = std::exchange(current_, this);
  self_ = main;
  {
    [[maybe_unused]] const unwatched_heap unwatched{};
    fiber::switch_to(root_, t.stack);
  }
  current_ = outer;
  for (std::uint32_t i = 0; i < thread_count_; ++i) {
    if (!threads_[i].finished) threads_[i].looping = false;  // dropped in the middle
  }
  if (end_ == execution_end::complete) check_leaks();
  if (end_ == execution_end::complete && pruned_) end_ = execution_end::pruned;
  return end_;
}

std::uint32_t engine::add_virtual_thread(std::uint32_t parent) {
  if (thread_count_ == max_threads) {
    fail(finding_kind::misuse, "more than " + std::to_string(max_threads) +
                                   " threads in one execution, the clock and main included");
  }
  const std::uint32_t n = graph_.add_thread(parent);
  ++thread_count_;
  virtual_thread& t = threads_[n];
  t.starter = no_id;
  t.finished = false;
  t.notified = false;
  t.released = false;
  t.deadline = never;
  t.iteration.clear();
  t.previous.clear();
  t.wrote = false;
  t.repeating = false;
  t.same_reads = 0;
  t.idle_pauses = 0;
  if (n == clock_thread_) return n;
  unfinished_ |= bit(n);
  if (!t.looping) t.stack.prepare(&engine::thread_main, &t);
  return n;
}

void engine::thread_main(void* thread) noexcept {
  auto& t = *static_cast<virtual_thread*>(thread);
  for (;;) {
    std::string thrown;
    bool threw = true;
    try {
      t.run(t.object);
      threw = false;
    } catch (const std::exception& e) {
      thrown = e.what();
    } catch (...) {
      thrown = "not a std::exception";
    }
    engine& e = *t.owner;
    if (threw) {
      e.fail(finding_kind::exception,
             e.thread_name(e.self_) + " ends with an exception: " + thrown);
    }
    if (t.destroy != nullptr) t.destroy(t.object);
    e.finish_thread();
  }
}

/// The child runs at once to its first visible operation, so that its pending one is published; it
/// cannot be seen by anybody before that.
std::uint32_t engine::start_thread(void (*body)(void*), void (*cleanup)(void*) noexcept,
                                   void* object) {
  const std::uint32_t n = add_virtual_thread(self_);
  virtual_thread& t = threads_[n];
  t.run = body;
  t.destroy = cleanup;
  t.object = object;
  t.starter = self_;
  switch_to(n);
  return n;
}

void engine::switch_to(std::uint32_t t) {
  virtual_thread& from = threads_[self_];
  self_ = t;
  fiber::switch_to(from.stack, threads_[t].stack);
}

/// Sets the thread's bits by its pending operation.
void engine::publish(std::uint32_t t) {
  if (enabled(t)) {
    runnable_ |= bit(t);
    blocked_ &= ~bit(t);
    sleepers_ &= ~bit(t);
    return;
  }
  runnable_ &= ~bit(t);
  blocked_ |= bit(t);
  if (threads_[t].pending.operation == operation::wait && threads_[t].deadline != never) {
    sleepers_ |= bit(t);
  }
}

void engine::visible(operation op, bool writes, location_id where, const access& a) {
  virtual_thread& t = threads_[self_];
  t.pending = {op, writes, a.mode, where, a.name, a.where};
  if (++steps_ > options_.steps) stop(execution_end::step_limit);
  if (op < operation::lock) {
    runnable_ |= bit(self_);
  } else {
    publish(self_);
  }
  if (t.starter != no_id) {
    switch_to(std::exchange(t.starter, no_id));
  } else {
    schedule();
  }
  if (options_.announce_steps) announce();
}

void engine::announce() const {
  const pending_operation& next = threads_[self_].pending;
  if (next.operation == operation::spin || next.operation == operation::join) return;  // no event
  unsigned number = 1;
  for (event_id id = 0; id < graph_.event_count(); ++id) {
    number += graph_.get(id).kind != event_kind::init ? 1 : 0;
  }
  racewheel_step(number, thread_name(self_).c_str(), next.name != nullptr ? next.name : "");
}

void engine::schedule() {
  if (runnable_ == bit(self_) && !time_may_pass()) return;
  const std::uint32_t next = pick();
  if (next != self_) switch_to(next);
}

std::uint32_t engine::pick() {
  for (;;) {
    if (runnable_ == 0) {
      if (sleepers_ != 0) {
        jump();
      } else if (!release_spinners()) {
        report_blocked();
      }
      continue;
    }
    const auto lowest = static_cast<std::uint32_t>(std::countr_zero(runnable_));
    if (spin_rounds_ != 0 || (runnable_ == bit(lowest) && !time_may_pass())) return lowest;
    const std::uint32_t first = (runnable_ & bit(self_)) != 0 ? self_ : lowest;
    choices_.clear();
    choices_.push_back(static_cast<std::uint16_t>(first));
    for (std::uint32_t left = runnable_ & ~bit(first); left != 0; left &= left - 1) {
      choices_.push_back(static_cast<std::uint16_t>(std::countr_zero(left)));
    }
    if (time_may_pass()) choices_.push_back(static_cast<std::uint16_t>(clock_thread_));
    const std::uint32_t next = choices_[choose(choice_kind::thread)];
    if (next != clock_thread_) return next;
    jump();
  }
}

std::uint32_t engine::choose(choice_kind kind) {
  if (choices_.size() == 1) return 0;
  std::uint32_t option = pruned_ ? 0 : strategy_->choose({kind, choices_, *this});
  if (option == strategy::stop) stop(execution_end::pruned);
  if (option == strategy::prune) {
    pruned_ = true;
    option = 0;
  }
  decisions_.push_back({kind, static_cast<std::uint16_t>(option),
                        static_cast<std::uint16_t>(choices_.size()), choices_[option],
                        graph_.event_count()});
  return option;
}

bool engine::enabled(std::uint32_t n) const {
  const virtual_thread& t = threads_[n];
  switch (t.pending.operation) {
    case operation::lock:
      return graph_.at(t.pending.location, 0).value == 0;
    case operation::wait:
      return graph_.at(t.pending.location, 0).value != 0 || t.deadline <= now_;
    case operation::resume:
      return t.notified;
    case operation::join:
      return (t.joins & unfinished_) == 0;
    case operation::spin: {
      if (t.released) return true;
      for (const read_mark& r : t.iteration) {
        if (changed(n, r)) return true;
      }
      return false;
    }
    default:
      return true;
  }
}

/// After an event that may let blocked threads go on.
void engine::refresh_blocked() {
  for (std::uint32_t left = blocked_; left != 0; left &= left - 1) {
    publish(static_cast<std::uint32_t>(std::countr_zero(left)));
  }
}

/// After an event that took what others may have been waiting for.
void engine::recheck(location_id where) {
  for (std::uint32_t left = unfinished_ & ~bit(self_) & ~joining_; left != 0; left &= left - 1) {
    const auto t = static_cast<std::uint32_t>(std::countr_zero(left));
    if (threads_[t].pending.location == where) publish(t);
  }
}

void engine::join(std::uint32_t members) {
  if ((members & bit(self_)) != 0) fail(finding_kind::misuse, "a thread joins itself");
  virtual_thread& t = threads_[self_];
  if ((members & unfinished_) != 0) {
    t.joins = members;
    t.pending = {};
    t.pending.operation = operation::join;
    joining_ |= bit(self_);
    runnable_ &= ~bit(self_);
    switch_to(t.starter != no_id ? std::exchange(t.starter, no_id) : pick());
  }
  graph_.step(self_);
  for (std::uint32_t left = members; left != 0; left &= left - 1) {
    graph_.learn(self_, graph_.thread(static_cast<std::uint32_t>(std::countr_zero(left))).clock);
  }
}

/// Whoever waits for this thread goes on at once, to its next visible operation: nobody can tell.
void engine::finish_thread() {
  virtual_thread& t = threads_[self_];
  t.finished = true;
  unfinished_ &= ~bit(self_);
  runnable_ &= ~bit(self_);
  graph_.step(self_);
  std::uint32_t next = std::exchange(t.starter, no_id);
  for (std::uint32_t left = joining_; left != 0 && next == no_id; left &= left - 1) {
    const auto waiter = static_cast<std::uint32_t>(std::countr_zero(left));
    if (!enabled(waiter)) continue;
    joining_ &= ~bit(waiter);
    next = waiter;
  }
  if (next == no_id && unfinished_ != 0) {
    t.finished = false;  // should pick() find everybody blocked, this stack is dropped
    next = pick();
    t.finished = true;
  }
  t.looping = true;
  if (next == no_id) {
    fiber::switch_to(t.stack, root_);
  } else {
    switch_to(next);
  }
}

void engine::stop(execution_end end) {
  end_ = end;
  virtual_thread& t = threads_[self_];
  t.finished = false;
  fiber::switch_to(t.stack, root_);
  std::terminate();  // a dropped stack is never resumed
}

void engine::fail(finding_kind kind, std::string message) {
  found_ = kind;
  message_ = std::move(message);
  stop(execution_end::finding);
}

bool engine::release_spinners() {
  bool any = false;
  for (std::uint32_t left = blocked_; left != 0; left &= left - 1) {
    const auto n = static_cast<std::uint32_t>(std::countr_zero(left));
    virtual_thread& t = threads_[n];
    if (t.pending.operation != operation::spin) continue;
    t.released = true;
    any = true;
  }
  if (!any || ++spin_rounds_ > last_spin_round) return false;
  refresh_blocked();
  return true;
}

std::string engine::thread_name(std::uint32_t t) const {
  if (t == 0) return "main";
  if (t == clock_thread_) return "clock";
  const std::uint32_t others = clock_thread_ != no_id && t > clock_thread_ ? 2 : 1;
  return std::string("P").append(std::to_string(t - others));
}

std::string engine::waits_for(const virtual_thread& t) const {
  const std::string at = label(t.pending.name, t.pending.where);
  switch (t.pending.operation) {
    case operation::lock:
      return "the mutex at " + at + ", held by " +
             thread_name(graph_.at(t.pending.location, 0).thread);
    case operation::wait:
      return "a signal at " + at;
    case operation::resume:
      return "a notification at " + at;
    case operation::spin: {
      const auto& events = graph_.thread(static_cast<std::uint32_t>(&t - threads_.data())).events;
      const auto last =
          std::find_if(events.rbegin(), events.rend(), [](event_id e) { return e != no_id; });
      if (t.iteration.empty()) return "nothing, spinning for ever";
      return "a new store, spinning after " + label(graph_.get(*last));
    }
    default: {
      std::string names;
      for (std::uint32_t left = t.joins & unfinished_; left != 0; left &= left - 1) {
        names += (names.empty() ? "" : ", ") +
                 thread_name(static_cast<std::uint32_t>(std::countr_zero(left)));
      }
      return "the end of " + names;
    }
  }
}

void engine::report_blocked() {
  finding_kind kind = finding_kind::deadlock;
  std::string text = "nobody can go on:";
  for (std::uint32_t left = unfinished_; left != 0; left &= left - 1) {
    const auto n = static_cast<std::uint32_t>(std::countr_zero(left));
    const virtual_thread& t = threads_[n];
    if (t.pending.operation == operation::spin) {
      kind = finding_kind::livelock;
    } else if (kind != finding_kind::livelock && (t.pending.operation == operation::wait ||
                                                  t.pending.operation == operation::resume)) {
      kind = finding_kind::lost_wakeup;
    }
    text += (left == unfinished_ ? " " : "; ") + thread_name(n) + " waits for " + waits_for(t);
  }
  fail(kind, text);
}

void engine::pause() {
  virtual_thread& t = threads_[self_];
  t.same_reads = 0;
  t.idle_pauses = t.iteration.empty() && !t.wrote ? t.idle_pauses + 1 : 0;
  t.repeating = !t.wrote && t.iteration == t.previous &&
                (!t.iteration.empty() || t.idle_pauses > longest_backoff);
  if (t.repeating) {
    visible(operation::spin, false, no_id, access(mode::relaxed, "spin"));
    t.released = false;
  }
  t.previous.swap(t.iteration);
  t.iteration.clear();
  t.wrote = false;
}

extern "C" [[gnu::noinline]] void racewheel_step(unsigned number, const char* thread,
                                                 const char* site) {
  asm volatile("" : : "r"(number), "r"(thread), "r"(site) : "memory");  // so that it is called
}

}  // namespace racewheel::explore
