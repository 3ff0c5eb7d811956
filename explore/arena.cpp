#include "explore/arena.hpp"

#include <algorithm>
#include <cstring>

namespace racewheel::explore {

namespace {
constexpr std::size_t chunk_size = 256 * 1024;
}

void arena::reset() noexcept {
  chunk_ = 0;
  used_ = 0;
  blocks_.clear();
}

void* arena::scratch(std::size_t size, std::size_t alignment) {
  for (;; ++chunk_, used_ = 0) {
    if (chunk_ == chunks_.size()) {
      const std::size_t room = std::max(chunk_size, size + alignment);
      chunks_.push_back({std::make_unique<std::byte[]>(room), room});
    }
    const chunk& c = chunks_[chunk_];
    const auto base = reinterpret_cast<std::uintptr_t>(c.memory.get());
    const std::uintptr_t start = (base + used_ + alignment - 1) & ~(alignment - 1);
    if (start + size <= base + c.size) {
      used_ = start + size - base;
      return reinterpret_cast<void*>(start);
    }
  }
}

arena::block& arena::add(std::byte* memory, std::size_t size, std::size_t alignment,
                         std::uint32_t thread) {
  const auto mine = std::count_if(blocks_.begin(), blocks_.end(),
                                  [&](const block& b) { return b.thread == thread; });
  std::memset(memory, 0xCD, size);  // what is read uninitialised is at least the same every time
  return blocks_.emplace_back(block{.memory = memory,
                                    .size = size,
                                    .alignment = alignment,
                                    .thread = thread,
                                    .ordinal = static_cast<std::uint32_t>(mine) + 1,
                                    .freed = false,
                                    .reused = false,
                                    .freed_at = {}});
}

arena::block& arena::allocate(std::size_t size, std::size_t alignment, std::uint32_t thread) {
  // At least a byte, so that every block has an address of its own.
  auto* const memory = static_cast<std::byte*>(scratch(std::max<std::size_t>(size, 1), alignment));
  return add(memory, size, alignment, thread);
}

arena::block& arena::reuse(std::size_t index, std::uint32_t thread) {
  blocks_[index].reused = true;
  return add(blocks_[index].memory, blocks_[index].size, blocks_[index].alignment, thread);
}

arena::block* arena::find(const void* memory) noexcept {
  const auto found = std::find_if(blocks_.rbegin(), blocks_.rend(),
                                  [&](const block& b) { return b.memory == memory; });
  return found == blocks_.rend() ? nullptr : &*found;
}

std::size_t arena::reusable(std::size_t size, std::size_t alignment) const noexcept {
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    const block& b = blocks_[i];
    if (b.freed && !b.reused && b.size == size && b.alignment == alignment) return i;
  }
  return blocks_.size();
}

}  // namespace racewheel::explore
