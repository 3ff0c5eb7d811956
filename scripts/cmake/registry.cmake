# The registry of queue backends. It is a list of names in queues/CMakeLists.txt and nowhere else;
# the C++ registry header and one translation unit per backend and use are generated from it.

# racewheel_backend(NAME [REQUIRES TARGET WHY]): the backend NAME is class NAME_queue with
# NAME_recipe in queues/NAME_queue.hpp. Where TARGET does not exist, it is listed as missing, and
# WHY says why.
function(racewheel_backend name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "REQUIRES")
  if(arg_REQUIRES)
    list(GET arg_REQUIRES 0 target)
    list(GET arg_REQUIRES 1 why)
    if(NOT TARGET ${target})
      string(REPLACE ";" "," why "${why}")  # it travels in a list
      set_property(GLOBAL APPEND PROPERTY RACEWHEEL_MISSING_BACKENDS "${name}=${why}")
      return()
    endif()
    target_link_libraries(racewheel_queues INTERFACE ${target})
  endif()
  set_property(GLOBAL APPEND PROPERTY RACEWHEEL_BACKENDS ${name})
endfunction()

# Writes queues/registry.hpp into the build tree.
function(racewheel_write_backend_registry)
  get_property(names GLOBAL PROPERTY RACEWHEEL_BACKENDS)
  get_property(missing GLOBAL PROPERTY RACEWHEEL_MISSING_BACKENDS)
  set(includes "")
  set(types "")
  set(missing_rows "")
  list(LENGTH missing missing_count)
  foreach(name IN LISTS names)
    string(APPEND includes "#include \"queues/${name}_queue.hpp\"\n")
    list(APPEND types "backend<${name}_queue, ${name}_recipe>")
  endforeach()
  list(JOIN types ",\n                                 " types)
  foreach(row IN LISTS missing)
    string(REGEX MATCH "^([^=]*)=(.*)$" _ "${row}")
    set(name ${CMAKE_MATCH_1})
    string(REGEX REPLACE "([\"\\])" "\\\\\\1" why "${CMAKE_MATCH_2}")
    string(APPEND missing_rows "    missing_backend{\"${name}\", \"${why}\"},\n")
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/queues/registry.hpp.in
                 ${PROJECT_BINARY_DIR}/generated/queues/registry.hpp @ONLY)
endfunction()

# racewheel_per_backend(TARGET TEMPLATE): configures TEMPLATE once per available backend, with
# @backend@ as its name, and adds the results to TARGET. One translation unit each keeps builds
# parallel and memory flat as the list grows.
function(racewheel_per_backend target template)
  get_property(names GLOBAL PROPERTY RACEWHEEL_BACKENDS)
  get_filename_component(stem ${template} NAME)
  string(REGEX REPLACE "\\.cpp\\.in$" "" stem ${stem})
  foreach(backend IN LISTS names)
    set(out ${CMAKE_CURRENT_BINARY_DIR}/${stem}_${backend}.cpp)
    configure_file(${CMAKE_CURRENT_SOURCE_DIR}/${template} ${out} @ONLY)
    target_sources(${target} PRIVATE ${out})
  endforeach()
endfunction()
