#include "program.h"

#include <sys/wait.h>

#include <cstdlib>

#include "formats/temporary_folder.h"

using pegen::testing::content;
using pegen::testing::TemporaryFolder;

ProgramRun run_program(const std::string& arguments, const std::string& folder) {
    const TemporaryFolder captured;
    const std::string output = captured.path("output"), errors = captured.path("errors");
    const std::string command = "cd '" + folder + "' && { '" PEGEN_PROGRAM "' " + arguments +
                                "; } >'" + output + "' 2>'" + errors + "'";
    const int status = std::system(command.c_str());
    return {content(output), content(errors),
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
}
