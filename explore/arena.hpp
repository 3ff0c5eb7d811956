// Memory of one execution: blocks stay in quarantine until the execution is over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "explore/vector_clock.hpp"

namespace racewheel::explore {

class arena {
 public:
  struct block {
    std::byte* memory;
    std::size_t size;
    std::size_t alignment;
    std::uint32_t thread;   // who allocated it
    std::uint32_t ordinal;  // the how-manieth of that thread
    bool freed;
    bool reused;            // the memory belongs to a later block now
    vector_clock freed_at;  // what happens before the free
  };

  void reset() noexcept;

  block& allocate(std::size_t size, std::size_t alignment, std::uint32_t thread);
  /// A second block on the memory of a freed one.
  block& reuse(std::size_t index, std::uint32_t thread);
  /// The block that starts at this address, the latest if several did; null if none does.
  [[nodiscard]] block* find(const void* memory) noexcept;
  /// Index of a freed block of this size and alignment, the latest; size() if there is none.
  [[nodiscard]] std::size_t reusable(std::size_t size, std::size_t alignment) const noexcept;
  [[nodiscard]] const std::vector<block>& blocks() const noexcept { return blocks_; }

  /// Memory that is not watched and goes with the execution.
  [[nodiscard]] void* scratch(std::size_t size, std::size_t alignment);

 private:
  struct chunk {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size;
  };

  block& add(std::byte* memory, std::size_t size, std::size_t alignment, std::uint32_t thread);

  std::vector<chunk> chunks_;
  std::size_t chunk_ = 0;
  std::size_t used_ = 0;
  std::vector<block> blocks_;
};

}  // namespace racewheel::explore
