#pragma once

#include <string>
#include <vector>

/// The output of a run of the program, and how the run ended.
struct ProgramRun {
    std::string output;
    std::string errors;
    int status;
    bool ignores_signals = false;  ///< in a run in process: SIGTERM had no effect at its end
};

/// Runs `pe-gen arguments` in a shell, in `folder`; the arguments may use the shell's redirections.
ProgramRun run_program(const std::string& arguments, const std::string& folder = ".");

/// Runs a script of a shell in `folder`. `output` has what it prints to either stream, in order.
ProgramRun run_shell(const std::string& script, const std::string& folder);

/// Runs pe-gen in this process, without a shell and a new process, which take most of the time of a
/// short run. `errors` is the message without "pe-gen: ".
ProgramRun run_in_process(const std::vector<std::string>& arguments);

/// The result of a run whose standard error is a terminal.
struct TerminalRun {
    std::string sent;
    double silence;  ///< seconds before the first output there
    double seconds;  ///< seconds of the whole run
    int status;
};

/// Runs the shell's `script` in `folder`, with standard error on a terminal of `columns` columns.
/// The file "seen" in the folder holds what has been sent there so far; `script` may wait for it.
TerminalRun run_on_terminal(const std::string& script, const std::string& folder, int columns = 80);
