#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/apply/operation.h"
#include "cli/folder.h"
#include "core/names.h"
#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/npy.h"
#include "program.h"

using namespace pegen;
using namespace std::string_literals;
using pegen::testing::content;
using pegen::testing::Folder;
using pegen::testing::put;

namespace {

struct ArrayFolder : Folder {
    std::vector<double> values(const std::string& name) const {
        return all_values(read_npy(path(name)));
    }
};

constexpr const char* nine = "learned --len 6 --d 16 --seed 9 --npy x.npy";

}  // namespace

TEST_CASE("apply rope: rotates by the cosines and sines of rope, and back") {
    const ArrayFolder folder;
    folder.make(nine);
    folder.make("rope --d 16 --len 6 --layout single --table cos --dtype float64 --npy cos.npy");
    folder.make("rope --d 16 --len 6 --layout single --table sin --dtype float64 --npy sin.npy");
    folder.make("apply rope --x x.npy --npy y.npy");
    const auto x = folder.values("x.npy"), cos = folder.values("cos.npy"),
               sin = folder.values("sin.npy"), y = folder.values("y.npy");
    for (std::size_t row = 0; row < 6; ++row) {
        for (std::size_t m = 0; m < 8; ++m) {
            const double a = x[16 * row + m], b = x[16 * row + m + 8];
            const double c = cos[8 * row + m], s = sin[8 * row + m];
            CHECK(static_cast<float>(a * c - b * s) == static_cast<float>(y[16 * row + m]));
            CHECK(static_cast<float>(a * s + b * c) == static_cast<float>(y[16 * row + m + 8]));
        }
    }
    folder.make("apply rope --x y.npy --inverse --npy back.npy");
    CHECK(folder.run("diff back.npy x.npy --atol 3e-7").status == 0);
}

TEST_CASE("apply rope: --config says what is a pair, and is not replaced") {
    const ArrayFolder folder;
    folder.make(nine);
    put(folder.path("c.json"),
        R"({"model_type": "glm", "head_dim": 16, "partial_rotary_factor": 0.5})");
    folder.make("apply rope --config c.json --x x.npy --npy y.npy");
    folder.make("apply rope --rotary-dim 8 --pairing interleaved --x x.npy --npy z.npy");
    CHECK(folder.run("diff y.npy z.npy").status == 0);
    put(folder.path("cohere.json"), R"({"model_type": "cohere", "head_dim": 16})");
    folder.make("apply rope --config cohere.json --x x.npy --npy c.npy");
    folder.make("apply rope --base 500000 --pairing interleaved --x x.npy --npy d.npy");
    CHECK(folder.run("diff c.npy d.npy").status == 0);
    CHECK(folder.refusal("apply gpt-j --config c.json --x x.npy").find("a preset already") !=
          std::string::npos);
    folder.make("apply rope --config - --x x.npy --npy piped.npy <c.json");
    CHECK(content(folder.path("piped.npy")) == content(folder.path("y.npy")));
    CHECK(folder.refusal("apply rope --config c.json --x x.npy -o c.json")
              .starts_with("pe-gen: --config c.json: would be replaced"));
}

TEST_CASE("apply rope: the array says how many positions and channels there are") {
    const ArrayFolder folder;
    folder.make(nine);
    CHECK(folder.run("apply rope --x x.npy --len 6 --d 16").status == 0);
    CHECK(
        folder.refusal("apply rope --x x.npy --len 7") ==
        "pe-gen: apply rope: x.npy has shape (6, 16), its last extents are not those of rope with "
        "7 positions of 16 channels; they come from the array unless given\n");
    CHECK(folder.refusal("apply rope --x x.npy --d 8").find("6 positions of 8 channels") !=
          std::string::npos);
    CHECK(folder.refusal("apply rope --x x.npy --positions 1,2,3").find("3 positions") !=
          std::string::npos);
    folder.make("apply rope --x x.npy --start 3 --npy a.npy");
    folder.make("apply rope --x x.npy --positions 3,4,5,6,7,8 --npy b.npy");
    CHECK(content(folder.path("a.npy")) == content(folder.path("b.npy")));
}

