# The program for JavaScript: posenc.js and posenc.wasm, for the page and the npm package, and pe-gen.mjs, the command under
# node. See docs/javascript.md.
file(STRINGS include/pegen.h functions REGEX "^PEGEN_API ")
list(TRANSFORM functions REPLACE ".*(pegen_[a-z_]+)\\(.*" "_\\1")
list(JOIN functions "," functions)
set(link_options -fwasm-exceptions -sMODULARIZE -sEXPORT_ES6 -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=1MB)

add_executable(posenc ${wasm_sources})
target_link_libraries(posenc PRIVATE pegen_internal pegen_fmt)
target_link_options(posenc PRIVATE ${link_options}
    -sENVIRONMENT=web,worker,node -sFORCE_FILESYSTEM -sWASM_BIGINT
    -sEXPORTED_RUNTIME_METHODS=FS,HEAPU8,HEAPU32,UTF8ToString,stringToNewUTF8
    -sEXPORTED_FUNCTIONS=_malloc,_free,${functions})

add_executable(pe-gen src/cli/main.cpp)
set_target_properties(pe-gen PROPERTIES SUFFIX .mjs)
target_link_libraries(pe-gen PRIVATE pegen_internal pegen_fmt)
target_link_options(pe-gen PRIVATE ${link_options} -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME
    -sEXPORTED_RUNTIME_METHODS=ENV,FS)

set(page_folder ${PROJECT_SOURCE_DIR}/build/wasm/page)
set(module $<TARGET_FILE_DIR:posenc>/posenc)
add_custom_target(page DEPENDS posenc VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${page_folder}
    COMMAND ${CMAKE_COMMAND} -E copy ${module}.js ${module}.wasm src/wasm/worker.js ${page_folder}
    COMMAND node src/wasm/write-page.mjs ${page_folder}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})

set(package_folder ${PROJECT_SOURCE_DIR}/build/wasm/npm)
set(command $<TARGET_FILE_DIR:pe-gen>/pe-gen)
configure_file(src/wasm/package.json.in package.json @ONLY)
add_custom_target(npm DEPENDS posenc pe-gen VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${package_folder}
    COMMAND ${CMAKE_COMMAND} -E copy ${module}.js ${module}.wasm ${command}.mjs ${command}.wasm src/wasm/index.mjs
            src/wasm/index.d.ts src/wasm/command.mjs src/wasm/README.md LICENSE ${CMAKE_CURRENT_BINARY_DIR}/package.json
            ${package_folder}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
