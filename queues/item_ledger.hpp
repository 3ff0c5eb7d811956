// What came out of a queue, held against what went in: by id, never by a sum.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace racewheel {

/// Checks conservation and per-producer order of a finished run. Ids are numbered producer by
/// producer: id = producer * per_producer + number.
class item_ledger {
 public:
  item_ledger(std::size_t producers, std::size_t per_producer)
      : per_producer_(per_producer), next_(producers, 0), seen_(producers * per_producer, false) {}

  /// Enters the next item that came out. Keeps the first violation.
  void enter(std::size_t id) {
    if (seen_[id]) return report(name(id) + " came out twice");
    seen_[id] = true;
    ++count_;
    std::size_t& next = next_[id / per_producer_];
    if (id % per_producer_ != next) {
      report(name(id) + " came out where item " + std::to_string(next) +
             " of the same producer was due");
    }
    next = id % per_producer_ + 1;
  }

  /// The first violation of order or conservation, or nothing; call it when all is drained.
  [[nodiscard]] std::optional<std::string> finish() {
    if (count_ != seen_.size()) {
      std::size_t first = 0;
      while (seen_[first]) ++first;
      report(std::to_string(seen_.size() - count_) + " of " + std::to_string(seen_.size()) +
             " items were lost, first " + name(first));
    }
    return violation_;
  }

 private:
  [[nodiscard]] std::string name(std::size_t id) const {
    return "item " + std::to_string(id % per_producer_) + " of producer " +
           std::to_string(id / per_producer_);
  }
  void report(std::string what) {
    if (!violation_) violation_ = std::move(what);
  }

  std::size_t per_producer_;
  std::size_t count_ = 0;
  std::vector<std::size_t> next_;
  std::vector<bool> seen_;
  std::optional<std::string> violation_;
};

}  // namespace racewheel
