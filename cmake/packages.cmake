# `make package`: Debian's packages, and a tarball of a program that needs no library of the system, which
# `make wheel` packs, too.

# Linked from the same objects. OpenMP::OpenMP_CXX would name the shared library.
add_executable(pe-gen-static EXCLUDE_FROM_ALL $<TARGET_OBJECTS:pe-gen>)
set_target_properties(pe-gen-static PROPERTIES LINKER_LANGUAGE CXX)
add_dependencies(pe-gen-static pegen_archive)
target_link_libraries(pe-gen-static PRIVATE $<TARGET_FILE:pegen_archive> $<TARGET_FILE:pegen_fmt>
                                            pegen_program_libraries)
set(map ${CMAKE_CURRENT_BINARY_DIR}/pe-gen-static.map)  # says which libraries are in it
target_link_options(pe-gen-static PRIVATE -static -fopenmp -Wl,-Map=${map})

set(folder ${CMAKE_CURRENT_SOURCE_DIR}/cmake/packages)
add_custom_target(static-program DEPENDS pe-gen-static VERBATIM
    COMMAND ${folder}/static-program ${CMAKE_CURRENT_BINARY_DIR} ${CMAKE_STRIP} "${CMAKE_SYSROOT}")

find_program(PEGEN_DPKG_DEB dpkg-deb)
mark_as_advanced(PEGEN_DPKG_DEB)
if(NOT PEGEN_DPKG_DEB)
    return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program library development module)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)  # whatever the umask
set(CPACK_PRE_BUILD_SCRIPTS ${folder}/to-policy.cmake)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own

set(PEGEN_MAINTAINER "The pe-gen authors <pe-gen@packages.invalid>" CACHE STRING
    "The maintainer of Debian's packages: whoever hands them out")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${PEGEN_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SOURCE pe-gen)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME pe-gen)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS libfontconfig1)  # loaded when a font is looked for
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "position encodings of Transformers: tables and figures
pe-gen makes the position encodings of Transformers by the name of the code
base that uses them: sinusoids with every variation found in public code,
rotary positions, attention biases, learned embeddings as initialized. Every
value is rounded correctly. It writes NPY, NPZ, safetensors, JSON, CSV, PNG,
SVG, PDF and source code.

It also says which command makes a given table, and how two tables differ.")
install(FILES cmake/packages/overrides DESTINATION share/lintian/overrides RENAME pe-gen
        COMPONENT program EXCLUDE_FROM_ALL)

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libpegen0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS libfontconfig1)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
# CPack would write scripts that call ldconfig, which policy leaves to the trigger; it does not write
# those that it is told of, and leaves out what does not exist.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${folder}/triggers none/postinst none/postrm)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "position encodings of Transformers: shared library
libpegen makes the tables and figures that the program pe-gen makes, from the
same words, for programs in C, C++ and any language that calls C.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libpegen-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libpegen0 (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "position encodings of Transformers: development files
The headers of libpegen for C and C++, and what makes CMake and pkg-config find
it. libpegen makes the tables and figures that the program pe-gen makes.")

set(CPACK_DEBIAN_MODULE_PACKAGE_NAME python3-posenc)
set(CPACK_DEBIAN_MODULE_PACKAGE_SECTION python)
set(CPACK_DEBIAN_MODULE_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_MODULE_PACKAGE_DEPENDS
    "libpegen0 (>= ${PROJECT_VERSION}), pe-gen (>= ${PROJECT_VERSION}), python3 (>= 3.9), python3-numpy")
set(CPACK_DEBIAN_MODULE_PACKAGE_CONTROL_EXTRA ${folder}/postinst ${folder}/prerm)
set(CPACK_DEBIAN_MODULE_DESCRIPTION "position encodings of Transformers: Python module
posenc makes the tables that the program pe-gen makes as NumPy arrays, and its
figures as bytes, which notebooks show.")
install(DIRECTORY src/python/posenc DESTINATION lib/python3/dist-packages
        COMPONENT module EXCLUDE_FROM_ALL FILES_MATCHING PATTERN *.py PATTERN py.typed)

execute_process(COMMAND date -u -R -d ${release_date} OUTPUT_VARIABLE release_day
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND date -u +%s -d ${release_date} OUTPUT_VARIABLE release_time
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
configure_file(cmake/packages/changelog.in changelog @ONLY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_FILE_NAME DEB-DEFAULT)
    install(FILES cmake/packages/copyright ${CMAKE_CURRENT_BINARY_DIR}/changelog
            DESTINATION share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME} COMPONENT ${component}
            EXCLUDE_FROM_ALL)
endforeach()
include(CPack)

add_custom_target(packages DEPENDS pe-gen static-program pegen completions manual VERBATIM
    COMMAND ${folder}/make ${CMAKE_CURRENT_BINARY_DIR}
            ${PROJECT_VERSION} ${release_time})
