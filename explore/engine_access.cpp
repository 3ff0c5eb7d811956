// Visible operations on atomics, mutexes and events.
#include <algorithm>

#include "explore/engine.hpp"
#include "explore/label.hpp"

namespace racewheel::explore {

namespace {
/// So many loads in a row that read the same store are taken for a spin loop without pause().
constexpr std::uint32_t silent_spin = 8;

word apply(rmw_kind kind, word old, word operand) {
  switch (kind) {
    case rmw_kind::exchange:
      return operand;
    case rmw_kind::add:
      return old + operand;
    case rmw_kind::sub:
      return old - operand;
    case rmw_kind::bit_and:
      return old & operand;
    case rmw_kind::bit_or:
      return old | operand;
    case rmw_kind::bit_xor:
      break;
  }
  return old ^ operand;
}
}  // namespace

location_handle engine::create(const void* address, word initial, bool pointer) {
  return {serial_, graph_.create(self_, address, initial, pointer)};
}

location_id engine::resolve(location_handle h, const access& a) {
  if (h.execution != serial_ || h.index >= graph_.location_count()) {
    fail(finding_kind::use_after_free,
         thread_name(self_) + " at " + label(a.name, a.where) +
             " uses an atomic that was not constructed in this execution");
  }
  if (graph_.place(h.index).dead) {
    fail(finding_kind::use_after_free, thread_name(self_) + " at " + label(a.name, a.where) +
                                           " uses an atomic that was freed or destroyed");
  }
  return h.index;
}

access engine::adjusted(access a) const {
  for (const order_override& o : options_.overrides) {
    if (a.name != nullptr && o.site == a.name) a.mode = mode_of(o.order);
  }
  return a;
}

/// The scheduling point: published before, alive before and after.
location_id engine::arrive(location_handle h, operation op, bool writes, const access& a) {
  const location_id where = resolve(h, a);
  visible(op, writes, where, a);
  return resolve(h, a);
}

/// Races of this access with the construction of its location, and with plain accesses.
void engine::audit(const event& e) {
  const graph::location& l = graph_.place(e.location);
  if (e.thread != l.creator && !e.clock.covers(l.creator, l.created)) {
    fail(finding_kind::data_race,
         "construction of an atomic by " + thread_name(l.creator) + " and " + to_string(e.kind) +
             " by " + thread_name(e.thread) + " at " + label(e) +
             " are not ordered: no happens-before edge leads from the construction to " + label(e));
  }
  if (!l.plain) return;
  const event_id other = graph_.unordered_conflict(e);
  if (other == no_id) return;
  data_race_ = true;
  if (!options_.stop_on_race) return;
  const event& o = graph_.get(other);
  fail(finding_kind::data_race,
       std::string(to_string(o.kind)) + " by " + thread_name(o.thread) + " at " + label(o) +
           " and " + to_string(e.kind) + " by " + thread_name(e.thread) + " at " + label(e) +
           " are not ordered: no happens-before edge leads from " + label(o) + " to " + label(e));
}

void engine::wrote() {
  threads_[self_].wrote = true;
  spin_rounds_ = 0;
  if (blocked_ != 0) refresh_blocked();
}

word engine::read(location_id where, std::uint32_t distance, event_kind kind, const access& a) {
  const event& e = graph_.read(self_, where, distance, kind, a);
  audit(e);
  note_read(where, e.source);
  return e.value;
}

/// Whether the location says the same as before this store: an RMW that writes what it read, such
/// as the exchange of a spinlock that is held, or a store of the value that the thread itself had
/// stored there.
bool engine::is_idle(const event& e) const {
  if (e.kind != event_kind::rmw && e.kind != event_kind::store) return false;
  const event& before = graph_.get(graph_.place(e.location).order[e.position - 1]);
  return before.value == e.value && (e.kind == event_kind::rmw || before.thread == e.thread);
}

/// The store that gave the location its value, as far as a spin loop of this thread can tell: idle
/// stores change nothing, nor does a mutex that the thread itself took and gave back.
event_id engine::origin(std::uint32_t thread, event_id store) const {
  for (;;) {
    const event& e = graph_.get(store);
    const bool own_lock =
        (e.kind == event_kind::lock || e.kind == event_kind::unlock) && e.thread == thread;
    if (!is_idle(e) && !own_lock) return store;
    store = graph_.place(e.location).order[e.position - 1];
  }
}

bool engine::changed(std::uint32_t thread, const read_mark& r) const {
  return origin(thread, graph_.newest(r.location)) != r.source;
}

void engine::note_read(location_id where, event_id source) {
  virtual_thread& t = threads_[self_];
  const read_mark mark{where, origin(self_, source)};
  t.same_reads = !t.iteration.empty() && t.iteration.back() == mark ? t.same_reads + 1 : 0;
  t.iteration.push_back(mark);
}

void engine::update(location_id where, std::uint32_t distance, word value, event_kind kind,
                    const access& a) {
  const event& e = graph_.update(self_, where, distance, value, kind, a);
  audit(e);
  if (is_idle(e)) {
    note_read(where, e.source);
  } else {
    wrote();
  }
}

/// Whether this iteration has been the same as the last one up to here.
bool engine::repeats_so_far() const {
  const virtual_thread& t = threads_[self_];
  return t.repeating && !t.wrote && t.iteration.size() <= t.previous.size() &&
         std::equal(t.iteration.begin(), t.iteration.end(), t.previous.begin());
}

/// After an iteration that repeated the one before: if this read is the last chance to read
/// something newer than that one did, it does.
void engine::obey_spin_rule(location_id where) {
  const virtual_thread& t = threads_[self_];
  const std::size_t k = t.iteration.size();
  if (!repeats_so_far() || k >= t.previous.size() || t.previous[k].location != where) return;
  for (std::size_t j = k + 1; j < t.previous.size(); ++j) {
    if (changed(self_, t.previous[j])) return;
  }
  if (!changed(self_, t.previous[k])) return;
  const auto& order = graph_.place(where).order;
  std::erase_if(choices_, [&](std::uint16_t d) {
    return origin(self_, order[order.size() - 1 - d]) == t.previous[k].source;
  });
}

/// Third-party loops that spin without pause(): every further load of the same store is an
/// iteration of its own.
void engine::end_silent_spin() {
  virtual_thread& t = threads_[self_];
  if (t.same_reads < silent_spin) return;
  const std::uint32_t reads = t.same_reads;
  const read_mark last = t.iteration.back();
  t.iteration.assign(1, last);
  t.previous.assign(1, last);
  t.wrote = false;
  pause();
  t.iteration.clear();
  t.same_reads = reads;
}

word engine::load(location_handle h, access a) {
  a = adjusted(a);
  end_silent_spin();
  const location_id where = arrive(h, operation::load, false, a);
  choices_.clear();
  graph_.read_options(self_, where, a.mode, choices_);
  obey_spin_rule(where);
  return read(where, choices_[choose(choice_kind::read)], event_kind::load, a);
}

void engine::store(location_handle h, word value, access a) {
  a = adjusted(a);
  const location_id where = arrive(h, operation::store, true, a);
  choices_.clear();
  graph_.store_options(self_, where, a.mode, choices_);
  const std::uint32_t distance = choices_[choose(choice_kind::slot)];
  const event& e = graph_.write(self_, where, distance, value, event_kind::store, a);
  audit(e);
  if (!is_idle(e)) wrote();
}

word engine::modify(location_handle h, rmw_kind kind, word operand, word mask, access a) {
  a = adjusted(a);
  const location_id where = arrive(h, operation::rmw, true, a);
  choices_.clear();
  graph_.rmw_options(self_, where, a.mode, choices_);
  obey_spin_rule(where);
  const std::uint32_t distance = choices_[choose(choice_kind::read)];
  const word old = graph_.at(where, distance).value;
  update(where, distance, apply(kind, old, operand) & mask, event_kind::rmw, a);
  return old;
}

bool engine::compare_exchange(location_handle h, word& expected, word desired, access success,
                              access failure, bool weak) {
  success = adjusted(success);
  failure = adjusted(failure);
  end_silent_spin();
  const location_id where = arrive(h, operation::cas, true, success);
  const bool may_fail = weak && spurious_left_ != 0;
  choices_.clear();
  graph_.cas_options(self_, where, expected, success.mode, failure.mode, may_fail, choices_);
  obey_spin_rule(where);
  const std::uint32_t distance = choices_[choose(choice_kind::read)];
  const bool matches = graph_.at(where, distance).value == expected;
  if (matches) {
    const bool can_swap = graph_.can_update(self_, where, distance, success.mode);
    bool fails = !can_swap;
    if (can_swap && may_fail && graph_.can_read(self_, where, distance, failure.mode)) {
      choices_.assign({0, 1});
      fails = choose(choice_kind::spurious) == 1;
    }
    if (!fails) {
      update(where, distance, desired, event_kind::rmw, success);
      return true;
    }
    --spurious_left_;
  }
  expected =
      read(where, distance, matches ? event_kind::spurious_fail : event_kind::failed_cas, failure);
  return false;
}

word engine::latest(location_handle h) { return graph_.at(h.index, 0).value; }

void engine::fence(access a) {
  a = adjusted(a);
  if (a.mode == mode::relaxed) return;  // has no effect, by the standard
  visible(operation::fence, false, no_id, a);
  graph_.fence(self_, a);
}

/// Atomic wait. Going to sleep looks at the newest store, as a futex does; an older one that equals
/// `old` would only be read again, so it is no choice.
void engine::wait(location_handle h, word old, access a) {
  a = adjusted(a);
  for (;;) {
    const location_id where = arrive(h, operation::load, false, a);
    choices_.clear();
    graph_.read_options(self_, where, a.mode, choices_);
    std::erase_if(choices_,
                  [&](std::uint16_t d) { return d != 0 && graph_.at(where, d).value == old; });
    if (read(where, choices_[choose(choice_kind::read)], event_kind::load, a) != old) return;
    virtual_thread& t = threads_[self_];
    t.cause = graph_.newest(where);
    t.notified = false;
    graph_.mark(self_, where, no_id, event_kind::park, a);
    visible(operation::resume, false, where, a);
    graph_.mark(self_, resolve(h, a), t.cause, event_kind::resume, a);
  }
}

/// Wakes sleepers that are owed it: something newer than what they slept on happens before this.
void engine::notify(location_handle h, bool all, access a) {
  const location_id where = arrive(h, operation::notify, true, a);
  const event& e = graph_.mark(self_, where, no_id, event_kind::notify, a);
  const auto id = static_cast<event_id>(graph_.event_count() - 1);
  const auto& order = graph_.place(where).order;
  choices_.clear();
  for (std::uint32_t left = blocked_; left != 0; left &= left - 1) {
    const auto n = static_cast<std::uint32_t>(std::countr_zero(left));
    const virtual_thread& t = threads_[n];
    if (t.pending.operation != operation::resume || t.pending.location != where) continue;
    for (std::size_t p = graph_.get(t.cause).position + 1; p < order.size(); ++p) {
      const event& newer = graph_.get(order[p]);
      if (!e.clock.covers(newer.thread, newer.index)) continue;
      choices_.push_back(static_cast<std::uint16_t>(n));
      break;
    }
  }
  if (choices_.empty()) return;
  if (!all) choices_.assign(1, choices_[choose(choice_kind::wake)]);
  for (const std::uint16_t n : choices_) {
    threads_[n].notified = true;
    threads_[n].cause = id;
    graph_.tag(mix(e.identity, graph_.thread(n).identity));
  }
  refresh_blocked();
}

/// A mutex that is taken and given back is no progress of a spin loop, but it is news for others.
void engine::take(location_id where, const access& a) {
  note_read(where, graph_.newest(where));
  if (!repeats_so_far()) spin_rounds_ = 0;
  audit(graph_.update(self_, where, 0, 1, event_kind::lock, a));
  recheck(where);
}

void engine::lock(location_handle h, access a) {
  const location_id where = arrive(h, operation::lock, true, a);
  take(where, a);
}

bool engine::try_lock(location_handle h, access a) {
  const location_id where = arrive(h, operation::try_lock, true, a);
  if (graph_.at(where, 0).value != 0) {
    const access relaxed(mode::relaxed, a.name);
    read(where, 0, event_kind::try_lock_failed, relaxed);
    return false;
  }
  take(where, a);
  return true;
}

void engine::unlock(location_handle h, access a) {
  const location_id where = arrive(h, operation::unlock, true, a);
  if (graph_.at(where, 0).value == 0 || graph_.at(where, 0).thread != self_) {
    fail(finding_kind::misuse, thread_name(self_) + " unlocks a mutex that it does not hold");
  }
  audit(graph_.write(self_, where, 0, 0, event_kind::unlock, a));
  if (blocked_ != 0) refresh_blocked();
}

void engine::signal(location_handle h, access a) {
  const location_id where = arrive(h, operation::signal, true, a);
  update(where, 0, 1, event_kind::signal, a);
}

bool engine::await(location_handle h, time_point deadline, access a) {
  if (deadline != never) need_clock();
  threads_[self_].deadline = deadline;
  const location_id where = arrive(h, operation::wait, true, a);
  const bool signalled = graph_.at(where, 0).value != 0;
  update(where, 0, 0, signalled ? event_kind::wake : event_kind::timeout, a);
  recheck(where);
  return signalled;
}

}  // namespace racewheel::explore
