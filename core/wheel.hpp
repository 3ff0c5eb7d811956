// The wheel contract: a single-threaded structure with no clock inside.
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>

#include "core/platform.hpp"

namespace racewheel {

/// What a wheel is built from; every wheel takes what it needs.
struct wheel_geometry {
  time_point tick;
  std::size_t slots;  // a power of two
};

struct wheel_traits {
  std::string_view name;
  bool tickless;  // next_expiry() is a deadline, not the end of the current tick
};

/// Receives what advance() finds.
template <class S, class Timeout>
concept wheel_sink = requires(S s, Timeout& t) {
  s.due(t, std::size_t{});  // its deadline has passed; no longer in the wheel, it was in this slot
  s.misplaced(t);  // a broken invariant: it was found in a slot it does not belong to, and moved
};

/// All times are relative to the timer's start. Only the worker calls a wheel.
///   place(t)           by t's deadline; a deadline in the past is due at the next advance. May
///   throw
///                      std::bad_alloc, and then t is not inside
///   remove(t)          t must be inside
///   advance(to, sink)  takes out everything that is due at `to`, in order, and hands it to the
///   sink,
///                      never before its deadline; returns how many ticks passed
///   next_expiry()      when advance() is worth calling again; never when it is empty and tickless
///   drain(each)        takes out everything, with the slot it was in
///   slot_of(t)         where t is, for the observer
template <class W, class Timeout>
concept wheel =
    requires(W w, const W cw, Timeout& t, time_point to, void (*each)(Timeout&, std::size_t)) {
      requires std::constructible_from<W, wheel_geometry>;
      { W::traits } -> std::convertible_to<wheel_traits>;
      w.place(t);
      w.remove(t);
      { cw.next_expiry() } -> std::same_as<time_point>;
      { cw.slot_of(t) } -> std::same_as<std::size_t>;
      { cw.size() } -> std::same_as<std::size_t>;
      w.drain(each);
    };

/// A wheel as a type for a Config to name: a template that waits for its timeout.
template <template <class> class Wheel>
struct wheel_kind {
  template <class Timeout>
  using wheel = Wheel<Timeout>;
};

}  // namespace racewheel
