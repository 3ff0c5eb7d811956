#include "explore/sc_order.hpp"

#include "explore/graph.hpp"

namespace racewheel::explore {

namespace {
void set(std::vector<std::uint64_t>& b, std::uint32_t i) {
  b[i / 64] |= std::uint64_t{1} << (i % 64);
}
bool test(const std::uint64_t* b, std::uint32_t i) { return (b[i / 64] >> (i % 64) & 1U) != 0; }

bool intersect(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((a[i] & b[i]) != 0) return true;
  }
  return false;
}

void unite(std::vector<std::uint64_t>& into, const std::vector<std::uint64_t>& other) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] |= other[i];
}

/// The position in modification order that an access speaks of: its own, or that of what it read.
std::uint32_t position(const graph& g, const event& e) {
  return is_write(e.kind) ? e.position : g.get(e.source).position;
}
}  // namespace

bool sc_order::allows(const candidate& c) const {
  const bits before = fences_known(*c.clock);
  const bits from_fences = closure(fence_targets(c));
  if (intersect(from_fences, before)) return false;
  if (!c.sc) return true;
  const bits sources = access_sources(c);
  const bits after = closure(access_targets(c));
  if (intersect(after, sources)) return false;
  // From the access to a fence before it, on by one of the fence's new edges, and back.
  return !(intersect(after, before) && intersect(from_fences, sources));
}

std::uint32_t sc_order::add(const candidate& c) {
  std::uint32_t node = no_id;
  const bool early = c.location != no_id && c.later < graph_.place(c.location).order.size();
  if (c.sc) {
    const bits sources = c.location == no_id ? fence_sources(c) : access_sources(c);
    node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(c.self);
    grow();
    bits self = no_nodes();
    set(self, node);
    bits from = sources;
    from.resize(stride_, 0);
    connect(from, self);
    if (early) connect(self, access_targets(c));
  }
  if (early && !nodes_.empty()) {
    bits before = fences_known(*c.clock);
    connect(before, fence_targets(c));
  }
  return node;
}

/// Room for one more row.
void sc_order::grow() {
  if (nodes_.size() == 1) stride_ = 1;
  if (nodes_.size() > stride_ * 64) {
    const std::size_t old = stride_;
    stride_ *= 2;
    std::vector<std::uint64_t> wider(nodes_.size() * stride_, 0);
    for (std::size_t i = 0; i + 1 < nodes_.size(); ++i) {
      for (std::size_t w = 0; w < old; ++w) wider[i * stride_ + w] = reach_[i * old + w];
    }
    reach_ = std::move(wider);
    return;
  }
  if (reach_.size() < nodes_.size() * stride_) reach_.resize(nodes_.size() * stride_);
  for (std::size_t w = 0; w < stride_; ++w) reach_[(nodes_.size() - 1) * stride_ + w] = 0;
}

/// Adds the edges from x to, keeping the relation closed.
void sc_order::connect(const bits& from, const bits& to) {
  const bits all = closure(to);
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    std::uint64_t* const row = &reach_[i * stride_];
    bool leads = test(from.data(), i);
    for (std::size_t w = 0; w < stride_ && !leads; ++w) leads = (row[w] & from[w]) != 0;
    if (!leads) continue;
    for (std::size_t w = 0; w < stride_; ++w) row[w] |= all[w];
  }
}

/// The nodes and all that comes after them.
sc_order::bits sc_order::closure(const bits& from) const {
  bits all = from;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!test(from.data(), i)) continue;
    for (std::size_t w = 0; w < stride_; ++w) all[w] |= reach_[i * stride_ + w];
  }
  return all;
}

sc_order::bits sc_order::fences_known(const vector_clock& clock) const {
  bits known = no_nodes();
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const event& node = graph_.get(nodes_[i]);
    if (node.kind == event_kind::fence && clock.covers(node.thread, node.index)) set(known, i);
  }
  return known;
}

