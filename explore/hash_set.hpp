// A set of 64-bit hashes: open addressing, nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace racewheel::explore {

class hash_set {
 public:
  /// True: it is new.
  bool insert(std::uint64_t hash) {
    if (hash == 0) hash = 1;  // 0 marks an empty place
    if ((count_ + 1) * 2 > places_.size()) grow();
    return place(hash);
  }

  [[nodiscard]] std::size_t size() const noexcept { return count_; }

 private:
  bool place(std::uint64_t hash) {
    const std::size_t mask = places_.size() - 1;
    std::size_t i = static_cast<std::size_t>(hash) & mask;
    while (places_[i] != 0) {
      if (places_[i] == hash) return false;
      i = (i + 1) & mask;
    }
    places_[i] = hash;
    ++count_;
    return true;
  }

  void grow() {
    std::vector<std::uint64_t> old(places_.empty() ? 1024 : places_.size() * 2, 0);
    old.swap(places_);
    count_ = 0;
    for (const std::uint64_t hash : old) {
      if (hash != 0) place(hash);
    }
  }

  std::vector<std::uint64_t> places_;
  std::size_t count_ = 0;
};

}  // namespace racewheel::explore
