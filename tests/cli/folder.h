#pragma once

#include <doctest/doctest.h>

#include <string>

#include "files/temporary_folder.h"
#include "program.h"

namespace pegen::testing {

/// A new folder to run the program in.
struct Folder : TemporaryFolder {
    ProgramRun run(const std::string& arguments) const { return run_program(arguments, path("")); }

    /// Runs a command that must succeed, and returns what it prints.
    std::string make(const std::string& arguments) const {
        const ProgramRun done = run(arguments);
        REQUIRE_MESSAGE((done.status == 0), arguments, ": ", done.errors);
        return done.output;
    }

    /// Returns the message by which a command is refused.
    std::string refusal(const std::string& arguments) const {
        const ProgramRun refused = run(arguments);
        CHECK(refused.status == 2);
        CHECK(refused.output.empty());
        return refused.errors;
    }
};

}  // namespace pegen::testing
