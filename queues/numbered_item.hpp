// Items that know who pushed them and when, and the pool they live in: what makes losses visible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/mpsc_queue.hpp"

namespace racewheel {

template <class Platform>
struct numbered_item : mpsc_hook<Platform> {
  std::size_t id = 0;         // its place in the pool
  std::uint64_t payload = 0;  // written just before the push: plain, so publication is checked
};

/// The items of `producers` producers, `per_producer` each, in one block and in the order of ids.
template <class Platform>
class item_pool {
 public:
  using item = numbered_item<Platform>;

  item_pool(std::size_t producers, std::size_t per_producer)
      : per_producer_(per_producer), items_(producers * per_producer) {
    for (std::size_t id = 0; id < items_.size(); ++id) items_[id].id = id;
  }

  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
  [[nodiscard]] std::size_t per_producer() const noexcept { return per_producer_; }
  [[nodiscard]] item& at(std::size_t producer, std::size_t number) noexcept {
    return items_[producer * per_producer_ + number];
  }
  [[nodiscard]] item& operator[](std::size_t id) noexcept { return items_[id]; }

  /// Whether the pointer is one of ours. A broken queue may hand out anything, even its own stub:
  /// ask before looking inside.
  [[nodiscard]] bool owns(const item* p) const noexcept {
    const auto first = reinterpret_cast<std::uintptr_t>(items_.data());
    const auto offset = reinterpret_cast<std::uintptr_t>(p) - first;
    return offset < items_.size() * sizeof(item) && offset % sizeof(item) == 0;
  }

  /// What the payload of an item must be when it comes out.
  [[nodiscard]] static constexpr std::uint64_t payload_of(std::size_t id) noexcept {
    return (id + 1) * 0x9e3779b97f4a7c15u;
  }

 private:
  std::size_t per_producer_;
  std::vector<item> items_;
};

}  // namespace racewheel