TEST_CASE("apply rope: a part of the channels, and the dtype of the result") {
    const ArrayFolder folder;
    folder.make(nine);
    folder.make("apply rope --x x.npy --rotary-dim 4 --dtype float64 --npy part.npy");
    const Table part = read_npy(folder.path("part.npy"));
    CHECK((part.dtype == DType::float64));
    const std::vector<double> x = folder.values("x.npy"), y = all_values(part);
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (i % 16 >= 4) CHECK(y[i] == x[i]);
    }
    CHECK(y[17] != x[17]);
    folder.make("apply rope --x x.npy --partial-rotary-factor 0.25 --dtype f64 --npy same.npy");
    CHECK(content(folder.path("part.npy")) == content(folder.path("same.npy")));
    for (const char* dtype : {"float16", "bfloat16"}) {
        folder.make("learned --len 6 --d 16 --npy h.npy --dtype "s + dtype);
        folder.make("apply rope --x h.npy --npy z.npy");
        CHECK((read_npy(folder.path("z.npy")).dtype == read_npy(folder.path("h.npy")).dtype));
    }
}

TEST_CASE("apply: a preset of rope rotates as its models do") {
    const ArrayFolder folder;
    folder.make(nine);
    folder.make("apply gpt-j --x x.npy --rotary-dim 8 --npy a.npy");
    folder.make("apply rope --x x.npy --rotary-dim 8 --pairing interleaved --npy b.npy");
    CHECK(content(folder.path("a.npy")) == content(folder.path("b.npy")));
    CHECK(folder.refusal("apply whisper --x x.npy").find("must be one of") != std::string::npos);
}

TEST_CASE("apply rope-grid: rotates each pair by the cosines and sines of its table, and back") {
    const ArrayFolder folder;
    folder.make("learned --len 12 --d 16 --seed 9 --dtype float64 --npy x.npy");
    const std::string options = " --height 3 --width 4 --d 16 --base 100 --order ka --unrotated 4 ";
    const auto cos = values_of("rope-grid --layout single" + options, DType::float64);
    const auto sin = values_of("rope-grid --layout single --table sin" + options, DType::float64);
    const std::vector<double> x = folder.values("x.npy");
    for (const bool is_half : {true, false}) {
        const std::string pairing = is_half ? "--pairing half" : "--pairing interleaved";
        CAPTURE(pairing);
        folder.make("apply rope-grid --x x.npy --npy y.npy " + pairing + options);
        const std::vector<double> y = folder.values("y.npy");
        for (std::size_t row = 0; row < 12; ++row) {
            for (std::size_t m = 0; m < 8; ++m) {
                const double c = cos[8 * row + m], s = sin[8 * row + m];
                const std::size_t a = 16 * row + (is_half ? m : 2 * m);
                const std::size_t b = is_half ? a + 8 : a + 1;
                CHECK(y[a] == doctest::Approx(x[a] * c - x[b] * s).epsilon(1e-14));
                CHECK(y[b] == doctest::Approx(x[a] * s + x[b] * c).epsilon(1e-14));
            }
        }
        folder.make("apply rope-grid --x y.npy --npy back.npy --inverse " + pairing + options);
        CHECK(folder.run("diff back.npy x.npy --atol 1e-14").status == 0);
    }
    CHECK(folder.refusal("apply rope-grid --x x.npy --height 3 --width 4") ==
          "pe-gen: apply rope-grid: needs --pairing half or --pairing interleaved: which channels "
          "are a pair, as the note of a preset says\n");
    CHECK(folder.refusal("apply rope-grid --x x.npy --height 3 --width 3 --pairing half") ==
          "pe-gen: apply rope-grid: x.npy has shape (12, 16), its last extents are not those of "
          "rope-grid with 9 positions of 16 channels; the positions are the tokens of its "
          "parameters\n");
}

