// RC11's axiom for seq_cst: psc is acyclic.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/event.hpp"

namespace racewheel::explore {

class graph;

/// psc = psc_base u psc_F over the seq_cst accesses and fences (the nodes), kept transitively
/// closed. [LVK17], figure 1:
///   scb      = po u po|!=loc;hb;po|!=loc u hb|loc u mo u fr
///   psc_base = ([Esc] u [Fsc];hb?) ; scb ; ([Esc] u hb?;[Fsc])
///   psc_F    = [Fsc] ; (hb u hb;eco;hb) ; [Fsc]
///
/// A new event has nothing after it in po and hb, so it can only be left of an edge by fr or mo, to
/// stores that it lands or reads before. Reading the newest store and appending are therefore
/// always consistent, and only the other choices are checked.
class sc_order {
 public:
  explicit sc_order(const graph& g) : graph_(g) {}

  /// An access that is about to be added, or was just added.
  struct candidate {
    std::uint32_t thread;
    location_id location;  // none: a fence
    std::uint32_t later;   // first position in modification order that it comes before
    bool writes;
    bool sc;
    event_id self;                   // none while it is only a candidate
    const vector_clock* clock;       // its own
    const vector_clock* before;      // of its thread's events before it
    const vector_clock* before_run;  // of those before its run of accesses to this location
  };

  void reset() noexcept { nodes_.clear(); }
  [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }

  /// May this access be added? Called only where it comes before some store.
  [[nodiscard]] bool allows(const candidate& c) const;

  /// Records the access or fence that was added; answers its node number or none.
  std::uint32_t add(const candidate& c);

 private:
  using bits = std::vector<std::uint64_t>;

  [[nodiscard]] std::size_t words() const noexcept { return stride_; }
  [[nodiscard]] bits no_nodes() const { return bits(stride_, 0); }
  [[nodiscard]] bool reach_any(const bits& from, const bits& to) const;
  [[nodiscard]] bits closure(const bits& from) const;
  [[nodiscard]] bits fences_known(const vector_clock& clock) const;
  [[nodiscard]] bits access_targets(const candidate& c) const;  // edges of the access itself
  [[nodiscard]] bits fence_targets(const candidate& c) const;   // edges of fences before it
  [[nodiscard]] bits access_sources(const candidate& c) const;
  [[nodiscard]] bits fence_sources(const candidate& c) const;
  [[nodiscard]] bool base_edge_to_fence(const event& from, const candidate& c) const;
  void eco_sources(const candidate& c, bits& out) const;
  void connect(const bits& from, const bits& to);
  void grow();

  const graph& graph_;
  std::vector<event_id> nodes_;
  std::vector<std::uint64_t> reach_;  // row i: the nodes after node i
  std::size_t stride_ = 1;
};

}  // namespace racewheel::explore
