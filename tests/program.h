#pragma once

#include <string>

/// What a run of the program printed and how it ended.
struct ProgramRun {
    std::string output;
    std::string errors;
    int status;
};

/// Runs `pe-gen arguments` in a shell, in `folder`; the arguments may use the shell's redirections.
ProgramRun run_program(const std::string& arguments, const std::string& folder = ".");
