#include "explore/graph.hpp"

#include <utility>

namespace racewheel::explore {

void graph::reset(memory_model model, bool strengthen) noexcept {
  model_ = model;
  strengthen_ = strengthen && model == memory_model::sc;
  event_count_ = 0;
  location_count_ = 0;
  thread_count_ = 0;
  hash_ = 0;
  sc_.reset();
}

std::uint32_t graph::add_thread(std::uint32_t parent) {
  const std::uint32_t t = thread_count_++;
  if (t == threads_.size()) threads_.emplace_back();
  thread_view& view = threads_[t];
  if (parent == no_id) {
    view.clock = {};
    view.identity = mix(t == 0 ? 1 : 2, 1);  // the main thread, or the clock
  } else {
    step(parent);
    view.clock = threads_[parent].clock;
    view.identity = mix(threads_[parent].identity, ++threads_[parent].created);
  }
  view.unacquired = {};
  view.fenced = {};
  view.before_run = view.clock;
  view.last_location = no_id;
  view.created = 0;
  view.events.clear();
  return t;
}

void graph::step(std::uint32_t thread) {
  thread_view& view = threads_[thread];
  ++view.clock.known[thread];
  view.events.push_back(no_id);
  view.last_location = no_id;
}

location_id graph::create(std::uint32_t thread, const void* address, std::uint64_t value,
                          bool pointer) {
  const location_id id = location_count_++;
  if (id == locations_.size()) locations_.emplace_back();
  location& l = locations_[id];
  thread_view& view = threads_[thread];
  l.order.clear();
  l.accesses.clear();
  l.address = address;
  l.identity = mix(view.identity, ++view.created);
  l.creator = thread;
  l.created = view.clock.known[thread] + 1U;
  l.pointer = pointer;
  l.dead = false;
  l.plain = false;
  l.queue = 0;

  if (event_count_ == events_.size()) events_.resize(events_.size() * 2 + 64);
  event& e = events_[event_count_];
  e.identity = l.identity;
  e.value = value;
  e.source = no_id;
  e.newest = no_id;
  e.location = id;
  e.sc_node = no_id;
  e.position = 0;
  e.thread = static_cast<std::uint16_t>(thread);
  e.index = static_cast<std::uint16_t>(l.created);
  e.kind = event_kind::init;
  e.mode = mode::na;
  e.written = mode::na;
  e.name = "init";
  e.clock = view.clock;
  e.message = {};
  e.seen.reset();
  e.seen.index[thread] = e.index;
  l.order.push_back(event_count_++);
  return id;
}

/// The position of the newest store that the thread knows; 0, the initial one, at the least.
std::uint32_t graph::floor(std::uint32_t thread, location_id where) const noexcept {
  const location& l = locations_[where];
  const vector_clock& clock = threads_[thread].clock;
  std::size_t p = l.order.size() - 1;
  while (p > 0 && !events_[l.order[p]].seen.known_to(clock)) --p;
  return static_cast<std::uint32_t>(p);
}

bool graph::axiom_allows(std::uint32_t thread, location_id where, event_id source,
                         std::uint32_t slot, bool writes, mode m) const {
  if (sc_.empty()) return true;
  const thread_view& view = threads_[thread];
  vector_clock clock = view.clock;
  ++clock.known[thread];
  if (source != no_id && acquires(m)) clock.join(events_[source].message);
  const sc_order::candidate c{
      .thread = thread,
      .location = where,
      .later = slot,
      .writes = writes,
      .sc = m == mode::seq_cst,
      .self = no_id,
      .clock = &clock,
      .before = &view.clock,
      .before_run = view.last_location == where ? &view.before_run : &view.clock};
  return sc_.allows(c);
}

bool graph::can_read(std::uint32_t thread, location_id where, std::uint32_t distance,
                     mode m) const {
  if (distance == 0) return true;
  const auto& order = locations_[where].order;
  const std::size_t p = order.size() - 1 - distance;
  return axiom_allows(thread, where, order[p], static_cast<std::uint32_t>(p + 1), false, m);
}

bool graph::can_update(std::uint32_t thread, location_id where, std::uint32_t distance,
                       mode m) const {
  if (distance == 0) return true;
  const auto& order = locations_[where].order;
  const std::size_t p = order.size() - 1 - distance;
  return !is_rmw(events_[order[p + 1]].kind) &&
         axiom_allows(thread, where, order[p], static_cast<std::uint32_t>(p + 1), true, m);
}

void graph::read_options(std::uint32_t thread, location_id where, mode m,
                         std::vector<std::uint16_t>& out) const {
  out.push_back(0);
  const std::size_t size = locations_[where].order.size();
  if (size == 1 || model_ == memory_model::sc) return;
  const std::size_t last = size - 1 - floor(thread, where);
  for (std::uint32_t d = 1; d <= last; ++d) {
    if (can_read(thread, where, d, m)) out.push_back(static_cast<std::uint16_t>(d));
  }
}

void graph::store_options(std::uint32_t thread, location_id where, mode m,
                          std::vector<std::uint16_t>& out) const {
  out.push_back(0);
  const auto& order = locations_[where].order;
  if (order.size() == 1 || model_ == memory_model::sc) return;
  const std::size_t last = order.size() - 1 - floor(thread, where);
  for (std::uint32_t d = 1; d <= last; ++d) {
    const std::size_t slot = order.size() - d;
    if (is_rmw(events_[order[slot]].kind)) continue;
    if (axiom_allows(thread, where, no_id, static_cast<std::uint32_t>(slot), true, m)) {
      out.push_back(static_cast<std::uint16_t>(d));
    }
  }
}

void graph::rmw_options(std::uint32_t thread, location_id where, mode m,
                        std::vector<std::uint16_t>& out) const {
  out.push_back(0);
  const std::size_t size = locations_[where].order.size();
  if (size == 1 || model_ == memory_model::sc) return;
  const std::size_t last = size - 1 - floor(thread, where);
  for (std::uint32_t d = 1; d <= last; ++d) {
    if (can_update(thread, where, d, m)) out.push_back(static_cast<std::uint16_t>(d));
  }
}

void graph::cas_options(std::uint32_t thread, location_id where, std::uint64_t expected,
                        mode success, mode failure, bool may_fail,
                        std::vector<std::uint16_t>& out) const {
  out.push_back(0);
  const std::size_t size = locations_[where].order.size();
  if (size == 1 || model_ == memory_model::sc) return;
  const std::size_t last = size - 1 - floor(thread, where);
  for (std::uint32_t d = 1; d <= last; ++d) {
    const bool matches = at(where, d).value == expected;
    if ((matches && can_update(thread, where, d, success)) ||
        ((!matches || may_fail) && can_read(thread, where, d, failure))) {
      out.push_back(static_cast<std::uint16_t>(d));
    }
  }
}

/// A new event of the thread, with everything but what it read and wrote.
event& graph::append(std::uint32_t thread, location_id where, event_kind kind, const access& a) {
  if (event_count_ == events_.size()) events_.resize(events_.size() * 2 + 64);
  thread_view& view = threads_[thread];
  before_ = view.clock;
  if (where == no_id || where != view.last_location) {
    view.before_run = view.clock;
    view.last_location = where;
  }
  before_run_ = view.before_run;

  event& e = events_[event_count_];
  e.thread = static_cast<std::uint16_t>(thread);
  e.index = ++view.clock.known[thread];
  e.identity = mix(view.identity, e.index);
  e.source = no_id;
  e.newest = no_id;
  e.location = where;
  e.sc_node = no_id;
  e.kind = kind;
  e.mode = effective(a.mode);
  e.written = a.mode;
  e.name = a.name;
  e.where = a.where;
  view.events.push_back(event_count_);
  if (where != no_id) {
    location& l = locations_[where];
    l.accesses.push_back(event_count_);
    l.plain = l.plain || a.mode == mode::na;
  }
  ++event_count_;
  return e;
}

void graph::receive(thread_view& view, const event& source, mode m) noexcept {
  if (m == mode::na) return;
  if (acquires(m)) {
    view.clock.join(source.message);
  } else {
    view.unacquired.join(source.message);
  }
}

/// What readers of this store will learn. An RMW continues the release sequence of what it read.
void graph::send(event& e, const event* source) noexcept {
  const thread_view& view = threads_[e.thread];
  if (releases(e.mode)) {
    e.message = view.clock;
  } else if (e.mode == mode::na) {
    e.message = {};
  } else {
    e.message = view.fenced;
  }
  if (source != nullptr) e.message.join(source->message);
  e.seen.reset();
  e.seen.index[e.thread] = e.index;
}

void graph::place_in_order(event& e, std::uint32_t slot) {
  const auto id = static_cast<event_id>(&e - events_.data());
  auto& order = locations_[e.location].order;
  e.position = slot;
  const event& before = events_[order[slot - 1]];
  hash_ += mix(before.identity, e.identity ^ 0x6D6FU);
  if (slot == order.size()) {
    order.push_back(id);
    return;
  }
  e.newest = order.back();
  const event& after = events_[order[slot]];
  hash_ -= mix(before.identity, after.identity ^ 0x6D6FU);
  hash_ += mix(e.identity, after.identity ^ 0x6D6FU);
  order.insert(order.begin() + slot, id);
  for (std::size_t p = slot + 1; p < order.size(); ++p) ++events_[order[p]].position;
}

void graph::add_to_hash(const event& e, const event* source) noexcept {
  const std::uint64_t from = source == nullptr ? 0 : source->identity;
  hash_ += mix(e.identity, from * 31 + static_cast<std::uint64_t>(e.kind));
}

/// Closes the event: its clock, and its place in the order of seq_cst events.
void graph::finish(event& e, std::uint32_t later) {
  e.clock = threads_[e.thread].clock;
  if (model_ == memory_model::sc) return;
  const bool sc = e.mode == mode::seq_cst;
  if (!sc && sc_.empty()) return;
  const sc_order::candidate c{.thread = e.thread,
                              .location = e.location,
                              .later = later,
                              .writes = is_write(e.kind),
                              .sc = sc,
                              .self = static_cast<event_id>(&e - events_.data()),
                              .clock = &e.clock,
                              .before = &before_,
                              .before_run = &before_run_};
  e.sc_node = sc_.add(c);
}

event& graph::read(std::uint32_t thread, location_id where, std::uint32_t distance, event_kind kind,
                   const access& a) {
  event& e = append(thread, where, kind, a);
  event& source = at(where, distance);
  e.source = static_cast<event_id>(&source - events_.data());
  e.value = source.value;
  if (distance != 0) e.newest = newest(where);
  receive(threads_[thread], source, e.mode);
  source.seen.add(thread, e.index);
  add_to_hash(e, &source);
  finish(e, source.position + 1);
  return e;
}

event& graph::write(std::uint32_t thread, location_id where, std::uint32_t distance,
                    std::uint64_t value, event_kind kind, const access& a) {
  event& e = append(thread, where, kind, a);
  const auto slot = static_cast<std::uint32_t>(locations_[where].order.size() - distance);
  e.value = value;
  send(e, nullptr);
  place_in_order(e, slot);
  add_to_hash(e, nullptr);
  finish(e, slot + 1);
  return e;
}

event& graph::update(std::uint32_t thread, location_id where, std::uint32_t distance,
                     std::uint64_t value, event_kind kind, const access& a) {
  event& e = append(thread, where, kind, a);
  event& source = at(where, distance);
  e.source = static_cast<event_id>(&source - events_.data());
  e.value = value;
  receive(threads_[thread], source, e.mode);
  source.seen.add(thread, e.index);
  send(e, &source);
  const std::uint32_t slot = source.position + 1;
  place_in_order(e, slot);
  add_to_hash(e, &source);
  finish(e, slot + 1);
  return e;
}

event& graph::fence(std::uint32_t thread, const access& a) {
  event& e = append(thread, no_id, event_kind::fence, a);
  thread_view& view = threads_[thread];
  if (acquires(e.mode)) view.clock.join(view.unacquired);
  if (releases(e.mode)) view.fenced = view.clock;
  e.value = 0;
  add_to_hash(e, nullptr);
  finish(e, 0);
  return e;
}

event& graph::mark(std::uint32_t thread, location_id where, event_id cause, event_kind kind,
                   const access& a) {
  event& e = append(thread, no_id, kind, a);
  location& l = locations_[where];
  e.location = where;
  e.source = cause;
  e.value = 0;
  e.clock = threads_[thread].clock;
  l.queue = mix(l.queue, e.identity);
  hash_ += mix(e.identity, l.queue + (cause == no_id ? 0 : events_[cause].identity));
  return e;
}

event_id graph::unordered_conflict(const event& e) const noexcept {
  const auto& accesses = locations_[e.location].accesses;
  for (std::size_t i = accesses.size(); i-- > 0;) {
    const event& a = events_[accesses[i]];
    if (&a == &e || (e.mode != mode::na && a.mode != mode::na)) continue;
    if (!is_write(e.kind) && !is_write(a.kind)) continue;
    if (!e.clock.covers(a.thread, a.index)) return accesses[i];
  }
  return no_id;
}

}  // namespace racewheel::explore
