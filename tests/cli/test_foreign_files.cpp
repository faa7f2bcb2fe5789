#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/names.h"
#include "files/foreign_files.h"
#include "files/temporary_folder.h"
#include "program.h"

using namespace pegen::testing;

namespace {

/// The commands that read arrays, each with every option that names one; F is the file.
constexpr std::string_view commands[] = {
    "identify F",
    "identify --before F --after F",
    "identify --permuted F --of F",
    "diff F -- sinusoid",
    "diff F F",
    "compare F sinusoid",
    "plot F --dry-run",
    "check F",
    "check concat --x F",
    "apply add --x F -- sinusoid",
    "apply bias --scores F -- alibi",
    "apply rope --x F",
    "apply rope-permute --x F --from half --to interleaved --heads 1",
    "attention shaw --x F",
    "attention shaw --table-k F",
    "attention t5 --bias-table F",
    "concat -- plot F -- sinusoid",
    "fourier --points F --dry-run",
    "fourier --points F --variances F --dry-run",
    "random-fourier --weights F --dry-run",
    "sinusoid --positions-file F --dry-run",
    "detr --mask F --dry-run",
    "fire --w1 F --dry-run",
    "swin --bias-table F --table bias --dry-run",
    "info F",
};

std::vector<std::string> with_file(std::string_view command, const std::string& path) {
    std::vector<std::string> words;
    for (const std::string_view word : pegen::words(command)) {
        words.emplace_back(word == "F" ? path : word);
    }
    return words;
}

}  // namespace

TEST_CASE("files: every command says what a file is that it does not read") {
    const TemporaryFolder folder;
    const std::string path = folder.path("a.x");
    for (const ForeignFile& foreign : foreign_files()) {
        put(path, foreign.bytes);
        for (const std::string_view command : commands) {
            if (!PEGEN_HAS_RECOGNITION && command.starts_with("identify")) continue;
            if (foreign.is_described && command.starts_with("info")) continue;
            const ProgramRun run = run_in_process(with_file(command, path));
            CAPTURE(command);
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