TEST_CASE("apply mrope: text alone is rotated as by rope, presets are names of the operation") {
    const ArrayFolder folder;
    folder.make("learned --len 7 --d 16 --seed 9 --npy x.npy");
    folder.make(
        "apply mrope --x x.npy --sequence text:7 --sections 2,3,3 --pairing half --npy a.npy");
    folder.make("apply rope --x x.npy --base 1000000 --npy b.npy");
    CHECK(content(folder.path("a.npy")) == content(folder.path("b.npy")));
    folder.make("mrope --sequence text:1,image:2x3 --table ids --npy ids.npy");
    folder.make(
        "apply qwen2-vl --x x.npy --d 16 --sections 2,3,3 --sequence text:1,image:2x3 "
        "--pairing half --npy c.npy");
    folder.make(
        "apply mrope --x x.npy --position-ids ids.npy --sections 2,3,3 --pairing half "
        "--npy d.npy");
    CHECK(content(folder.path("c.npy")) == content(folder.path("d.npy")));
}

TEST_CASE("apply rope: the inverse undoes an attention factor") {
    const ArrayFolder folder;
    folder.make(nine);
    const std::string scaling =
        " --scaling yarn --factor 4 --original-max-position-embeddings 32 --dtype float64";
    folder.make("apply rope --x x.npy --npy y.npy" + scaling);
    folder.make("apply rope --x y.npy --npy back.npy --inverse" + scaling);
    CHECK(folder.run("diff y.npy x.npy --atol 1e-3").status == 1);
    folder.make("apply rope --x x.npy --npy x64.npy --start 0 --step 0 --dtype float64");
    CHECK(folder.run("diff back.npy x64.npy --atol 1e-14").status == 0);
}

TEST_CASE("apply: the result may replace the array, and standard input may be the array") {
    const ArrayFolder folder;
    folder.make(nine);
    folder.make("apply rope --x x.npy --npy y.npy");
    folder.make("apply rope --x - --npy z.npy <x.npy");
    folder.make("apply rope --x x.npy -o x.npy");
    CHECK(content(folder.path("x.npy")) == content(folder.path("y.npy")));
    CHECK(content(folder.path("z.npy")) == content(folder.path("y.npy")));
    folder.make("list >/dev/null; cat y.npy | '" PEGEN_PROGRAM
                "' apply rope --x - --inverse --npy z.npy");
    CHECK(folder.values("z.npy").size() == 96);
}

TEST_CASE("apply: outputs, --dry-run, --quiet and --no-clobber are those of tables") {
    const ArrayFolder folder;
    folder.make(nine);
    CHECK(folder.run("apply rope --x x.npy --dry-run --npy y.npy").output ==
          "shape       (6, 16)\ndtype       float32\naxes        position, channel\nnpy         "
          "y.npy, 512 bytes\n");
    CHECK(folder.names() == std::set<std::string>{"x.npy"});
    CHECK(folder.run("apply rope --x x.npy -q").output.empty());
    CHECK(folder.run("apply rope --x x.npy").output.starts_with("[["));
    CHECK(folder.run("apply rope --x x.npy --npy x.npy --no-clobber").status == 4);
    folder.make("apply rope --x x.npy --npy y.npy --png y.png --json y.json --csv y.csv");
    const auto json = nlohmann::json::parse(content(folder.path("y.json")));
    CHECK(json["encoding"].is_null());
    CHECK(json["axes"] == nlohmann::json{"position", "channel"});
    CHECK(folder.run("apply rope --x x.npy --csv - --start 7").output.find("\n7,") !=
          std::string::npos);
    CHECK(folder.run("apply rope --x x.npy --emit c")
              .output.starts_with("// an array from a file, by pe-gen apply\n"));
}

