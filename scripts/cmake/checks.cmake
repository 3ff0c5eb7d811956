# Checks of the sources and the scripts themselves. They say the same under every compiler and
# sanitizer, so only the preset release runs them.
function(racewheel_check name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS check TIMEOUT 300)
endfunction()

racewheel_check(every_access_has_a_site scripts/check-sites)
racewheel_check(check_sites_sees_every_mistake scripts/check-sites-test)
racewheel_check(sources_are_formatted scripts/format --check)
find_program(RACEWHEEL_CLANG clang++-19)
if(RACEWHEEL_CLANG)
  racewheel_check(std_platform_costs_nothing scripts/check-zero-cost)
endif()

# Every public header compiles alone. Headers of a backend that this build lacks are left out.
set(header_folders core queues explore property stress races bench cli)
add_library(racewheel_headers_alone OBJECT EXCLUDE_FROM_ALL)
foreach(folder IN LISTS header_folders)
  file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/${folder}/*.hpp)
  foreach(header IN LISTS headers)
    if(header MATCHES "/folly_" AND NOT TARGET racewheel_folly)
      continue()
    endif()
    set(content "#include \"${header}\"\n#include \"${header}\"  // twice: it is guarded\n")
    set(file ${PROJECT_BINARY_DIR}/generated/alone/${header}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${content}" @ONLY)
    target_sources(racewheel_headers_alone PRIVATE ${file})
  endforeach()
  if(TARGET racewheel_${folder})
    target_link_libraries(racewheel_headers_alone PRIVATE racewheel_${folder})
  endif()
endforeach()
target_link_libraries(racewheel_headers_alone PRIVATE racewheel_options racewheel_queues)
target_compile_options(racewheel_headers_alone PRIVATE -O0)
racewheel_check(every_header_compiles_alone
  ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target racewheel_headers_alone)
