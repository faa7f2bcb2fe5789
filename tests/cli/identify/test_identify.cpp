#include <doctest/doctest.h>

#include "cli/folder.h"
#include "program.h"

using namespace pegen;
using pegen::testing::Folder;

TEST_CASE("identify: a file size limit below the data that a command reads is a failure") {
    const Folder folder;
    folder.make("learned --len 3000 --d 2 --init uniform:0,1 --npy points.npy");
    folder.make("fourier --points points.npy --npy a.npy");
    const ProgramRun run =
        folder.run("index --len 1 -q; ulimit -f 8; '" PEGEN_PROGRAM "' identify a.npy");
    CHECK(run.status == 4);
    CHECK(run.errors == "pe-gen: a file in memory: cannot write: File too large\n");
}
