// How a search decides: the interface of strategies and their registry.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "explore/event.hpp"
#include "explore/explorer.hpp"

namespace racewheel::explore {

/// thread: who runs next. read: which store. slot: where a store lands. spurious: does a weak
/// compare-exchange fail. wake: whom notify_one wakes. reuse: does an allocation get a freed block.
enum class choice_kind : std::uint8_t { thread, read, slot, spurious, wake, reuse };

/// What a thread is about to do; published before it is scheduled.
enum class operation : std::uint8_t {
  load,
  store,
  rmw,
  cas,
  fence,
  lock,
  try_lock,
  unlock,
  signal,
  wait,
  now,
  notify,
  resume,
  spin,
  join,
};

struct pending_operation {
  explore::operation operation = explore::operation::fence;
  bool writes = false;
  explore::mode mode = explore::mode::relaxed;
  location_id location = no_id;
  const char* name = nullptr;
  std::source_location where{};
};

/// What a strategy may look at when it decides.
class search_state {
 public:
  [[nodiscard]] virtual std::uint64_t graph_hash() const noexcept = 0;
  [[nodiscard]] virtual const pending_operation& pending(std::uint32_t thread) const noexcept = 0;
  /// The thread that makes time pass, if the execution has one.
  [[nodiscard]] virtual std::uint32_t clock_thread() const noexcept = 0;

 protected:
  ~search_state() = default;
};

/// The first option is the default: keep running the same thread, read the newest store, append the
/// store, no spurious failure, no time jump, no reuse. Options of kind thread are thread numbers,
/// those of kind read and slot distances from the newest.
struct choice {
  choice_kind kind;
  std::span<const std::uint16_t> options;
  const search_state& state;
};

enum class execution_end : std::uint8_t { complete, pruned, step_limit, finding };

class strategy {
 public:
  /// choose() answers this when nothing new can follow. The execution still runs to its end, by the
  /// default choices and without asking again, so that its destructors run; but it does not count.
  static constexpr std::uint32_t prune = 0xFFFFFFFF;
  /// choose() answers this to end the execution where it stands.
  static constexpr std::uint32_t stop = 0xFFFFFFFE;

  virtual ~strategy() = default;
  /// Before each execution. False: everything was searched.
  virtual bool start() = 0;
  /// An index into the options.
  virtual std::uint32_t choose(const choice& c) = 0;
  virtual void finish(execution_end) {}
};

struct strategy_entry {
  std::string_view name;
  std::string_view summary;
  bool exhaustive;  // start() eventually answers false
  std::unique_ptr<strategy> (*make)(const options& o);
};

/// The registry of strategies.
[[nodiscard]] std::span<const strategy_entry> strategies() noexcept;
[[nodiscard]] const strategy_entry* find_strategy(std::string_view name) noexcept;

std::unique_ptr<strategy> make_dfs(const options& o);
std::unique_ptr<strategy> make_random(const options& o);
std::unique_ptr<strategy> make_pos(const options& o);

}  // namespace racewheel::explore
