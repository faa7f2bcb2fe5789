# find_c_library(HEADER LIBRARY...): adds the libraries to three targets.
#
# pegen_headers           where their headers are
# pegen_program_libraries for programs: static ones, if they are there, since loading shared ones
#                         takes longer than many a run of the program
# pegen_shared_libraries  for shared libraries, which most static ones are not compiled for
#
# find_program_library(HEADER LIBRARY...): the same for what only programs use.
foreach(target headers program_libraries shared_libraries)
    add_library(pegen_${target} INTERFACE)
endforeach()

function(find_program_library header)
    string(MAKE_C_IDENTIFIER "${header}" name)
    find_path(${name}_FOLDER ${header} REQUIRED)
    target_include_directories(pegen_headers SYSTEM INTERFACE ${${name}_FOLDER})
    mark_as_advanced(${name}_FOLDER)
    foreach(library IN LISTS ARGN)
        find_library(${library}_FOR_PROGRAMS NAMES lib${library}.a ${library} REQUIRED)
        target_link_libraries(pegen_program_libraries INTERFACE ${${library}_FOR_PROGRAMS})
        mark_as_advanced(${library}_FOR_PROGRAMS)
    endforeach()
endfunction()

function(find_c_library header)
    find_program_library(${header} ${ARGN})
    foreach(library IN LISTS ARGN)
        find_library(${library}_SHARED NAMES ${library} REQUIRED)
        target_link_libraries(pegen_shared_libraries INTERFACE ${${library}_SHARED})
        mark_as_advanced(${library}_SHARED)
    endforeach()
endfunction()
