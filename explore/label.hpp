// How events and places are named in messages, traces and schedules.
#pragma once

#include <source_location>
#include <string>

#include "explore/event.hpp"

namespace racewheel::explore {

/// "[claim]" for a site; file and line for code without sites.
[[nodiscard]] std::string label(const char* name, std::source_location where);
[[nodiscard]] std::string label(const event& e);

/// Without line numbers, so that it survives an edit: for schedules and digests.
[[nodiscard]] std::string stable_label(const event& e);

[[nodiscard]] std::string describe(std::source_location where);
[[nodiscard]] const char* to_string(event_kind k) noexcept;
[[nodiscard]] const char* to_string(mode m) noexcept;

}  // namespace racewheel::explore
