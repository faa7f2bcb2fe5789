# The program for JavaScript: explore and identify for the page, posenc for the npm package, and pe-gen.mjs, the command
# under node. See docs/javascript.md.
set(link_options -fwasm-exceptions -sMODULARIZE -sEXPORT_ES6 -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=1MB)

# add_module(NAME METHODS FUNCTIONS SOURCE...): NAME.js and NAME.wasm, with these of emscripten's methods, and these
# functions beside the ones that the sources export.
function(add_module name methods functions)
    add_executable(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE pegen_internal pegen_fmt)
    target_link_options(${name} PRIVATE ${link_options} -sENVIRONMENT=web,worker,node
        -sEXPORTED_RUNTIME_METHODS=HEAPU8,UTF8ToString,stringToNewUTF8${methods}
        -sEXPORTED_FUNCTIONS=_malloc,_free${functions})
endfunction()

# What the page loads first does without the commands and what identify needs.
add_module(explore "" "" src/wasm/answer.cpp src/cli/without/commands.cpp)
add_module(identify "" "" src/wasm/answer.cpp)
set(answer_script ${PROJECT_SOURCE_DIR}/src/wasm/answer.js)
foreach(module explore identify)
    target_link_options(${module} PRIVATE --post-js ${answer_script})
    set_target_properties(${module} PROPERTIES LINK_DEPENDS ${answer_script})
endforeach()
file(STRINGS include/pegen.h functions REGEX "^PEGEN_API ")
list(TRANSFORM functions REPLACE ".*(pegen_[a-z_]+)\\(.*" ",_\\1")
list(JOIN functions "" functions)
add_module(posenc ",HEAPU32,FS" "${functions}" src/wasm/run.cpp)
target_link_options(posenc PRIVATE -sFORCE_FILESYSTEM -sWASM_BIGINT)

add_executable(pe-gen src/cli/main.cpp)
set_target_properties(pe-gen PROPERTIES SUFFIX .mjs)
target_link_libraries(pe-gen PRIVATE pegen_internal pegen_fmt)
target_link_options(pe-gen PRIVATE ${link_options} -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME
    -sEXPORTED_RUNTIME_METHODS=ENV,FS)

set(page_folder ${PROJECT_SOURCE_DIR}/build/wasm/page)
set(modules $<TARGET_FILE_DIR:posenc>)
add_custom_target(page DEPENDS explore identify VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${page_folder}
    COMMAND ${CMAKE_COMMAND} -E copy ${modules}/explore.js ${modules}/explore.wasm ${modules}/identify.js
            ${modules}/identify.wasm src/wasm/worker.js ${page_folder}
    COMMAND node src/wasm/write-page.mjs ${page_folder}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})

set(package_folder ${PROJECT_SOURCE_DIR}/build/wasm/npm)
set(command $<TARGET_FILE_DIR:pe-gen>/pe-gen)
configure_file(src/wasm/package.json.in package.json @ONLY)
add_custom_target(npm DEPENDS posenc pe-gen VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${package_folder}
    COMMAND ${CMAKE_COMMAND} -E copy ${modules}/posenc.js ${modules}/posenc.wasm ${command}.mjs ${command}.wasm src/wasm/index.mjs
            src/wasm/index.d.ts src/wasm/command.mjs src/wasm/README.md LICENSE ${CMAKE_CURRENT_BINARY_DIR}/package.json
            ${package_folder}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
