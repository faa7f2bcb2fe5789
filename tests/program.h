#pragma once

#include <string>
#include <vector>

/// What a run of the program printed and how it ended.
struct ProgramRun {
    std::string output;
    std::string errors;
    int status;
    bool ignores_signals = false;  ///< of a run in process: SIGTERM had no effect at its end
};

/// Runs `pe-gen arguments` in a shell, in `folder`; the arguments may use the shell's redirections.
ProgramRun run_program(const std::string& arguments, const std::string& folder = ".");

/// Runs a script of a shell in `folder`. `output` has what it prints to either stream, in order.
ProgramRun run_shell(const std::string& script, const std::string& folder);

/// Runs pe-gen without a shell and a new process, which take most of the time of a short run.
/// `errors` is the message without "pe-gen: ".
ProgramRun run_in_process(const std::vector<std::string>& arguments);

/// What a run with a terminal as its standard error sent there.
struct TerminalRun {
    std::string sent;
    double silence;  ///< seconds before the first of it
    double seconds;  ///< of the whole run
    int status;
};

/// Runs the shell's `script` in `folder`, with standard error on a terminal of `columns` columns.
/// The file "seen" in the folder holds what has been sent there so far; `script` may wait for it.
TerminalRun run_on_terminal(const std::string& script, const std::string& folder, int columns = 80);
