// Whether this build runs under a sanitizer.
#pragma once

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

}  // namespace racewheel::explore
