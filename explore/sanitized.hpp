// Whether this build runs under a sanitizer.
#pragma once

#include <cstdint>
#include <limits>

#if defined(__SANITIZE_ADDRESS__)
#define RACEWHEEL_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RACEWHEEL_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define RACEWHEEL_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RACEWHEEL_TSAN 1
#endif
#endif

namespace racewheel::explore {

#if defined(RACEWHEEL_ASAN) || defined(RACEWHEEL_TSAN)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

/// Sanitizers make an execution fifty times as slow. There, tests that exhaust a program stop after
/// so many executions and only expect that nothing was found; every other build exhausts.
inline constexpr std::uint64_t exhausting_executions =
    is_sanitized ? 1000 : std::numeric_limits<std::uint64_t>::max();

}  // namespace racewheel::explore
