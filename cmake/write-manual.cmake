# Writes every page of the manual that `program` has into `folder`. An emulator may be before it.
file(REMOVE_RECURSE ${folder})
file(MAKE_DIRECTORY ${folder})
execute_process(COMMAND ${program} manual pages OUTPUT_VARIABLE pages COMMAND_ERROR_IS_FATAL ANY)
string(STRIP "${pages}" pages)
string(REPLACE "\n" ";" pages "${pages}")
foreach(page IN LISTS pages)
    execute_process(COMMAND ${program} manual ${page} OUTPUT_FILE ${folder}/${page}.1
        COMMAND_ERROR_IS_FATAL ANY)
endforeach()