TEST_CASE("apply add: extents that are not given are those of the array") {
    const ArrayFolder folder;
    folder.make(nine);
    folder.make("sinusoid --len 6 --d 16 --dtype float64 --npy t.npy");
    folder.make("apply add --x x.npy --npy y.npy -- sinusoid");
    const auto x = folder.values("x.npy"), t = folder.values("t.npy"), y = folder.values("y.npy");
    for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK(y[i] == static_cast<double>(static_cast<float>(x[i] + t[i])));
    }
    CHECK(folder.refusal("apply add --x x.npy -- sinusoid --len 7") ==
          "pe-gen: apply add: x.npy has shape (6, 16), sinusoid shape (7, 16); a table's extents "
          "must be the last ones of the array\n");
    CHECK(folder.run("apply add --x x.npy -- fairseq --d 16").status == 0);
    CHECK(folder.run("apply add --x x.npy -- sinusoid --positions 1,2,3,4,5,6").status == 0);
    CHECK(folder.run("apply add --x x.npy -- sinusoid --len 5 --prefix-rows 1").status == 0);
    CHECK(folder.run("apply add --x x.npy -- sinusoid --prefix-rows 1").status == 0);
}

TEST_CASE("apply add: a table of a dtype is rounded to it before it is added") {
    const ArrayFolder folder;
    folder.make(nine);
    folder.make("sinusoid --len 6 --d 16 --npy t.npy");
    folder.make("apply add --x x.npy --npy y.npy -- sinusoid --dtype float32");
    const auto x = folder.values("x.npy"), t = folder.values("t.npy"), y = folder.values("y.npy");
    for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK(y[i] == static_cast<double>(static_cast<float>(x[i]) + static_cast<float>(t[i])));
    }
}

TEST_CASE("apply: leading axes share a table") {
    const ArrayFolder folder;
    const std::string row = "\0\0\x80\x3f\0\0\0\x40"s;  // 1, 2
    put(folder.path("x.npy"), npy_file("<f4", "False", "(2, 1, 2)", row + row));
    folder.make("apply add --x x.npy --npy y.npy -- sinusoid --start 0");
    CHECK(folder.values("y.npy") == std::vector<double>{1, 3, 1, 3});
    // The file holds two arrays of scores, one head each.
    put(folder.path("s.npy"), npy_file("<f4", "False", "(2, 1, 1, 2)", row + row));
    folder.make("apply bias --scores s.npy --npy z.npy -- alibi");
    CHECK(folder.values("z.npy") == std::vector<double>{1 - 0x1p-8, 2, 1 - 0x1p-8, 2});
}

TEST_CASE("apply bias: queries, keys and heads of a bias are those of the scores") {
    const ArrayFolder folder;
    folder.make("alibi --heads 12 --len 3 --key-len 4 --npy b.npy");
    folder.make("apply bias --scores b.npy --npy twice.npy -- alibi");
    const std::vector<double> bias = folder.values("b.npy"), twice = folder.values("twice.npy");
    for (std::size_t i = 0; i < bias.size(); ++i) CHECK(twice[i] == 2 * bias[i]);
    folder.make("apply bias --scores b.npy --npy keys.npy -- alibi --key-len 4");
    CHECK(content(folder.path("keys.npy")) == content(folder.path("twice.npy")));
    // A bias that is the same for all heads has two axes.
    folder.make("apply bias --scores b.npy --npy plain.npy -- formula --value k-q");
    const std::vector<double> plain = folder.values("plain.npy");
    for (std::size_t i = 0; i < bias.size(); ++i) {
        const double distance = static_cast<double>(i % 4) - static_cast<double>(i / 4 % 3 + 1);
        CHECK(plain[i] == static_cast<float>(bias[i] + distance));
    }
    CHECK(folder.refusal("apply bias --scores b.npy -- alibi --heads 8").find("(8, 3, 4)") !=
          std::string::npos);
    CHECK(folder.refusal("apply bias --scores b.npy -- rope") ==
          "pe-gen: apply bias: the table cos of rope has no axes of queries and keys; apply add "
          "adds any table\n");
    CHECK(folder.refusal("apply bias --scores b.npy -- t5 --table bucket") ==
          "pe-gen: apply bias: the table bucket holds integers; add a --table of real numbers\n");
}

