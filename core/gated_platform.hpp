// Holds a chosen thread at a named site, to force an interleaving in a test on real threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/instrumented_platform.hpp"

namespace racewheel {

/// Which threads a gate stops: those that took this role with gated_platform::set_role. Empty: any.
struct thread_role {
  std::string name;
};

/// The lock, the list and the waiting behind all gates of the process. A held thread waits on the
/// condition variable and holds no lock of ours.
class gating_probe {
 public:
  struct hold {
    std::string site;
    std::optional<access> kind;
    std::string role;
    std::size_t skip;
    bool held = false;     // somebody is or was stopped
    bool open = false;     // nobody is stopped any more
    bool expired = false;  // nobody opened in time: let go, so that a failing test ends
  };

  static void before(access kind, site s) noexcept {
    // Relaxed, so that without gates no edge is added; a thread that was started after a gate was
    // made sees the gate.
    if (gates_.load(std::memory_order::relaxed) != 0) pass(kind, s);
  }
  static void after(access, site, bool) noexcept {}

  static void set_role(std::string role) { role_ = std::move(role); }

  static void add(std::shared_ptr<hold> h) {
    std::lock_guard lock(mutex_);
    holds_.push_back(std::move(h));
    gates_.store(holds_.size(), std::memory_order::relaxed);
  }
  static void remove(const std::shared_ptr<hold>& h) {
    {
      std::lock_guard lock(mutex_);
      h->open = true;
      std::erase(holds_, h);
      gates_.store(holds_.size(), std::memory_order::relaxed);
    }
    changed_.notify_all();
  }
  static void open(hold& h) {
    {
      std::lock_guard lock(mutex_);
      h.open = true;
    }
    changed_.notify_all();
  }
  [[nodiscard]] static bool wait_until_held(const hold& h, std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, timeout, [&] { return h.held; });
  }
  [[nodiscard]] static bool expired(const hold& h) {
    std::lock_guard lock(mutex_);
    return h.expired;
  }

  static constexpr std::chrono::seconds longest_hold{20};

 private:
  static bool stops(const hold& h, access kind, site s) {
    return !h.open && !h.held && s.named(h.site) && (!h.kind || *h.kind == kind) &&
           (h.role.empty() || h.role == role_);
  }

  static void pass(access kind, site s) {
    std::unique_lock lock(mutex_);
    std::vector<std::shared_ptr<hold>> mine;  // keeps them alive beyond their gate
    for (const auto& h : holds_) {
      if (!stops(*h, kind, s)) continue;
      if (h->skip > 0) {
        --h->skip;
      } else {
        h->held = true;
        mine.push_back(h);
      }
    }
    if (mine.empty()) return;
    changed_.notify_all();
    const auto all_open = [&] {
      return std::ranges::all_of(mine, [](const auto& h) { return h->open; });
    };
    if (changed_.wait_for(lock, longest_hold, all_open)) return;
    for (const auto& h : mine) h->expired = !h->open;
  }

  static inline std::mutex mutex_;
  static inline std::condition_variable changed_;
  static inline std::vector<std::shared_ptr<hold>> holds_;
  static inline std::atomic<std::size_t> gates_{0};
  static inline thread_local std::string role_;
};

struct gated_platform : instrumented_platform<gating_probe> {
  /// Names the calling thread for gates.
  static void set_role(std::string role) { gating_probe::set_role(std::move(role)); }
};

static_assert(platform<gated_platform>);

/// Holds one thread just before its access at a site; everybody else passes, then and later. Make
/// the gate before the thread it shall stop is started. Several gates may stand at once, also at
/// one site.
///
///   gate stall("link", thread_role{"producer 0"});  // the second arrival: gate("link", role, 1)
///   ... start the producer ...
///   ASSERT_TRUE(stall.wait_until_held());
///   ... look at what the others see ...
///   stall.open();
///
/// Destroying a gate opens it. No test hangs on a gate: waiting for the thread has a timeout, and a
/// thread that is held for `gating_probe::longest_hold` goes on by itself, which expired() tells.
class gate {
 public:
  explicit gate(std::string_view site_name, thread_role role = {}, std::size_t skip = 0)
      : gate(std::nullopt, site_name, std::move(role), skip) {}

  /// Stops only accesses of this kind: the way to tell the accesses of third-party code apart,
  /// which all have the site `unnamed_site`.
  gate(access kind, std::string_view site_name, thread_role role = {}, std::size_t skip = 0)
      : gate(std::optional(kind), site_name, std::move(role), skip) {}

  gate(const gate&) = delete;
  gate& operator=(const gate&) = delete;
  ~gate() { gating_probe::remove(hold_); }

  /// True as soon as a thread is held, or was.
  [[nodiscard]] bool wait_until_held(
      std::chrono::milliseconds timeout = std::chrono::seconds(10)) const {
    return gating_probe::wait_until_held(*hold_, timeout);
  }
  void open() { gating_probe::open(*hold_); }
  [[nodiscard]] bool expired() const { return gating_probe::expired(*hold_); }

 private:
  gate(std::optional<access> kind, std::string_view site_name, thread_role role, std::size_t skip)
      : hold_(
            std::make_shared<gating_probe::hold>(gating_probe::hold{.site = std::string(site_name),
                                                                    .kind = kind,
                                                                    .role = std::move(role.name),
                                                                    .skip = skip})) {
    gating_probe::add(hold_);
  }

  std::shared_ptr<gating_probe::hold> hold_;
};

}  // namespace racewheel
