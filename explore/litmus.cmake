# Litmus programs, their table, and the oracle.
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)

# The table is data, one row a line; it is compiled in so that the program works from any directory.
set(table ${CMAKE_CURRENT_SOURCE_DIR}/litmus_table.jsonl)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
file(READ ${table} litmus_rows)
string(STRIP "${litmus_rows}" litmus_rows)
string(REPLACE "\n" ")row\",\n    R\"row(" litmus_rows "${litmus_rows}")
configure_file(litmus_table_rows.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/litmus_table_rows.cpp @ONLY)

add_library(racewheel_litmus STATIC
  litmus_comparison.cpp
  litmus_generator.cpp
  litmus_program.cpp
  litmus_result.cpp
  litmus_runner.cpp
  litmus_table.cpp
  ${CMAKE_CURRENT_BINARY_DIR}/litmus_table_rows.cpp
  oracle.cpp
  oracle_axioms.cpp)
add_library(racewheel::litmus ALIAS racewheel_litmus)
target_link_libraries(racewheel_litmus PUBLIC racewheel_explore fmt::fmt
  PRIVATE racewheel_options nlohmann_json::nlohmann_json)

if(RACEWHEEL_TESTS)
  racewheel_test(litmus_program_test SOURCES litmus_program_test.cpp LIBRARIES racewheel_litmus)
  racewheel_test(litmus_generator_test SOURCES litmus_generator_test.cpp LIBRARIES racewheel_litmus)
  racewheel_test(litmus_runner_test SOURCES litmus_runner_test.cpp LIBRARIES racewheel_litmus)
  racewheel_test(litmus_table_test SOURCES litmus_table_test.cpp
    LIBRARIES racewheel_litmus nlohmann_json::nlohmann_json)
  racewheel_test(oracle_test SOURCES oracle_test.cpp LIBRARIES racewheel_litmus)
endif()