TEST_CASE("apply rope-permute: rotating what is permuted is permuting what is rotated") {
    const ArrayFolder folder;
    folder.make(nine);
    const std::string permute =
        "apply rope-permute --from half --to interleaved --heads 1 --axis -1";
    for (const std::string part : {"", " --rotary-dim 8"}) {
        folder.make(permute + part + " --x x.npy --npy p.npy");
        folder.make("apply rope --pairing interleaved --x p.npy --npy a.npy" + part);
        folder.make("apply rope --pairing half --x x.npy --npy r.npy" + part);
        folder.make(permute + part + " --x r.npy --npy b.npy");
        CHECK(content(folder.path("a.npy")) == content(folder.path("b.npy")));
        folder.make(
            "apply rope-permute --from interleaved --to half --heads 1 --axis 1 --x p.npy "
            "--npy back.npy" +
            part);
        CHECK(content(folder.path("back.npy")) == content(folder.path("x.npy")));
    }
}

TEST_CASE("apply rope-permute: rows of weights and biases of any dtype move within their head") {
    const ArrayFolder folder;
    const std::string permute = "apply rope-permute --from half --to interleaved --heads 2 --x ";
    put(folder.path("b.npy"), npy_file("|u1", "False", "(8,)", "\0\1\2\3\4\5\6\7"s));
    folder.make(permute + "b.npy --npy c.npy");
    CHECK(folder.values("c.npy") == std::vector<double>{0, 2, 1, 3, 4, 6, 5, 7});
    const std::string last = "apply rope-permute --from half --to interleaved --heads 1 --x b.npy ";
    folder.make(last + "--rotary-offset 2 --npy c.npy");
    CHECK(folder.values("c.npy") == std::vector<double>{0, 1, 2, 5, 3, 6, 4, 7});
    folder.make(last + "--rotary-offset 2 --rotary-dim 4 --npy c.npy");
    CHECK(folder.values("c.npy") == std::vector<double>{0, 1, 2, 4, 3, 5, 6, 7});
    put(folder.path("w.npy"), npy_file("<V2", "False", "(4, 1)", "\1\xff\2\xff\3\xff\4\xff"s));
    folder.make("apply rope-permute --from interleaved --to half --heads 1 --x w.npy --npy v.npy");
    CHECK(content(folder.path("v.npy")).ends_with("\1\xff\3\xff\2\xff\4\xff"s));
}

