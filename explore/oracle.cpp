#include "explore/oracle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "explore/oracle_axioms.hpp"

namespace racewheel::oracle {
namespace {

using litmus::kind;
using litmus::operation;
using litmus::order;
using litmus::value;

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// An operation of the program, or the initial store of a location (no operation).
struct event {
  const operation* op = nullptr;
  std::size_t thread = none;
  std::size_t index = 0;  // in its thread
  std::size_t location = none;

  [[nodiscard]] bool reads() const { return op != nullptr && op->result.has_value(); }
  [[nodiscard]] bool may_write() const {
    return op == nullptr || (op->what != kind::load && op->what != kind::fence);
  }
};

/// What has been decided about an event.
struct fate {
  bool open = true;      // not yet reached, or waiting for the value it reads
  bool happens = false;  // false and not open: skipped
  bool writes = false;   // if open: somebody reads from it, so it has to
  order as = order::rlx;
  std::size_t source = none;  // of a read, chosen before the value is known
  value read = 0;
  value written = 0;
};

/// Chooses a source for one read after the other and runs the threads as far as the known values
/// carry them. Each complete choice is one (po, rf); the modification orders are tried on top.
class enumerator {
 public:
  enumerator(const litmus::program& p, litmus::memory memory, pruning prune)
      : program_(p), memory_(memory), prune_(prune == pruning::on) {
    for (std::size_t l = 0; l < p.locations.size(); ++l) {
      events_.push_back({.location = l});
      writers_.push_back({l});
    }
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
      first_of_.push_back(events_.size());
      for (std::size_t i = 0; i < p.threads[t].size(); ++i) {
        const operation& op = p.threads[t][i];
        const std::size_t at = op.what == kind::fence ? none : op.location;
        events_.push_back({.op = &op, .thread = t, .index = i, .location = at});
        if (events_.back().may_write()) writers_[at].push_back(events_.size() - 1);
      }
    }
    if (events_.size() > max_events) {
      throw std::length_error(
          fmt::format("the oracle takes {} operations and locations together, not {}", max_events,
                      events_.size()));
    }
  }

  litmus::result run() {
    std::vector<fate> fates(events_.size());
    for (std::size_t l = 0; l < program_.locations.size(); ++l) {
      fates[l] = {.open = false, .happens = true, .writes = true, .as = order::na};
    }
    branch(std::move(fates));
    return std::move(result_);
  }

 private:
  using fate_list = std::vector<fate>;

  void branch(fate_list fates) {
    if (!run_threads(fates)) return;
    const std::size_t read = next_question(fates);
    if (read == none) {
      const bool stuck = std::any_of(fates.begin(), fates.end(), [](auto& f) { return f.open; });
      if (!stuck) try_modification_orders(fates);  // stuck: values in a circle, a po | rf cycle
      return;
    }
    for (const std::size_t source : writers_[events_[read].location]) {
      const fate& f = fates[source];
      if (source == read || (!f.open && !f.writes)) continue;
      fate_list next = fates;
      next[read].source = source;
      next[source].writes = true;
      if (plausible(next)) branch(std::move(next));
    }
  }

