#include "explore/oracle_axioms.hpp"

namespace racewheel::oracle {
namespace {

/// [set]
relation identity_on(event_set set, const graph& g) {
  relation r(g.po.size());
  for_each(set, [&](std::size_t e) { r.add(e, e); });
  return r;
}

/// psc = psc_base | psc_F: what seq_cst events and fences must agree on in one order.
relation partial_sc(const graph& g, const relation& hb, const relation& rb, const relation& eco) {
  const event_set all = ~event_set{0};
  const event_set sc_fences = g.sc & g.fences;
  const relation po_elsewhere = g.po - g.same_location;
  const relation scb =
      g.po | compose(compose(po_elsewhere, hb), po_elsewhere) | (hb & g.same_location) | g.mo | rb;
  const relation start = identity_on(g.sc, g) | hb.optional().between(sc_fences, all);
  const relation finish = identity_on(g.sc, g) | hb.optional().between(all, sc_fences);
  const relation psc_base = compose(compose(start, scb), finish);
  const relation psc_fences = (hb | compose(compose(hb, eco), hb)).between(sc_fences, sc_fences);
  return psc_base | psc_fences;
}

}  // namespace

relation happens_before(const graph& g) {
  const event_set atomic_writes = g.writes & g.atomics();
  const event_set atomic_reads = g.reads & g.atomics();
  const event_set all = ~event_set{0};
  const relation release =
      identity_on(g.writes & g.releases, g) | g.po.between(g.fences & g.releases, atomic_writes);
  const relation sequence = g.rf.between(atomic_writes, g.rmws()).closure().optional();
  const relation acquire =
      identity_on(g.reads & g.acquires, g) | g.po.between(atomic_reads, g.fences & g.acquires);
  const relation sw =
      compose(compose(compose(release, sequence), g.rf.between(all, atomic_reads)), acquire);
  return (g.po | sw).closure();
}

relation reads_before(const graph& g) {
  relation rb = compose(g.rf.inverse(), g.mo);
  return rb -
         identity_on(g.rmws(), g);  // an RMW comes right after what it reads, not before itself
}

bool consistent_rc11(const graph& g, const relation& hb) {
  const relation rb = reads_before(g);
  const relation eco = (g.rf | g.mo | rb).closure();
  if (!hb.irreflexive()) return false;
  if (!eco.irreflexive() || !compose(hb, eco).irreflexive()) return false;  // coherence
  if (!compose(rb, g.mo).irreflexive()) return false;                       // atomicity
  if (!(g.po | g.rf).acyclic()) return false;                               // no thin air
  return g.sc == 0 || partial_sc(g, hb, rb, eco).acyclic();
}

bool consistent_sc(const graph& g) { return (g.po | g.rf | g.mo | reads_before(g)).acyclic(); }

bool races(const graph& g, const relation& hb) {
  const relation ordered = hb | hb.inverse() | g.same_thread;
  const relation unordered = g.same_location - ordered;
  return !unordered.between(g.writes, g.plain).empty() ||
         !unordered.between(g.writes & g.plain, g.reads | g.writes).empty();
}

relation forced_mo(const graph& g, const relation& hb) {
  const relation here = hb & g.same_location;
  const relation source = g.rf.inverse();
  const relation same_source = identity_on(g.writes, g);
  const relation write_read = compose(here.between(g.writes, g.reads), source) - same_source;
  const relation read_read =
      compose(compose(g.rf, here.between(g.reads, g.reads)), source) - same_source;
  const relation read_write = compose(g.rf, here.between(g.reads, g.writes));
  relation mo = (here.between(g.writes, g.writes) | write_read | read_read | read_write |
                 g.rf.between(g.writes, g.rmws()))
                    .closure();
  // Nothing fits between an RMW and what it reads: what follows one follows the other.
  for_each(g.rmws(), [&](std::size_t rmw) {
    for_each(source.after(rmw), [&](std::size_t from) {
      for_each(mo.after(from) & ~single(rmw), [&](std::size_t later) { mo.add(rmw, later); });
    });
  });
  return mo.closure();
}

}  // namespace racewheel::oracle