/// scb by fr or mo to each later store w: w itself if seq_cst, and the fences that know w.
sc_order::bits sc_order::access_targets(const candidate& c) const {
  bits targets = no_nodes();
  const auto& order = graph_.place(c.location).order;
  for (std::size_t p = c.later; p < order.size(); ++p) {
    const event& w = graph_.get(order[p]);
    if (order[p] == c.self) continue;
    if (w.sc_node != no_id) set(targets, w.sc_node);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const event& node = graph_.get(nodes_[i]);
      if (node.kind == event_kind::fence && node.clock.covers(w.thread, w.index)) set(targets, i);
    }
  }
  return targets;
}

/// The same, and by psc_F also the fences that know a reader of w.
sc_order::bits sc_order::fence_targets(const candidate& c) const {
  bits targets = access_targets(c);
  const auto& order = graph_.place(c.location).order;
  for (std::size_t p = c.later; p < order.size(); ++p) {
    if (order[p] == c.self) continue;
    const event& w = graph_.get(order[p]);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const event& node = graph_.get(nodes_[i]);
      if (node.kind == event_kind::fence && w.seen.known_to(node.clock)) set(targets, i);
    }
  }
  return targets;
}

/// psc_base into a new seq_cst access.
sc_order::bits sc_order::access_sources(const candidate& c) const {
  bits sources = fences_known(*c.before);  // [Fsc];hb?;po
  for (const event_id id : graph_.place(c.location).accesses) {
    const event& a = graph_.get(id);
    if (id == c.self) continue;
    const bool hb = c.clock->covers(a.thread, a.index);              // hb|loc
    const bool earlier = c.writes && position(graph_, a) < c.later;  // mo, fr
    if (!hb && !earlier) continue;
    if (a.sc_node != no_id) set(sources, a.sc_node);
    unite(sources, fences_known(a.clock));
  }
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const event& a = graph_.get(nodes_[i]);
    if (a.kind == event_kind::fence) continue;
    if (a.thread == c.thread) {  // po
      set(sources, i);
      continue;
    }
    // po|!=loc;hb;po|!=loc: its first later event elsewhere is known to my last event elsewhere
    const auto& events = graph_.thread(a.thread).events;
    for (std::uint32_t next = a.index; next < events.size(); ++next) {
      const event_id id = events[next];
      if (id != no_id && graph_.get(id).location == a.location) continue;
      if (c.before_run->covers(a.thread, next + 1)) set(sources, i);
      break;
    }
  }
  return sources;
}

/// psc_base and psc_F into a new seq_cst fence.
sc_order::bits sc_order::fence_sources(const candidate& c) const {
  bits sources = fences_known(*c.before);
  bool fences = false;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const event& a = graph_.get(nodes_[i]);
    if (a.kind == event_kind::fence) {
      fences = true;
    } else if (base_edge_to_fence(a, c)) {
      set(sources, i);
    }
  }
  unite(sources, fences_known(*c.clock));  // hb
  if (fences) eco_sources(c, sources);
  return sources;
}

/// A ; scb ; hb? ; fence for a seq_cst access A.
bool sc_order::base_edge_to_fence(const event& from, const candidate& c) const {
  if (c.clock->covers(from.thread, from.index + 1U)) return true;  // po
  const std::uint32_t at = position(graph_, from);
  for (const event_id id : graph_.place(from.location).accesses) {
    const event& b = graph_.get(id);
    if (&b == &from || !c.clock->covers(b.thread, b.index)) continue;
    if (b.clock.covers(from.thread, from.index)) return true;  // hb|loc
    if (is_write(b.kind) && b.position > at) return true;      // mo, fr
  }
  return false;
}

/// hb;eco;hb: fences before an access that comes, in eco, before something the new fence knows.
void sc_order::eco_sources(const candidate& c, bits& out) const {
  for (location_id l = 0; l < graph_.location_count(); ++l) {
    const auto& order = graph_.place(l).order;
    std::size_t known = order.size();  // one more than the position of the newest known store
    while (known > 0 && !graph_.get(order[known - 1]).seen.known_to(*c.clock)) --known;
    if (known == 0) continue;
    for (const event_id id : graph_.place(l).accesses) {
      const event& a = graph_.get(id);
      const std::uint32_t at = position(graph_, a);
      if (is_write(a.kind) ? at < known : at + 1 < known) unite(out, fences_known(a.clock));
    }
  }
}

}  // namespace racewheel::explore
