# minizip and the zlib it stands on, as the target Minizip::Minizip. Static libraries are preferred:
# loading two more shared ones would take longer than many a run of the program.
find_path(MINIZIP_INCLUDE_DIR minizip/zip.h)
find_library(MINIZIP_LIBRARY NAMES libminizip.a minizip)
find_library(ZLIB_LIBRARY NAMES libz.a z)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Minizip DEFAULT_MSG
                                  MINIZIP_LIBRARY ZLIB_LIBRARY MINIZIP_INCLUDE_DIR)
if(Minizip_FOUND AND NOT TARGET Minizip::Minizip)
    add_library(Minizip::Minizip UNKNOWN IMPORTED)
    set_target_properties(Minizip::Minizip PROPERTIES
        IMPORTED_LOCATION "${MINIZIP_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${MINIZIP_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "${ZLIB_LIBRARY}")
endif()
mark_as_advanced(MINIZIP_INCLUDE_DIR MINIZIP_LIBRARY ZLIB_LIBRARY)
