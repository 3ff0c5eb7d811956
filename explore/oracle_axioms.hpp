// Execution graphs and the axioms that decide which of them a memory model allows.
#pragma once

#include <cstddef>

#include "explore/oracle_relation.hpp"

namespace racewheel::oracle {

/// Events are operations that were executed; an RMW is one event that reads and writes, a failed
/// CAS one that only reads. The initial store of each location comes before everything in po.
struct graph {
  explicit graph(std::size_t events)
      : po(events), same_thread(events), same_location(events), rf(events), mo(events) {}

  event_set reads = 0;
  event_set writes = 0;
  event_set fences = 0;
  event_set plain = 0;     // na accesses
  event_set acquires = 0;  // acq, ar, sc
  event_set releases = 0;  // rel, ar, sc
  event_set sc = 0;
  relation po;  // program order, transitive
  relation same_thread;
  relation same_location;
  relation rf;  // reads from
  relation mo;  // modification order, transitive

  [[nodiscard]] event_set atomics() const noexcept { return (reads | writes) & ~plain; }
  [[nodiscard]] event_set rmws() const noexcept { return reads & writes; }
};

/// (po | sw)+ of RC11, where a release sequence is the store and the RMWs that follow it by reading
/// from each other (C++20). It does not depend on mo.
[[nodiscard]] relation happens_before(const graph& g);

/// What a read must come before: the stores later in mo than the one it reads from.
[[nodiscard]] relation reads_before(const graph& g);

/// [LVKHD17], with the C++20 release sequence: hb irreflexive, coherence, atomicity, psc acyclic,
/// no po | rf cycle. `hb` is happens_before(g).
[[nodiscard]] bool consistent_rc11(const graph& g, const relation& hb);

/// One total order explains all: po | rf | mo | rb is acyclic.
[[nodiscard]] bool consistent_sc(const graph& g);

/// Two accesses of different threads to one location, one of them a write, one of them plain, and
/// neither happens before the other.
[[nodiscard]] bool races(const graph& g, const relation& hb);

/// The pairs that every mo must contain for the graph to be coherent, given the order `hb` (any
/// order that executions must respect). Needs no mo; only there to leave the hopeless out early.
[[nodiscard]] relation forced_mo(const graph& g, const relation& hb);

}  // namespace racewheel::oracle
