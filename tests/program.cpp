#include "program.h"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "temporary_folder.h"

namespace {

std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace

ProgramRun run_program(const std::string& arguments, const std::string& folder) {
    const TemporaryFolder captured;
    const std::string command = "cd '" + folder + "' && { '" PEGEN_PROGRAM "' " + arguments +
                                "; } >'" + captured / "out" + "' 2>'" + captured / "err" + "'";
    const int status = std::system(command.c_str());
    return {content(captured / "out"), content(captured / "err"),
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
}
