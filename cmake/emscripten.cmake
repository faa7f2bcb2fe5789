# Builds for WebAssembly with Debian's emscripten. `make wasm` has unpacked the headers and compiled the C
# libraries in build/wasm.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH source_folder)
set(CMAKE_FIND_ROOT_PATH ${source_folder}/build/wasm/prefix ${source_folder}/build/wasm/headers)
foreach(kind LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
# Debian puts packages of CMake where a compiler for Linux looks.
file(GLOB packages ${source_folder}/build/wasm/headers/usr/lib/*/cmake)
list(APPEND CMAKE_PREFIX_PATH / /usr ${packages})
set(CMAKE_CXX_FLAGS_INIT "-fwasm-exceptions -msimd128")
