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

/// What a run with a terminal for standard error sent there.
struct TerminalRun {
    std::string sent;
    double silence;  ///< seconds before the first of it
    double seconds;  ///< of the whole run
    int status;
};

/// Runs the shell's `script` in `folder`, with standard error on a terminal of `columns` columns.
/// Once something is sent there, a file "seen" is in the folder, for which `script` may wait.
TerminalRun run_on_terminal(const std::string& script, const std::string& folder, int columns = 80);
