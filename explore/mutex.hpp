// A mutex of virtual threads.
#pragma once

#include "core/access.hpp"
#include "explore/cell.hpp"

namespace racewheel::explore {

/// Locking twice deadlocks, unlocking what one does not hold is reported.
class mutex {
 public:
  mutex() : cell_(0) {}

  void lock() noexcept;
  [[nodiscard]] bool try_lock() noexcept;
  void unlock() noexcept;

 private:
  cell cell_;
};

}  // namespace racewheel::explore
