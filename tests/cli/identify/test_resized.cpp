#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/folder.h"
#include "core/names.h"

using namespace pegen;
using pegen::testing::content;
using pegen::testing::Folder;
using Json = nlohmann::json;

namespace {

/// Returns a line of a report, without its label; "" if there is none.
std::string line_of(const std::string& report, std::string_view label) {
    for (const std::string_view line : fields(report, '\n')) {
        if (line.starts_with(label)) return std::string(line.substr(12));
    }
    return "";
}

/// Runs the two commands that a report names, and returns the bytes of the array that they make.
std::string remade(const Folder& folder, const std::string& report) {
    const std::string resized = line_of(report, "resized");
    const std::size_t command = resized.find("pe-gen ");
    REQUIRE(command != std::string::npos);
    folder.make(line_of(report, "command").substr(7) + " --npy TABLE.npy");
    folder.make(resized.substr(command + 7) + " --npy again.npy");
    return content(folder.path("again.npy"));
}

}  // namespace

TEST_CASE("identify: a resized table is named with the code base, and by commands that make it") {
    struct Case {
        std::string original;
        std::string options;
        std::string resized;
    };
    const Case cases[] = {
        {"mae --height 6 --width 6 --d 32 --prefix-rows 1", "--to 9x9 --as vit",
         "from 6x6 to 9x9, as vit, mae do it"},
        {"mae --height 6 --width 6 --d 32 --prefix-rows 1", "--to 9x7 --as dinov2",
         "from 6x6 to 9x7, as dinov2 does it"},
        {"mae --height 6 --width 6 --d 32 --prefix-rows 1", "--to 4x4 --as open-clip",
         "from 6x6 to 4x4, as timm, dinov2-reg, open-clip do it"},
        {"mae --height 6 --width 6 --d 32 --prefix-rows 2", "--to 9x9 --as deit",
         "from 6x6 to 9x9, as deit does it"},
        {"mae --height 6 --width 6 --d 32 --prefix-rows 1", "--to 9x9 --as dpt",
         "from 6x6 to 9x9, as dpt does it"},
        {"simple-vit --height 6 --width 6 --d 32", "--to 9x9 --as timm --prefix 0",
         "from 6x6 to 9x9, as timm, dinov2-reg, open-clip do it"},
        {"mae --height 6 --width 6 --d 32 --view grid", "--to 9x9 --as timm-nhwc",
         "from 6x6 to 9x9, as timm-nhwc does it"},
        {"mae --height 6 --width 6 --d 32 --dtype float64", "--to 8x8 --as qwen3-vl",
         "from 6x6 to 8x8, as qwen3-vl does it"},
        {"mae --height 6 --width 6 --d 32 --dtype bfloat16", "--to 9x9 --as siglip",
         "from 6x6 to 9x9, as siglip, qwen-vl do it"},
        {"sinusoid --len 77 --d 32", "--to 100 --as open-clip-text",
         "from 77 to 100, as open-clip-text does it"},
    };
    const Folder folder;
    for (const Case& one : cases) {
        CAPTURE(one.original);
        CAPTURE(one.options);
        folder.make(one.original + " --npy original.npy");
        folder.make("apply resize --x original.npy " + one.options + " --npy resized.npy");
        const std::string report = folder.make("identify resized.npy");
        CHECK(line_of(report, "resized")
                  .starts_with(one.resized +
                               ": with the command's table as TABLE.npy, pe-gen apply resize "));
        CHECK(remade(folder, report) == content(folder.path("resized.npy")));
    }
}

TEST_CASE("identify: tables that PyTorch resized") {
    // torch.nn.functional.interpolate 1.13 of pe-gen mae --height 5 --width 5 --d 32
    // --prefix-rows 1, in float32; qwen3_vl without the row in front.
    const std::string file = PEGEN_SOURCE_DIR "/tests/cli/identify/resized.npz:";
    const Folder folder;
    struct Case {
        const char* name;
        const char* resized;
    };
    for (const Case& one : {Case{"vit", "from 5x5 to 8x7, as vit, mae do it"},
                            Case{"timm", "from 5x5 to 8x8, as timm, dinov2-reg, open-clip do it"},
                            Case{"dinov2", "from 5x5 to 8x7, as dinov2 does it"},
                            Case{"qwen3_vl", "from 5x5 to 7x7, as qwen3-vl does it"},
                            Case{"smaller", "from 5x5 to 3x3, as siglip2 does it"}}) {
        CAPTURE(one.name);
        const std::string report = folder.make("identify " + file + one.name);
        CHECK(line_of(report, "resized").starts_with(one.resized));
        CHECK(line_of(report, "agreement").starts_with("as float32 code makes it"));
    }
}

TEST_CASE("identify: how a table was resized is said wherever a table is named") {
    const Folder folder;
    folder.make("mae --height 6 --width 6 --d 32 --npy pos_embed.npy");
    folder.make("apply resize --x pos_embed.npy --to 9x9 --as siglip --npy resized.npy");
    const std::string expected =
        "from 6x6 to 9x9, as siglip, qwen-vl do it: with the command's table as TABLE.npy, pe-gen "
        "apply resize --x TABLE.npy --to 9x9 --as siglip";
    CHECK(Json::parse(folder.make("identify resized.npy --json"))["resized"] == expected);
    CHECK(Json::parse(folder.make("identify pos_embed.npy --json"))["resized"].is_null());
    CHECK(folder.run("compare resized.npy mae")
              .output.find("; resized from 6x6 to 9x9, as siglip, qwen-vl") != std::string::npos);
}

TEST_CASE("identify: a spoiled value of a resized table is seen") {
    const Folder folder;
    folder.make("mae --height 6 --width 6 --d 32 --npy original.npy");
    folder.make("apply resize --x original.npy --to 9x9 --as siglip --npy resized.npy");
    std::string bytes = content(folder.path("resized.npy"));
    bytes[bytes.size() - 1] ^= 1;
    pegen::testing::put(folder.path("resized.npy"), bytes);
    CHECK(folder.run("identify resized.npy").status == 1);
}
