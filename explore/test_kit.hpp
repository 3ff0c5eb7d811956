// What the explorer's own tests share.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>

#include "explore/explorer.hpp"
#include "explore/platform.hpp"

namespace racewheel::explore::test_kit {

inline constexpr site relaxed{"relaxed", std::memory_order::relaxed};
inline constexpr site acquire{"acquire", std::memory_order::acquire};
inline constexpr site release{"release", std::memory_order::release};
inline constexpr site acq_rel{"acq_rel", std::memory_order::acq_rel};
inline constexpr site seq_cst{"seq_cst", std::memory_order::seq_cst};

/// Everything, under rc11 unless told otherwise.
inline result exhaust(std::function<void()> body, memory_model memory = memory_model::rc11,
                      options o = {}) {
  o.memory = memory;
  return search({"test", std::move(body)}, o);
}

/// The outcomes of all executions: the body hands one to its argument.
inline std::set<std::string> outcomes(const std::function<void(std::string&)>& body,
                                      memory_model memory = memory_model::rc11, options o = {}) {
  std::set<std::string> seen;
  std::string last;
  o.observer = [&](const execution_view&) { seen.insert(last); };
  const result r = exhaust([&] { body(last); }, memory, o);
  if (r.verdict != verdict::ok) seen.insert("verdict: " + r.finding.message + r.bound);
  return seen;
}

}  // namespace racewheel::explore::test_kit
