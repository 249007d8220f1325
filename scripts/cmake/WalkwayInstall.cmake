# SPDX-License-Identifier: MIT
# Rules for cmake --install: the program, OpenCL programs, platforms' numbers, and the libraries with headers and a package config,
# so that find_package(walkway) in an outside project gives walkway::kernels, trace, analysis, generate, image, translate, model, device,
# remote_port, observe, platforms and c. inputs/capture/ and cosim/guest/plugin/ install the plugins.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_filename_component(WW_SOURCE ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
set(WW_INSTALL_CONFIG ${CMAKE_INSTALL_LIBDIR}/cmake/walkway)
set(WW_INSTALL_HEADERS ${CMAKE_INSTALL_INCLUDEDIR}/walkway)
set(WW_INSTALL_DATA ${CMAKE_INSTALL_DATADIR}/walkway)

set(WW_INSTALLED "")
set(WW_INSTALLED_LAYERS "")
foreach(folder kernels inputs/trace inputs/analysis inputs/generate inputs/image model/translate model cosim/device cosim/remote_port model/observe platforms)
    get_filename_component(layer ${folder} NAME)
    if(TARGET ww_${layer})
        set_target_properties(ww_${layer} PROPERTIES EXPORT_NAME ${layer})
        list(APPEND WW_INSTALLED ww_${layer})
        list(APPEND WW_INSTALLED_LAYERS ${layer})
        add_library(walkway::${layer} ALIAS ww_${layer})
        set(apart "")
        if(folder STREQUAL model) # these are layers of their own
            set(apart PATTERN translate EXCLUDE PATTERN observe EXCLUDE)
        endif()
        install(DIRECTORY ${WW_SOURCE}/${folder} DESTINATION ${WW_INSTALL_HEADERS}
            FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*_internal.h" EXCLUDE ${apart})
    endif()
endforeach()
# The C library: one shared library and one header, used as walkway::c or through pkg-config. To install it alone, without the
# CMake package: cmake --install BUILD --component c
if(TARGET ww_capi)
    set_target_properties(ww_capi PROPERTIES EXPORT_NAME c)
    list(APPEND WW_INSTALLED_LAYERS c)
    add_library(walkway::c ALIAS ww_capi)
    install(TARGETS ww_capi EXPORT walkwayTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT c NAMELINK_COMPONENT c)
    install(FILES ${WW_SOURCE}/cosim/capi/walkway.h DESTINATION ${WW_INSTALL_HEADERS}/capi COMPONENT c)
    file(RELATIVE_PATH WW_PC_TO_INCLUDE /${CMAKE_INSTALL_LIBDIR}/pkgconfig /${CMAKE_INSTALL_INCLUDEDIR})
    configure_file(${CMAKE_CURRENT_LIST_DIR}/walkway.pc.in ${PROJECT_BINARY_DIR}/walkway.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/walkway.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT c)
endif()
if(TARGET ww_codec) # the headers for reading a machine's file
    install(DIRECTORY ${WW_SOURCE}/tool/support DESTINATION ${WW_INSTALL_HEADERS}
        FILES_MATCHING REGEX "/(errors|ini_file|parameters|platform_file|value_origin)\\.hpp$")
endif()
foreach(part declared params machine_params codec) # model, platforms and device depend on these
    if(TARGET ww_${part})
        set_target_properties(ww_${part} PROPERTIES EXPORT_NAME ${part})
        list(APPEND WW_INSTALLED ww_${part})
        add_library(walkway::${part} ALIAS ww_${part})
    endif()
endforeach()
if(TARGET ww_remote_port_wire)
    set_target_properties(ww_remote_port_wire PROPERTIES EXPORT_NAME remote_port_wire)
    list(APPEND WW_INSTALLED ww_remote_port_wire)
endif()
if(WW_INSTALLED)
    install(TARGETS ${WW_INSTALLED} EXPORT walkwayTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT walkwayTargets NAMESPACE walkway:: DESTINATION ${WW_INSTALL_CONFIG})
    configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/walkwayConfig.cmake.in
        ${PROJECT_BINARY_DIR}/walkwayConfig.cmake INSTALL_DESTINATION ${WW_INSTALL_CONFIG}
        PATH_VARS WW_INSTALL_DATA)
    write_basic_package_version_file(${PROJECT_BINARY_DIR}/walkwayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
    install(FILES ${PROJECT_BINARY_DIR}/walkwayConfig.cmake ${PROJECT_BINARY_DIR}/walkwayConfigVersion.cmake
        ${CMAKE_CURRENT_LIST_DIR}/FindSystemC.cmake DESTINATION ${WW_INSTALL_CONFIG})
endif()

if(TARGET walkway)
    # Finds a SystemC outside the system's library folders.
    set_target_properties(walkway PROPERTIES INSTALL_RPATH_USE_LINK_PATH TRUE)
    install(TARGETS walkway RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}
        OPTIONAL) # completion and man pages, if the program made them
