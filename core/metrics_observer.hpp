// An observer that counts: what happened, how late, and where the timeouts are.
#pragma once

#include <boost/histogram.hpp>
#include <cstdint>
#include <mutex>
#include <vector>

#include "core/observer.hpp"
#include "core/site.hpp"

namespace racewheel {

/// What a metrics_observer knows at one moment.
struct timer_metrics {
  std::uint64_t scheduled = 0;  // left the intake queue
  std::uint64_t fired = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t returned = 0;
  std::uint64_t rejected = 0;
  std::uint64_t refused = 0;
  std::uint64_t turns = 0;
  std::uint64_t ticks = 0;
  std::uint64_t missed_ticks = 0;  // replayed because the worker was late
  std::vector<std::uint32_t> per_slot;

  /// Lateness in nanoseconds, in bins that grow by a fifth.
  using lateness_axis =
      boost::histogram::axis::regular<double, boost::histogram::axis::transform::log>;
  using lateness_histogram =
      decltype(boost::histogram::make_histogram(std::declval<lateness_axis>()));
  lateness_histogram lateness = make_lateness();

  [[nodiscard]] static lateness_histogram make_lateness() {
    return boost::histogram::make_histogram(lateness_axis(128, 100.0, 1e12, "lateness, ns"));
  }

  /// Left the queue and not yet final. What is still in the queue counts in timer::pending() only.
  [[nodiscard]] std::uint64_t pending() const noexcept {
    return scheduled - fired - refused - cancelled - returned;
  }

  /// The upper edge of the bin in which the share `q` of all fired timeouts is reached; 0 if none.
  [[nodiscard]] double lateness_quantile_ns(double q) const {
    const auto& axis = lateness.axis(0);
    double total = 0;
    for (auto&& bin : boost::histogram::indexed(lateness, boost::histogram::coverage::all)) {
      total += *bin;
    }
    double seen = 0;
    for (auto&& bin : boost::histogram::indexed(lateness, boost::histogram::coverage::all)) {
      seen += *bin;
      if (seen > 0 && seen >= q * total) return axis.bin(bin.index(0)).upper();
    }
    return 0;
  }
};

/// The worker adds under a mutex of its own that only snapshot() contends for; producers touch
/// nothing unless they are rejected. Timestamps cost a clock read per fired timeout.
template <class Platform>
class metrics_observer {
 public:
  explicit metrics_observer(std::size_t slots) { metrics_.per_slot.resize(slots); }

  void rejected(rejection) noexcept { rejected_.fetch_add(std::uint64_t{1}, rejected_count); }
  void scheduled(std::size_t n) noexcept {
    add([&] { metrics_.scheduled += n; });
  }
  void linked(std::size_t slot) noexcept {
    add([&] { ++metrics_.per_slot[slot]; });
  }
  void unlinked(std::size_t slot) noexcept {
    add([&] { --metrics_.per_slot[slot]; });
  }
  void fired(time_point deadline) noexcept {
    const auto late = static_cast<double>((Platform::now() - deadline).count());
    add([&] {
      ++metrics_.fired;
      metrics_.lateness(late);
    });
  }
  void cancelled() noexcept {
    add([&] { ++metrics_.cancelled; });
  }
  void refused() noexcept {
    add([&] { ++metrics_.refused; });
  }
  void returned() noexcept {
    add([&] { ++metrics_.returned; });
  }
  void turned(std::uint64_t ticks) noexcept {
    add([&] {
      ++metrics_.turns;
      metrics_.ticks += ticks;
      if (ticks > 1) metrics_.missed_ticks += ticks - 1;
    });
  }

  /// Any thread.
  [[nodiscard]] timer_metrics snapshot() const {
    std::lock_guard lock(mutex_);
    timer_metrics copy = metrics_;
    copy.rejected = rejected_.load(rejected_count);
    return copy;
  }

 private:
  /// Relaxed: stat, nothing is decided by it.
  static constexpr site rejected_count{"rejected_count", std::memory_order::relaxed};

  template <class Change>
  void add(Change&& change) noexcept {
    std::lock_guard lock(mutex_);
    change();
  }

  mutable typename Platform::mutex mutex_;
  timer_metrics metrics_;
  typename Platform::template atomic<std::uint64_t> rejected_{0};
};

}  // namespace racewheel
