#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cli/folder.h"
#include "program.h"

using namespace pegen;
using pegen::testing::content;
using pegen::testing::Folder;
using pegen::testing::put;

namespace {

/// Returns a list of positions as text.
template <class PositionOf>
std::string listed(int rows, const PositionOf& position_of) {
    std::string text;
    for (int row = 0; row < rows; ++row) text += std::to_string(position_of(row)) + "\n";
    return text;
}

}  // namespace

TEST_CASE(
    "identify: a long list of positions is typed with ranges, and a note says how it counts") {
    struct Case {
        std::string positions;
        std::string options;
        std::string note;
    };
    const int rows = 500;
    const Case cases[] = {
        {listed(rows, [](int row) { return std::min(row, 300); }), "--positions 0:300,300x200",
         "count from 0 in rows 0 to 300, are 300 in rows 301 to 499"},
        {listed(rows, [](int row) { return std::max(row - 7, 0); }), "--positions 0x8,1:493",
         "are 0 in rows 0 to 7, count from 1 in rows 8 to 499"},
        {listed(rows, [](int row) { return row % 200; }), "--positions 0:200,0:200,0:100",
         "count from 0 in rows 0 to 199, count from 0 in rows 200 to 399, count from 0 in rows 400 "
         "to 499"},
        {listed(rows, [](int row) { return row % 64; }),
         "--positions 0:64,0:64,0:64,0:64,0:64,0:64,0:64,0:52", "start again from 0 every 64 rows"},
        {listed(rows,
                [](int row) {
                    for (const int first : {480, 301, 270, 123, 50}) {
                        if (row >= first) return row - first;
                    }
                    return row;
                }),
         "--positions 0:50,0:73,0:147,0:31,0:179,0:20",
         "start again from 0 in 5 rows: 50, 123, 270, 301, ..."},
        {listed(rows, [](int row) { return row < 250 ? row : 499 - row; }),
         "--positions 0:249,249x2,248:-1:-1",
         "count from 0 in rows 0 to 249, count down from 249 in rows 250 to 499"},
        {listed(rows, [](int row) { return row / 2; }), "--positions 0:250x2", ""},
        {listed(rows, [](int row) { return row < 256 ? row : (row + row / 2 % 2) / 2 * 2; }),
         "--arith bfloat16 --rounded positions", "are rounded to bfloat16: 257 is 256"},
        {listed(rows, [](int row) { return row * row % 503; }), "--positions-file positions.npy",
         ""},
    };
    const Folder folder;
    for (const Case& one : cases) {
        CAPTURE(one.options);
        put(folder.path("list.txt"), one.positions);
        const bool is_rounded = one.options.find("--arith") != std::string::npos;
        folder.make(fmt::format("rope --d 32 --positions-file list.txt --npy a.npy{}",
                                is_rounded ? " --arith float32" : ""));
        const std::string report = folder.make("identify a.npy --data .");
        CHECK((one.note.empty() ||
               report.find("\nnote        the positions " + one.note + "\n") != std::string::npos));
        CHECK(report.find(" " + one.options + "\n") != std::string::npos);
        folder.make(fmt::format("rope --d 32 {} {} --npy again.npy", is_rounded ? "--len 500" : "",
                                one.options));
        CHECK(content(folder.path("again.npy")) == content(folder.path("a.npy")));
        CHECK(folder.run("compare a.npy rope").output.find("0,1,2") == std::string::npos);
    }
}

TEST_CASE("identify: a file size limit below the data that a command reads is a failure") {
    const Folder folder;
    folder.make("learned --len 3000 --d 2 --init uniform:0,1 --npy points.npy");
    folder.make("fourier --points points.npy --npy a.npy");
    const ProgramRun run =
        folder.run("index --len 1 -q; ulimit -f 8; '" PEGEN_PROGRAM "' identify a.npy");
    CHECK(run.status == 4);
    CHECK(run.errors == "pe-gen: a file in memory: cannot write: File too large\n");
}
