#include <doctest/doctest.h>

#include <string>

#include "cli/reading_commands.h"
#include "files/foreign_files.h"
#include "files/temporary_folder.h"
#include "program.h"

using namespace pegen::testing;

TEST_CASE("files: every command says what a file is that it does not read") {
    const TemporaryFolder folder;
    const std::string path = folder.path("a.x");
    for (const ForeignFile& foreign : foreign_files()) {
        if (foreign.is_read_by_path) continue;
        put(path, foreign.bytes);
        for (const ReadingCommand& command : reading_commands()) {
            if (!PEGEN_HAS_RECOGNITION && command.words.starts_with("identify")) continue;
            if (foreign.is_described && command.words.starts_with("info")) continue;
            const ProgramRun run = run_in_process(with_files(command, path, folder.path("o")));
            CAPTURE(command.words);
            CAPTURE(foreign.what);
            CAPTURE(run.errors);
            CHECK(run.status == 3);
            CHECK(run.errors.starts_with(path + ": is " + foreign.what));
        }
        // A name of an array in the file is refused, too.
        CHECK(run_in_process({"diff", path + ":a", path + ":a"})
                  .errors.starts_with(path + ": is " + foreign.what));
    }
}