TEST_CASE("apply: what cannot be done is refused") {
    const ArrayFolder folder;
    folder.make(nine);
    put(folder.path("i.npy"), npy_file("<i4", "False", "(2,)", "\0\0\0\0\1\0\0\0"s));
    put(folder.path("e.npy"), npy_file("<f4", "False", "(0, 4)", ""));
    put(folder.path("one.npy"), npy_file("<f4", "False", "(1,)", "\0\0\0\0"s));
    CHECK(folder.refusal("apply spin --x x.npy") ==
          "pe-gen: apply spin: must be one of rope, rope-grid, mrope, add, bias, rope-permute, "
          "resize, or a preset of rope, rope-grid or mrope\n");
    CHECK(folder.refusal("apply --x x.npy") ==
          "pe-gen: --x: the operation comes first, as in pe-gen apply rope --x\n");
    CHECK(folder.refusal("apply rope") ==
          "pe-gen: apply rope: needs --x FILE, an array of NumPy\n");
    CHECK(folder.refusal("apply rope x.npy") ==
          "pe-gen: unexpected argument 'x.npy'; the array is --x x.npy\n");
    CHECK(folder.refusal("apply rope --x i.npy") ==
          "pe-gen: i.npy: holds int32; save array.astype('float32')\n");
    CHECK(folder.refusal("apply rope --x e.npy") == "pe-gen: e.npy: shape (0, 4): has no values\n");
    CHECK(folder.refusal("apply rope --x one.npy") ==
          "pe-gen: one.npy: shape (1,): needs the axes (..., len, d)\n");
    for (const cli::Operation* operation : cli::all_operations()) {
        if (operation->arguments.find(" -- ") != std::string_view::npos) continue;
        const std::string command = fmt::format("apply {}", operation->name);
        CHECK(folder.refusal(command + " --x x.npy -- sinusoid") ==
              fmt::format("pe-gen: {}: takes no encoding after '--'\n", command));
    }
    CHECK(folder.refusal("apply add --x x.npy") ==
          "pe-gen: apply add: needs one encoding after '--', as in pe-gen apply add --x "
          "embedded.npy -- sinusoid\n");
    CHECK(folder.refusal("apply add --x x.npy -- sinusoid --npy y.npy") ==
          "pe-gen: apply add: only what makes a table may stand after '--'; move all else before "
          "it\n");
    CHECK(
        folder.refusal("apply rope --x x.npy --dtype int32").starts_with("pe-gen: --dtype int32"));
    const std::string permute = "apply rope-permute --x x.npy ";
    CHECK(folder.refusal(permute + "--to half")
              .starts_with("pe-gen: apply rope-permute: needs --from"));
    CHECK(folder.refusal(permute + "--from half --to half --heads 1") ==
          "pe-gen: --to half: is --from; nothing would change\n");
    const std::string both = permute + "--from half --to interleaved ";
    CHECK(folder.refusal(both + "--heads 4") ==
          "pe-gen: --heads 4: must divide 6, the extent of axis 0 of x.npy, (6, 16)\n");
    CHECK(folder.refusal(both + "--heads 2") ==
          "pe-gen: --heads 2: makes heads of 3 channels of 6, and channels turn in pairs\n");
    CHECK(folder.refusal(both + "--heads 2 --rotary-dim 4") ==
          "pe-gen: --rotary-dim 4: must be even and at most 3, the channels of a head\n");
    CHECK(folder.refusal(both + "--heads 1 --axis 1 --rotary-offset 15") ==
          "pe-gen: --rotary-offset 15: must be at most 14, as a head has 16 channels\n");
    CHECK(folder.refusal(both + "--heads 1 --axis 1 --rotary-offset 3") ==
          "pe-gen: --heads 1: makes heads of 16 channels of 16, 13 behind --rotary-offset, and "
          "channels turn in pairs\n");
    CHECK(folder.refusal(both + "--heads 1 --axis 1 --rotary-offset 8 --rotary-dim 10") ==
          "pe-gen: --rotary-dim 10: must be even and at most 8, the channels of a head behind "
          "--rotary-offset\n");
    CHECK(folder.refusal(both + "--heads 1 --axis 2") ==
          "pe-gen: --axis 2: x.npy has 2 axes, counted from 0\n");
    CHECK(folder.refusal(both + "--heads 1 --axis -3") ==
          "pe-gen: --axis -3: x.npy has 2 axes, counted from 0\n");
    CHECK(folder.refusal("apply rope --config - --x -") ==
          "pe-gen: --x - --config -: standard input can be only one of them\n");
    put(folder.path("bad.npy"), "\x93NUMPY");
    CHECK(folder.run("apply rope --x bad.npy").status == 3);
    CHECK(folder.run("apply rope --x missing.npy").status == 4);
    CHECK(folder.names() == std::set<std::string>{"bad.npy", "e.npy", "i.npy", "one.npy", "x.npy"});
}

TEST_CASE("apply: help names every operation, and each its options") {
    const std::string help = run_program("apply --help").output;
    CHECK(run_program("help apply").output == help);
    CHECK(run_program("apply").output == help);
    for (const cli::Operation* operation : cli::all_operations()) {
        CHECK(help.find("\n  " + std::string(operation->name) + " ") != std::string::npos);
        const std::string text =
            run_program("apply " + std::string(operation->name) + " -h").output;
        for (const ParameterSpec& spec : operation->parameters) {
            CHECK(text.find("--" + std::string(spec.name)) != std::string::npos);
        }
        for (const std::string_view line : fields(text, '\n')) CHECK(line.size() <= 100);
    }
}
