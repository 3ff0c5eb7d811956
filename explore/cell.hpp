// A word of shared memory under the model: what atomics are made of, and what litmus tests use.
#pragma once

#include <cstdint>

#include "explore/access.hpp"

namespace racewheel::explore {

using word = std::uint64_t;

/// One location. Values are words; explore::atomic<T> puts a type on top. Every access is a visible
/// operation, and so a scheduling point.
class cell {
 public:
  explicit cell(word initial, bool is_pointer = false);
  ~cell();
  cell(const cell&) = delete;
  cell& operator=(const cell&) = delete;

  [[nodiscard]] word load(access a) const;
  void store(word value, access a);
  /// Reads a word and writes update(read, operand) & mask in one event; answers what it read.
  word modify(rmw_kind kind, word operand, word mask, access a);
  /// True: swapped. False: `expected` is what was read, which may be stale; the load has the order
  /// of `failure`.
  bool compare_exchange(word& expected, word desired, access success, access failure, bool weak);

  /// Sleeps while the newest value is `old`, until notified.
  void wait(word old, access a) const;
  void notify(bool all, access a);

  /// Not an access: the last value in modification order so far. For final values.
  [[nodiscard]] word latest() const;

  [[nodiscard]] location_handle handle() const noexcept { return handle_; }

 private:
  location_handle handle_;
};

/// A stand-alone fence.
void fence(access a);

}  // namespace racewheel::explore
