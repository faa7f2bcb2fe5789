#include <doctest/doctest.h>

#include <string>

#include "cli/folder.h"
#include "files/read_png.h"
#include "program.h"

using namespace pegen;
using pegen::testing::content;
using pegen::testing::Folder;
using pegen::testing::put;

namespace {

struct PictureFolder : Folder {
    /// True if the file of the encoding, plotted with the same options, gives the encoding's
    /// picture.
    bool has_same_picture(const std::string& encoding, const std::string& axes,
                          const std::string& options) const {
        const std::string texts = " --title t --xlabel x --ylabel y ";
        make(encoding + " --npy table.npy --png made.png" + texts + options);
        make("plot table.npy --png read.png --axes " + axes + texts + options);
        return read_png(path("made.png")).rgb == read_png(path("read.png")).rgb;
    }
};

}  // namespace

TEST_CASE("plot: a file gives every kind of picture that its encoding gives") {
    const PictureFolder folder;
    const std::string sinusoid = "sinusoid --d 16 --len 30 --start 5";
    for (const std::string plot : {"waves", "offsets"}) {
        CAPTURE(plot);
        CHECK(folder.has_same_picture(sinusoid, "position,channel --start 5", "--plot " + plot));
    }
    const std::string bar = " --colorbar-label c";
    CHECK(folder.has_same_picture(sinusoid, "position,channel --start 5", "--cmap gray" + bar));
    CHECK(
        folder.has_same_picture(sinusoid, "position,channel --start 5", "--plot similarity" + bar));
    // Of a file it is not known that models mask the keys after the query.
    const std::string alibi = "alibi --form symmetric --heads 4 --len 20";
    CHECK(folder.has_same_picture(alibi, "head,query,key", bar));
    CHECK(folder.has_same_picture(alibi, "head,query,key", "--plot steps"));
    CHECK(folder.has_same_picture("t5 --len 12", "query,key", bar));
}

TEST_CASE("plot: shows the array in the terminal unless an output is named") {
    const PictureFolder folder;
    folder.make("sinusoid --d 8 --len 20 --npy t.npy");
    const std::string shown = folder.make("plot t.npy --show-size 50x10");
    CHECK(shown == folder.make("plot t.npy --show --show-size 50x10"));
    CHECK(shown.find("t.npy") != shown.npos);
    CHECK(folder.make("plot t.npy --quiet").empty());
}

TEST_CASE("plot: takes the dtype of the file, an array of several, and standard input") {
    const PictureFolder folder;
    folder.make("rope --d 8 --len 6 --dtype float64 --npz t.npz");
    folder.make("plot t.npz:sin --npy sin.npy");
    CHECK(folder.run("diff sin.npy t.npz:sin").status == 0);
    folder.make("plot - --png a.png --title t < sin.npy");
    folder.make("plot sin.npy --png b.png --title t");
    CHECK(read_png(folder.path("a.png")).rgb == read_png(folder.path("b.png")).rgb);
    folder.make("t5 --len 4 --npy buckets.npy");
    CHECK(folder.make("plot buckets.npy --csv - --no-header").substr(0, 2) == "0,");
}

TEST_CASE("plot: the axes of usual arrays of checkpoints are known by name and shape") {
    const PictureFolder folder;
    const auto texts = [&](const std::string& options) {
        return folder.make(options + " --svg -");
    };
    folder.make("learned --len 5 --d 4 --npz wpe.npz");
    folder.make("plot wpe.npz --npy wpe.npy");
    CHECK(texts("plot wpe.npy").find(">Position<") != std::string::npos);
    CHECK(texts("plot wpe.npy").find(">Channel<") != std::string::npos);
    CHECK(texts("plot wpe.npy --axes other,other").find(">Axis 0<") != std::string::npos);
    folder.make("plot wpe.npy --npy pos_embed.npy");
    const std::string patches = texts("plot pos_embed.npy --plot patches");
    CHECK(patches.find(">Row of the Patch<") != std::string::npos);
    folder.make(
        "swin --height 2 --width 2 --heads 3 --table table --npy "
        "relative_position_bias_table.npy");
    const std::string maps = texts("plot relative_position_bias_table.npy --plot maps");
    for (const char* head : {">head 0<", ">head 1<", ">head 2<"}) {
        CHECK(maps.find(head) != std::string::npos);
    }
    folder.make("plot wpe.npy --npy inv_freq.npy");  // of another shape than frequencies
    CHECK(texts("plot inv_freq.npy").find(">Axis 0<") != std::string::npos);
}

TEST_CASE("plot: info gives the command of a picture of a file") {
    const PictureFolder folder;
    folder.make("sinusoid --d 8 --len 20 --dtype float64 --npy 'my table.npy'");
    folder.make("plot 'my table.npy' --axes position,channel --start 3 --cmap gray -o a.png");
    CHECK(
        folder.make("info a.png")
            .find("command   pe-gen plot --npy-in 'my table.npy' --axes position,channel --start 3 "
                  "--cmap gray --png a.png\n") != std::string::npos);
}

TEST_CASE("plot: a job of batch is out of date when its array has changed") {
    const PictureFolder folder;
    put(folder.path("m.json"),
        R"({"jobs": [{"encoding": "plot", "npy-in": "t.npy", "png": "t.png"}]})");
    folder.make("sinusoid --d 8 --len 20 --npy t.npy");
    folder.make("batch m.json");
    CHECK(folder.run("batch m.json --check").status == 0);
    folder.make("sinusoid --d 8 --len 20 --start 1 --npy t.npy");
    CHECK(folder.run("batch m.json --check").status == 1);
}

TEST_CASE("plot: refuses what the file cannot mean") {
    const PictureFolder folder;
    folder.make("sinusoid --d 8 --len 20 --npy t.npy");
    CHECK(folder.refusal("plot") ==
          "pe-gen: plot: needs an array, as in pe-gen plot trained.npy --png trained.png\n");
    CHECK(folder.refusal("plot mae") ==
          "pe-gen: plot: there is no file 'mae'; pe-gen mae --png out.png draws the encoding\n");
    CHECK(folder.refusal("plot t.npy --axes positon,channel") ==
          "pe-gen: --axes positon: must be one of position, token, offset, bucket, depth, height, "
          "width, channel, frequency, batch, head, query, key, other; did you mean 'position'?\n");
    CHECK(folder.refusal("plot t.npy --axes position") ==
          "pe-gen: --axes position: must name as many axes as the array has, 2\n");
    CHECK(folder.refusal("plot t.npy --start 2") ==
          "pe-gen: --start: needs the axis of positions, as in --axes position,channel\n");
    CHECK(folder.refusal("plot t.npy --npy t.npy").find("would be replaced") != std::string::npos);
    CHECK(folder.refusal("plot t.npy --dtype float16").find("--dtype: unknown option") !=
          std::string::npos);
    CHECK(folder.run("plot missing.npy").status == 4);
}
