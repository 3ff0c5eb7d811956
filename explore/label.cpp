#include "explore/label.hpp"

#include <fmt/format.h>

#include <string_view>

namespace racewheel::explore {

namespace {
std::string_view base_name(const char* path) {
  const std::string_view p = path;
  const std::size_t slash = p.rfind('/');
  return slash == std::string_view::npos ? p : p.substr(slash + 1);
}
}  // namespace

std::string describe(std::source_location where) {
  return std::string(base_name(where.file_name())) + ":" + std::to_string(where.line());
}

std::string label(const char* name, std::source_location where) {
  return fmt::format("[{}]", name != nullptr ? std::string(name) : describe(where));
}

std::string label(const event& e) { return label(e.name, e.where); }

std::string stable_label(const event& e) {
  return e.name != nullptr ? std::string(e.name) : std::string(base_name(e.where.file_name()));
}

const char* to_string(event_kind k) noexcept {
  switch (k) {
    case event_kind::init:
      return "init";
    case event_kind::load:
      return "load";
    case event_kind::store:
      return "store";
    case event_kind::rmw:
      return "rmw";
    case event_kind::failed_cas:
      return "cas failed";
    case event_kind::spurious_fail:
      return "cas failed spuriously";
    case event_kind::fence:
      return "fence";
    case event_kind::lock:
      return "lock";
    case event_kind::try_lock_failed:
      return "try_lock failed";
    case event_kind::unlock:
      return "unlock";
    case event_kind::signal:
      return "signal";
    case event_kind::wake:
      return "signalled";
    case event_kind::timeout:
      return "timed out";
    case event_kind::jump:
      return "time";
    case event_kind::now:
      return "now";
    case event_kind::park:
      return "park";
    case event_kind::notify:
      return "notify";
    case event_kind::resume:
      break;
  }
  return "resume";
}

const char* to_string(mode m) noexcept {
  switch (m) {
    case mode::na:
      return "plain";
    case mode::relaxed:
      return "relaxed";
    case mode::acquire:
      return "acquire";
    case mode::release:
      return "release";
    case mode::acq_rel:
      return "acq_rel";
    case mode::seq_cst:
      break;
  }
  return "seq_cst";
}

}  // namespace racewheel::explore
