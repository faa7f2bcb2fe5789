# libdeflate, as the target Deflate::Deflate. The static library is preferred, as in FindMinizip.
find_path(DEFLATE_INCLUDE_DIR libdeflate.h)
find_library(DEFLATE_LIBRARY NAMES libdeflate.a deflate)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Deflate DEFAULT_MSG DEFLATE_LIBRARY DEFLATE_INCLUDE_DIR)
if(Deflate_FOUND AND NOT TARGET Deflate::Deflate)
    add_library(Deflate::Deflate UNKNOWN IMPORTED)
    set_target_properties(Deflate::Deflate PROPERTIES
        IMPORTED_LOCATION "${DEFLATE_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${DEFLATE_INCLUDE_DIR}")
endif()
mark_as_advanced(DEFLATE_INCLUDE_DIR DEFLATE_LIBRARY)
