# Checks of the sources and the scripts themselves. They say the same under every compiler and
# sanitizer, so only the preset release runs them.
function(racewheel_check name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND")
  add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS check TIMEOUT 120)
endfunction()

racewheel_check(every_access_has_a_site COMMAND scripts/check-sites)
racewheel_check(check_sites_sees_every_mistake COMMAND scripts/check-sites-test)
