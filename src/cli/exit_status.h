#pragma once

#include <string>

namespace pegen::cli {

/// The exit status of the program.
enum class ExitStatus {
    done = 0,
    no = 1,         ///< the answer is no: tables differ, a file is out of date, a promise is broken
    usage = 2,      ///< the arguments ask for something that cannot be done
    malformed = 3,  ///< an input file is not what it should be
    file = 4,       ///< a file could not be read or written
    memory = 5,
    fault = 70,  ///< the program itself is at fault, or the machine it runs on
};

/// Why something could not be done.
struct Failure {
    ExitStatus status;
    std::string message;          ///< one line, without control characters
    bool is_reader_gone = false;  ///< of standard output
};

/// Describes the exception that is being handled, whatever it is; rethrows only
/// PostponedSignals::Waiting.
Failure current_failure();

}  // namespace pegen::cli
