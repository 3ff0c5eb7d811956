#include "explore/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "explore/label.hpp"

namespace racewheel::explore {

namespace {

/// Pointers are numbered as they appear: addresses differ from run to run.
class value_names {
 public:
  explicit value_names(const graph& g) : graph_(g) {}

  std::string operator()(location_id where, word value) {
    if (where == no_id) return "";
    if (!graph_.place(where).pointer) {
      return std::to_string(static_cast<std::int64_t>(value));
    }
    if (value == 0) return "null";
    const auto [found, fresh] = numbers_.try_emplace(value, numbers_.size() + 1);
    return fmt::format("&{}", found->second);
  }

 private:
  const graph& graph_;
  std::map<word, std::size_t> numbers_;
};

std::string cell_text(const engine& e, const event& v, value_names& name) {
  const graph& g = e.execution();
  std::string text = label(v) + " " + to_string(v.kind);
  if (v.kind == event_kind::load || v.kind == event_kind::store || v.kind == event_kind::rmw ||
      v.kind == event_kind::fence || v.kind == event_kind::failed_cas ||
      v.kind == event_kind::spurious_fail) {
    text += std::string(" ") + to_string(v.written);
  }
  if (v.location == no_id || v.kind == event_kind::park || v.kind == event_kind::notify ||
      v.kind == event_kind::resume) {
    return text;
  }
  const std::string value = name(v.location, v.value);
  if (v.kind == event_kind::rmw) {
    text += fmt::format(" {} -> {}", name(v.location, g.get(v.source).value), value);
  } else {
    text += fmt::format(" {}", value);
  }
  if (v.newest == no_id) return text;
  const event& newest = g.get(v.newest);
  return text + fmt::format("{} {} of {} ({})",
                            is_write(v.kind) ? ", lands before" : ", stale: ignores", label(newest),
                            e.thread_name(newest.thread), name(newest.location, newest.value));
}

}  // namespace

std::vector<std::string> steps_of(const engine& e) {
  std::vector<std::string> steps;
  const graph& g = e.execution();
  for (event_id id = 0; id < g.event_count(); ++id) {
    const event& v = g.get(id);
    if (v.kind != event_kind::init) {
      steps.push_back(fmt::format("{} {}", e.thread_name(v.thread), stable_label(v)));
    }
  }
  return steps;
}

std::string digest_of(const std::vector<std::string>& steps) {
  std::uint64_t hash = 0;
  for (const std::string& step : steps) {
    for (const char c : step) hash = mix(hash, static_cast<unsigned char>(c));
    hash = mix(hash, '\n');
  }
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[hash >> shift & 15U];
  return digits;
}

std::string trace_of(const engine& e) {
  const graph& g = e.execution();
  value_names name(g);
  struct row {
    std::uint32_t thread;
    std::string text;
  };
  std::vector<row> rows;
  std::vector<std::size_t> width;
  for (event_id id = 0; id < g.event_count(); ++id) {
    const event& v = g.get(id);
    if (v.kind == event_kind::init) continue;
    rows.push_back({v.thread, cell_text(e, v, name)});
    width.resize(std::max<std::size_t>(width.size(), v.thread + 1U), 0);
    width[v.thread] = std::max(width[v.thread], rows.back().text.size());
  }
  const auto line = [&](const std::string& number, auto&& text) {
    std::string out = number;
    for (std::uint32_t t = 0; t < width.size(); ++t) {
      if (width[t] == 0) continue;
      const std::size_t wide = std::max(width[t], e.thread_name(t).size());
      out += fmt::format("  {:{}}", std::string(text(t)), wide);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
  };
  std::string out = line("step", [&](std::uint32_t t) { return e.thread_name(t); });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out += line(fmt::format("{:4}", i + 1),
                [&](std::uint32_t t) { return t == rows[i].thread ? rows[i].text : ""; });
  }
  return out;
}

}  // namespace racewheel::explore
