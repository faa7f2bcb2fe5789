#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pegen::cli {

/// The exit status of the program.
enum class ExitStatus {
    done = 0,
    no = 1,         ///< the answer is no: tables differ, a file is out of date, a check fails
    usage = 2,      ///< the arguments ask for something that cannot be done
    malformed = 3,  ///< an input file is not valid
    file = 4,       ///< a file could not be read or written
    memory = 5,
    fault = 70,  ///< an error of the program itself or of the machine
};

/// An error that ended the program or a part of its work.
struct Failure {
    ExitStatus status;
    std::string message;          ///< one line, without control characters
    bool is_reader_gone = false;  ///< the reader of standard output has gone
};

/// Describes the exception that is being handled, of any type. Rethrows only
/// PostponedSignals::Waiting.
Failure current_failure();

/// Runs the program: prepares the standard streams, the signals and the handling of a lack of
/// memory, then calls `run` with the arguments. Returns the exit status of `run`. If `run` throws,
/// reports the error on standard error and returns the exit status for it.
int run_process(int argc, char** argv, ExitStatus (*run)(std::span<const std::string_view>));

}  // namespace pegen::cli
