# The tests of core/ that need the queue backends; included from the root, after queues/.
racewheel_test(timer_parts_test
  SOURCES core/admission_test.cpp core/bucket_test.cpp core/stored_task_test.cpp
          core/timeout_test.cpp core/wheel_test.cpp
  LIBRARIES racewheel_core)
