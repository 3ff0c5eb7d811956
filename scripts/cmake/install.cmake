# cmake --install: the headers, the generated registries, folly as this build had it, and a package
# that find_package(racewheel) finds, with the targets racewheel::core, racewheel::queues, ...
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(folders core queues races)
foreach(folder IN LISTS folders)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION include/racewheel
          FILES_MATCHING PATTERN "*.hpp" PATTERN "*_test*" EXCLUDE)
  install(TARGETS racewheel_${folder} EXPORT racewheel)
endforeach()
install(DIRECTORY ${PROJECT_BINARY_DIR}/generated/queues ${PROJECT_BINARY_DIR}/generated/races
        DESTINATION include/racewheel FILES_MATCHING PATTERN "*.hpp")

set(RACEWHEEL_USES_FOLLY OFF)
set(RACEWHEEL_INSTALLS_FOLLY OFF)
if(TARGET racewheel_folly)
  set(RACEWHEEL_USES_FOLLY ON)
  install(TARGETS racewheel_folly EXPORT racewheel)
  if(RACEWHEEL_FOLLY_SOURCE)
    set(RACEWHEEL_INSTALLS_FOLLY ON)
    install(DIRECTORY ${RACEWHEEL_FOLLY_SOURCE}/folly ${PROJECT_BINARY_DIR}/generated/folly/folly
            DESTINATION include/racewheel/third_party FILES_MATCHING PATTERN "*.h")
    install(FILES ${RACEWHEEL_FOLLY_SOURCE}/LICENSE DESTINATION include/racewheel/third_party/folly)
  endif()
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/racewheel)
configure_package_config_file(${PROJECT_SOURCE_DIR}/scripts/cmake/racewheelConfig.cmake.in
  ${PROJECT_BINARY_DIR}/generated/racewheelConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/racewheelConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(EXPORT racewheel NAMESPACE racewheel:: FILE racewheelTargets.cmake DESTINATION ${package})
install(FILES ${PROJECT_BINARY_DIR}/generated/racewheelConfig.cmake
              ${PROJECT_BINARY_DIR}/generated/racewheelConfigVersion.cmake
        DESTINATION ${package})
