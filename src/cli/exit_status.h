#pragma once

#include <string>

namespace pegen::cli {

/// What the program ends with.
enum class ExitStatus {
    done = 0,
    no = 1,         ///< an honest answer: they differ, it is out of date
    usage = 2,      ///< what was asked for cannot be done
    malformed = 3,  ///< an input file is not what it should be
    file = 4,       ///< a file could not be read or written
    memory = 5,
    self_test = 70,
};

/// Why something could not be done.
struct Failure {
    ExitStatus status;
    std::string message;  ///< one line, without control characters
};

/// Of the exception that is being handled; one that is no failure is thrown on.
Failure current_failure();

}  // namespace pegen::cli