endif()
install(DIRECTORY ${WW_SOURCE}/platforms/ DESTINATION ${WW_INSTALL_DATA}/platforms
    FILES_MATCHING PATTERN "*.cfg")
install(DIRECTORY ${WW_SOURCE}/waveforms DESTINATION ${WW_INSTALL_DATA})
install(DIRECTORY ${WW_SOURCE}/studies DESTINATION ${WW_INSTALL_DATA} PATTERN __pycache__ EXCLUDE)
if(TARGET ww_ipxact)
    install(FILES ${PROJECT_BINARY_DIR}/device/iommu_device.xml DESTINATION ${WW_INSTALL_DATA}/ipxact)
endif()
install(DIRECTORY ${WW_SOURCE}/tool/python/walkway DESTINATION ${WW_INSTALL_DATA}/python PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${WW_SOURCE}/tool/workbench/cluster DESTINATION ${WW_INSTALL_DATA}/workbench USE_SOURCE_PERMISSIONS)
install(FILES ${WW_SOURCE}/tool/python/walkers.ipynb DESTINATION ${WW_INSTALL_DATA}/python) # imports the package beside it
# Has the layout of the source tree, so that paths in help texts and links between pages are valid.
install(FILES ${WW_SOURCE}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${WW_SOURCE}/docs ${WW_SOURCE}/waveforms DESTINATION ${CMAKE_INSTALL_DOCDIR}
    FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg" PATTERN "*.json")
get_property(WW_WORKLOAD_NAMES GLOBAL PROPERTY WW_WORKLOADS)
foreach(name ${WW_WORKLOAD_NAMES})
    install(TARGETS workload_${name} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/walkway/workloads)
    install(FILES $<TARGET_FILE:workload_${name}>.json DESTINATION ${CMAKE_INSTALL_LIBDIR}/walkway/workloads OPTIONAL)
endforeach()
if(TARGET graphinfo)
    install(TARGETS graphinfo RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/walkway/workloads)
    install(FILES $<TARGET_FILE:graphinfo>.json DESTINATION ${CMAKE_INSTALL_LIBDIR}/walkway/workloads OPTIONAL)
endif()
install(FILES ${WW_SOURCE}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Builds an outside project against a fresh prefix. Not with sanitizers or gcov: its flags would have to match the archives'.
if(WALKWAY_TESTS AND WW_INSTALLED AND NOT WALKWAY_SANITIZE AND NOT WALKWAY_COVERAGE)
    add_test(NAME install/outside_project COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR}
        -DSOURCE=${WW_SOURCE}/tb/install -DSCRATCH=${PROJECT_BINARY_DIR}/install_test
        -P ${WW_SOURCE}/tb/install/run_test.cmake)
    set_tests_properties(install/outside_project PROPERTIES LABELS install TIMEOUT 300)
    add_test(NAME install/systemc COMMAND /usr/bin/python3 -B ${WW_SOURCE}/tb/install/systemc_test.py)
    set_tests_properties(install/systemc PROPERTIES LABELS install TIMEOUT 600)
endif()
