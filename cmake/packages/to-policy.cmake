# Makes what CPack has installed for its packages as Debian's policy and its zsh want it.
file(GLOB texts ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/man/man1/*
                ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/doc/*/changelog)
execute_process(COMMAND gzip -9n ${texts} COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${CPACK_TEMPORARY_DIRECTORY}/program/usr/share/zsh/site-functions
            ${CPACK_TEMPORARY_DIRECTORY}/program/usr/share/zsh/vendor-completions)