  /// False if somebody reads from an operation that turns out not to write.
  bool run_threads(fate_list& fates) const {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t t = 0; t < program_.threads.size(); ++t) {
        for (std::size_t i = 0; i < program_.threads[t].size(); ++i) {
          const std::size_t e = first_of_[t] + i;
          if (!fates[e].open) continue;
          const bool must_write = fates[e].writes;
          if (!execute(e, fates)) break;
          if (must_write && !fates[e].writes) return false;
          moved = true;
        }
      }
    }
    return true;
  }

  /// False if it has to wait for its source.
  bool execute(std::size_t e, fate_list& fates) const {
    const operation& op = *events_[e].op;
    fate& f = fates[e];
    const auto argument = evaluate(op.argument, e, fates);
    const auto expected = evaluate(op.expected, e, fates);
    if (!argument || !expected || !condition_holds(op, e, fates)) {
      f = {.open = false};
      return true;
    }
    if (events_[e].reads()) {
      if (f.source == none || fates[f.source].open) return false;
      f.read = fates[f.source].written;
    }
    f.open = false;
    f.happens = true;
    f.as = op.success;
    f.writes = events_[e].may_write();
    f.written = *argument;
    if (op.what == kind::fetch_add) {
      f.written = static_cast<value>(static_cast<std::uint64_t>(f.read) +
                                     static_cast<std::uint64_t>(*argument));
    }
    if (op.what == kind::compare_exchange && f.read != *expected) {
      f.writes = false;
      f.as = op.failure;
    }
    return true;
  }

  [[nodiscard]] std::optional<value> register_of(std::size_t e, std::size_t reg,
                                                 const fate_list& fates) const {
    for (std::size_t before = first_of_[events_[e].thread];; ++before) {
      if (events_[before].op->result != reg) continue;
      return fates[before].happens ? std::optional(fates[before].read) : std::nullopt;
    }
  }

  [[nodiscard]] std::optional<value> evaluate(const litmus::operand& o, std::size_t e,
                                              const fate_list& fates) const {
    return o.reg ? register_of(e, *o.reg, fates) : o.literal;
  }

  [[nodiscard]] bool condition_holds(const operation& op, std::size_t e,
                                     const fate_list& fates) const {
    return !op.only_if || register_of(e, op.only_if->reg, fates) == op.only_if->equals;
  }

  /// The first read that a thread has reached and that has no source yet.
  [[nodiscard]] std::size_t next_question(const fate_list& fates) const {
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      for (std::size_t i = 0; i < program_.threads[t].size(); ++i) {
        const std::size_t e = first_of_[t] + i;
        if (!fates[e].open) continue;
        if (fates[e].source == none) return e;
        break;
      }
    }
    return none;
  }

  /// The graph of what is decided so far; an open event is in it if it has a source or a reader.
  /// Open events synchronise with nobody yet, so hb can only grow.
  [[nodiscard]] graph graph_of(const fate_list& fates) const {
    graph g(events_.size());
    event_set present = 0;
    for (std::size_t e = 0; e < events_.size(); ++e) {
      const fate& f = fates[e];
      if (f.open ? f.source == none && !f.writes : !f.happens) continue;
      present |= single(e);
      const bool reads = events_[e].reads() && f.source != none;
      if (reads) g.rf.add(f.source, e);
      if (reads) g.reads |= single(e);
      if (f.writes) g.writes |= single(e);
      if (events_[e].location == none) g.fences |= single(e);
      if (f.open) continue;
      if (f.as == order::na) g.plain |= single(e);
      if (f.as == order::sc) g.sc |= single(e);
      if (f.as == order::acq || f.as == order::ar || f.as == order::sc) g.acquires |= single(e);
      if (f.as == order::rel || f.as == order::ar || f.as == order::sc) g.releases |= single(e);
    }
    for_each(present,
             [&](std::size_t a) { for_each(present, [&](std::size_t b) { relate(g, a, b); }); });
    return g;
  }

  void relate(graph& g, std::size_t a, std::size_t b) const {
    const event& x = events_[a];
    const event& y = events_[b];
    const bool same_thread = x.thread == y.thread && x.thread != none;
    if (same_thread) g.same_thread.add(a, b);
    if (a != b && x.location == y.location && x.location != none) g.same_location.add(a, b);
    if ((x.op == nullptr && y.op != nullptr) || (same_thread && x.index < y.index)) g.po.add(a, b);
  }

  /// What all consistent executions with this rf respect, before any mo is known.
  [[nodiscard]] relation order_of(const graph& g) const {
    return memory_ == litmus::memory::sc ? (g.po | g.rf).closure() : happens_before(g);
  }

  /// False only if no completion can be consistent.
  [[nodiscard]] bool plausible(const fate_list& fates) const {
    if (!prune_) return true;
    const graph g = graph_of(fates);
    if (!(g.po | g.rf).acyclic()) return false;
    return forced_mo(g, order_of(g)).irreflexive();
  }

  [[nodiscard]] bool consistent(const graph& g, const relation& hb) const {
    return memory_ == litmus::memory::sc ? consistent_sc(g) : consistent_rc11(g, hb);
  }

  void try_modification_orders(const fate_list& fates) {
    candidate c{graph_of(fates), relation(events_.size()), relation(events_.size()), &fates, {}};
    c.hb = happens_before(c.g);
    if (prune_) c.forced = forced_mo(c.g, order_of(c.g));
    if (!c.forced.irreflexive()) return;
    c.raced = races(c.g, c.hb);
    order_location(c, 0);
  }

  /// An execution that lacks only its modification orders.
  struct candidate {
    graph g;
    relation hb;
    relation forced;
    const fate_list* fates;
    std::vector<value> final_values;  // of the locations that are ordered
    bool raced = false;
  };

  void order_location(candidate& c, std::size_t location) {
    if (location == program_.locations.size()) {
      if (consistent(c.g, c.hb)) record(c);
      return;
    }
    if (prune_ && location != 0 && !consistent(c.g, c.hb)) return;  // more mo only adds cycles
    event_set stores = 0;
    for (const std::size_t w : writers_[location]) {
      if ((*c.fates)[w].writes) stores |= single(w);
    }
    const event_set initial = single(location);  // comes first
    place_next(c, location, location, initial, stores & ~initial);
  }

  /// Appends each store that may come right after `last` in turn.
  void place_next(candidate& c, std::size_t location, std::size_t last, event_set placed,
                  event_set left) {
    if (left == 0) {
      c.final_values.push_back((*c.fates)[last].written);
      order_location(c, location + 1);
      c.final_values.pop_back();
      return;
    }
    const relation before = c.g.mo;
    for_each(prune_ ? may_follow(c, last, left) : left, [&](std::size_t w) {
      for_each(placed, [&](std::size_t earlier) { c.g.mo.add(earlier, w); });
      place_next(c, location, w, placed | single(w), left & ~single(w));
      c.g.mo = before;
    });
  }

  /// An RMW stands right after what it reads, and nothing overtakes what is forced to be earlier.
  [[nodiscard]] event_set may_follow(const candidate& c, std::size_t last, event_set left) const {
    const event_set rmws = c.g.rmws() & left;
    const event_set readers = c.g.rf.after(last) & rmws;
    event_set candidates = readers != 0 ? readers : left & ~rmws;
    for_each(left, [&](std::size_t w) { candidates &= ~c.forced.after(w); });
    return candidates;
  }

  void record(const candidate& c) {
    ++result_.graphs;
    result_.data_race |= c.raced;
    litmus::outcome o;
    for (std::size_t e = 0; e < events_.size(); ++e) {
      if (!events_[e].reads()) continue;
      const fate& f = (*c.fates)[e];
      o.push_back(f.happens ? std::optional(f.read) : std::nullopt);
    }
    o.insert(o.end(), c.final_values.begin(), c.final_values.end());
    result_.outcomes.insert(std::move(o));
  }

  const litmus::program& program_;
  const litmus::memory memory_;
  const bool prune_;
  std::vector<event> events_;  // the initial stores by location, then the operations by thread
  std::vector<std::size_t> first_of_;              // thread -> its first event
  std::vector<std::vector<std::size_t>> writers_;  // location -> all that may write it
  litmus::result result_;
};

}  // namespace

litmus::result enumerate(const litmus::program& p, litmus::memory memory, pruning prune) {
  return enumerator(p, memory, prune).run();
}

}  // namespace racewheel::oracle
