# racewheel_folly: folly for the queues that wrap it, or a sentence in RACEWHEEL_FOLLY_MISSING that
# says why there is none. It comes from, in this order:
#   1. an installed folly (find_package). Not under a sanitizer: it would not be instrumented.
#   2. the source tree FOLLY_SOURCE_DIR, the folder that holds folly/MPMCQueue.h.
#   3. the source tree that scripts/setup keeps in its cache, outside the build tree.
# A source tree is compiled into a small static library of just what the queues need.
option(RACEWHEEL_FOLLY "Offer the folly backends where folly is found" ON)
set(FOLLY_SOURCE_DIR "" CACHE PATH "A folly source tree to use instead of the cached one")

# folly/MPMCQueue.h
set(racewheel_folly_sources
  ScopeGuard SharedMutex concurrency/CacheLocality detail/Futex detail/StaticSingletonManager
  lang/Exception lang/SafeAssert lang/ToAscii memory/ReentrantAllocator synchronization/ParkingLot
  synchronization/SanitizeThread  # only where nothing is optimised away
  system/AtFork system/ThreadId)

# The folder in which scripts/setup keeps what it downloads.
function(racewheel_cache_dir out)
  if(DEFINED ENV{RACEWHEEL_CACHE})
    set(${out} "$ENV{RACEWHEEL_CACHE}" PARENT_SCOPE)
  elseif(DEFINED ENV{XDG_CACHE_HOME})
    set(${out} "$ENV{XDG_CACHE_HOME}/racewheel" PARENT_SCOPE)
  else()
    set(${out} "$ENV{HOME}/.cache/racewheel" PARENT_SCOPE)
  endif()
endfunction()

# Sets `source` to a tree, or `missing` to the reason.
function(racewheel_find_folly_source)
  if(FOLLY_SOURCE_DIR)
    if(EXISTS ${FOLLY_SOURCE_DIR}/folly/MPMCQueue.h)
      set(source ${FOLLY_SOURCE_DIR} PARENT_SCOPE)
    else()
      set(missing "FOLLY_SOURCE_DIR=${FOLLY_SOURCE_DIR} holds no folly/MPMCQueue.h" PARENT_SCOPE)
    endif()
    return()
  endif()
  file(STRINGS ${PROJECT_SOURCE_DIR}/scripts/folly.pin pin REGEX "^FOLLY_VERSION=")
  string(REPLACE "FOLLY_VERSION=" "" version "${pin}")
  racewheel_cache_dir(cache)
  set(tree ${cache}/folly-${version})
  if(EXISTS ${tree}/folly/MPMCQueue.h)
    set(source ${tree} PARENT_SCOPE)
  elseif(EXISTS ${tree}.why)  # scripts/setup tried and says why it failed
    file(STRINGS ${tree}.why why LIMIT_COUNT 1)
    set(missing "${why}" PARENT_SCOPE)
  else()
    set(missing "no folly is installed and scripts/setup has not fetched its source" PARENT_SCOPE)
  endif()
endfunction()

# Debian's names of what folly's headers and these sources use.
macro(racewheel_find_folly_dependencies)
  find_package(Boost QUIET)
  find_package(fmt CONFIG QUIET)
  find_package(glog CONFIG QUIET)
  find_package(gflags CONFIG QUIET)
  find_package(double-conversion CONFIG QUIET)
endmacro()

function(racewheel_build_folly source)
  list(TRANSFORM racewheel_folly_sources PREPEND ${source}/folly/)
  list(TRANSFORM racewheel_folly_sources APPEND .cpp)
  add_library(racewheel_folly STATIC ${racewheel_folly_sources})

  set(FOLLY_LIBRARY_SANITIZE_ADDRESS 0)
  if(RACEWHEEL_SANITIZE MATCHES "address")
    set(FOLLY_LIBRARY_SANITIZE_ADDRESS 1)
  endif()
  set(generated ${PROJECT_BINARY_DIR}/generated/folly)
  configure_file(${PROJECT_SOURCE_DIR}/scripts/cmake/folly-config.h.in
                 ${generated}/folly/folly-config.h @ONLY)

  # Not our code: no warnings of its own, and none in those who include it.
  target_compile_options(racewheel_folly PRIVATE -w)
  set_target_properties(racewheel_folly PROPERTIES EXPORT_NAME folly)
  target_compile_features(racewheel_folly PUBLIC cxx_std_20)
  target_include_directories(racewheel_folly SYSTEM PUBLIC
    $<BUILD_INTERFACE:${generated}> $<BUILD_INTERFACE:${source}>
    $<INSTALL_INTERFACE:include/racewheel/third_party>)
  target_link_libraries(racewheel_folly PUBLIC
    Boost::headers fmt::fmt glog::glog gflags double-conversion::double-conversion
    Threads::Threads ${CMAKE_DL_LIBS})
  set(RACEWHEEL_FOLLY_SOURCE ${source} PARENT_SCOPE)
endfunction()

set(RACEWHEEL_FOLLY_MISSING "")
if(NOT RACEWHEEL_FOLLY)
  set(RACEWHEEL_FOLLY_MISSING "switched off with RACEWHEEL_FOLLY=OFF")
else()
  if(NOT RACEWHEEL_SANITIZE AND NOT FOLLY_SOURCE_DIR)
    find_package(folly CONFIG QUIET)
  endif()
  if(TARGET Folly::folly)
    add_library(racewheel_folly INTERFACE)
    target_link_libraries(racewheel_folly INTERFACE Folly::folly)
    set_target_properties(racewheel_folly PROPERTIES EXPORT_NAME folly)
  else()
    set(source "")
    racewheel_find_folly_source()
    racewheel_find_folly_dependencies()
    foreach(need Boost::headers fmt::fmt glog::glog gflags double-conversion::double-conversion)
      if(source AND NOT TARGET ${need})
        set(missing "folly needs ${need}, which is not installed: run scripts/setup")
        set(source "")
      endif()
    endforeach()
    if(source)
      racewheel_build_folly(${source})
      message(STATUS "folly: ${source}")
    else()
      set(RACEWHEEL_FOLLY_MISSING "${missing}")
      message(STATUS "folly: ${missing}")
    endif()
  endif()
endif()
