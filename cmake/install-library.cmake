# Installs the shared library, what finds it, and the Python module.
include(CMakePackageConfigHelpers)

install(TARGETS pegen EXPORT pegen COMPONENT library
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} NAMELINK_COMPONENT development)
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/pegen)
install(EXPORT pegen NAMESPACE pegen:: FILE pegenConfig.cmake DESTINATION ${package}
        COMPONENT development)
set(version_file ${CMAKE_CURRENT_BINARY_DIR}/pegenConfigVersion.cmake)
write_basic_package_version_file(${version_file} COMPATIBILITY SameMinorVersion)
install(FILES ${version_file} DESTINATION ${package} COMPONENT development)

set(pkgconfig ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_of_pkgconfig /${pkgconfig} /)
configure_file(src/library/pegen.pc.in ${CMAKE_CURRENT_BINARY_DIR}/pegen.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/pegen.pc DESTINATION ${pkgconfig} COMPONENT development)

# Where the system's Python looks below a prefix; Debian says dist-packages below /usr/local, too.
find_program(PEGEN_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(PEGEN_PYTHON AND NOT PEGEN_PYTHON_FOLDER)
    execute_process(COMMAND ${PEGEN_PYTHON} -c
        "import sys, sysconfig
folder = sysconfig.get_path('purelib').split('/')[-1]
print(f'lib/python{sys.version_info[0]}.{sys.version_info[1]}/{folder}')"
        OUTPUT_VARIABLE python_folder OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
set(PEGEN_PYTHON_FOLDER "${python_folder}" CACHE PATH
    "Where the Python module goes, below the prefix; nowhere if it is empty")
if(PEGEN_PYTHON_FOLDER)
    install(DIRECTORY src/python/posenc DESTINATION ${PEGEN_PYTHON_FOLDER} COMPONENT python
            FILES_MATCHING PATTERN *.py PATTERN py.typed)
endif()
