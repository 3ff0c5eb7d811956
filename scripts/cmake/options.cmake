# Flags live on one target. Libraries that others link get only what their headers need (C++20);
# our own translation units also get the warnings.
find_package(Threads REQUIRED)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# Sanitizers are global on purpose: a sanitizer that does not see folly reports nonsense.
if(RACEWHEEL_SANITIZE)
  add_compile_options(-fsanitize=${RACEWHEEL_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${RACEWHEEL_SANITIZE})
  if(RACEWHEEL_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()

add_library(racewheel_options INTERFACE)
target_compile_features(racewheel_options INTERFACE cxx_std_20)
target_compile_options(racewheel_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
# g++ 12 warns about every std::atomic fence that ThreadSanitizer does not model, also in
# third-party headers; our own code has none (scripts/check-sites).
if(RACEWHEEL_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(racewheel_options INTERFACE -Wno-tsan)
endif()
