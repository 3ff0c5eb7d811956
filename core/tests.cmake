# The tests of core/ that need the queue backends; included from the root, after queues/.
racewheel_test(timer_parts_test
  SOURCES core/admission_test.cpp core/bucket_test.cpp core/stored_task_test.cpp
          core/timeout_test.cpp core/wheel_test.cpp
  LIBRARIES racewheel_core)
racewheel_test(timer_invariants_test LIBRARIES racewheel_queues)
racewheel_per_backend(timer_invariants_test core/timer_invariants_test.cpp.in)
racewheel_test(timer_test
  SOURCES core/timer_cost_test.cpp core/metrics_observer_test.cpp core/timer_netty_test.cpp
          core/timer_options_test.cpp
          core/timer_test.cpp
  LIBRARIES racewheel_queues)
racewheel_test(timer_census_test SOURCES core/timer_census_test.cpp LIBRARIES racewheel_queues)

# The README's first example is this file, word for word.
add_executable(readme_example_test core/readme_example_test.cpp)
target_link_libraries(readme_example_test PRIVATE racewheel_options racewheel_queues)
add_test(NAME readme_example_test COMMAND readme_example_test)
