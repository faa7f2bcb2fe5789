#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "encodings/registry.h"
#include "files/temporary_folder.h"
#include "program.h"

using pegen::testing::TemporaryFolder;

namespace {

struct Mistake {
    const char* arguments;
    const char* message;  ///< without "pe-gen: "
};

void check_messages(std::initializer_list<Mistake> mistakes) {
    for (const Mistake& mistake : mistakes) {
        CAPTURE(mistake.arguments);
        const TemporaryFolder folder;
        const ProgramRun run = run_program(mistake.arguments, folder.path(""));
        CHECK(run.status == 2);
        CHECK(run.errors == std::string("pe-gen: ") + mistake.message + "\n");
        CHECK(folder.names().empty());
    }
}

}  // namespace

TEST_CASE("mistakes: -d and -n are the width and the length wherever there are such") {
    const std::string expected = run_program("sinusoid --d 4 --len 3").output;
    for (const char* arguments : {"-d 4 -n 3", "-d4 -n3", "-d=4 -n=3", "--dim 4 --seq-len 3",
                                  "--d_model 4 --num_positions 3", "-d 4 --seq_len 3"}) {
        CHECK(run_program(std::string("sinusoid ") + arguments).output == expected);
    }
    CHECK(run_program("alibi -n 3 --heads 1").output ==
          run_program("alibi --len 3 --heads 1").output);
    CHECK(run_program("compare whisper marian -d 8 -n 3").output ==
          run_program("compare whisper marian --d 8 --len 3").output);
    CHECK(run_program("attention t5 -n 3 -d 8 --heads 2").output ==
          run_program("attention t5 --len 3 --d 8 --heads 2").output);
}

TEST_CASE("mistakes: numbers and words without an option are given one") {
    check_messages({
        {"sinusoid 128 400", "unexpected argument '128'; did you mean --d 128 --len 400?"},
        {"sinusoid 128", "unexpected argument '128'; did you mean --d 128?"},
        {"mae 14 16", "unexpected argument '14'; did you mean --height 14 --width 16?"},
        {"index 7", "unexpected argument '7'; did you mean --len 7?"},
        {"sinusoid 1 2 3", "unexpected argument '1'; options begin with --"},
        {"sinusoid halves", "unexpected argument 'halves'; did you mean --layout halves?"},
        {"sinusoid out.png", "unexpected argument 'out.png'; did you mean -o out.png?"},
        {"sinusoid foo", "unexpected argument 'foo'; options begin with --"},
        {"sinusoid \u2013d 64",
         "unexpected argument '\u2013d'; '\u2013' is a dash of printed text: type the hyphen, --"},
        {"alibi --mask -o a.png", "--mask: needs a value"},
        {"sinusoid ---d 64", "---d: unknown option; did you mean '--d'?"},
    });
}

TEST_CASE("mistakes: a file in the place of a name is answered by what it may be") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path("model"));
    for (const char* file : {"config.json", "m.gguf", "t.npy"}) std::ofstream(folder.path(file));
    const auto message = [&](const std::string& arguments) {
        return run_program(arguments, folder.path("")).errors;
    };
    CHECK(
        message("model") ==
        "pe-gen: 'model': is a folder; pe-gen identify model looks at its arrays, and pe-gen rope "
        "--config model makes the table of its configuration\n");
    CHECK(message("m.gguf").starts_with("pe-gen: 'm.gguf': is a model; pe-gen identify m.gguf "));
    CHECK(
        message("describe config.json") ==
        "pe-gen: 'config.json': is a file; if it is the configuration of a model, pe-gen describe "
        "--config config.json says what it asks for, and pe-gen rope --config config.json makes "
        "its table\n");
    CHECK(message("t.npy") ==
          "pe-gen: 't.npy': is a file; pe-gen identify t.npy says what it is, "
          "and pe-gen plot t.npy draws its array\n");
    CHECK(message("info t.np") ==
          "pe-gen: t.np: cannot open: No such file or directory; did you mean 't.npy'?\n");
    CHECK(message("info google/vit") ==
          "pe-gen: google/vit: cannot open: No such file or directory; nothing is downloaded: name "
          "a file or folder\n");
    CHECK(message("resize") ==
          "pe-gen: 'resize': no such encoding, preset or command; pe-gen apply resize does it\n");
}

TEST_CASE("mistakes: an option that others have is answered by those that this one has") {
    check_messages({
        {"mae --len 3", "--len: unknown option of mae, which has --height, --width and --depth"},
        {"grid --size 4",
         "--size: unknown option of grid, which has --height, --width, --depth and --d"},
        {"flux --frames 4",
         "--frames: unknown option of flux, which has --height, --width and --depth"},
        {"flux --text-len 4",
         "--text-len: unknown option of flux; did you mean '--prefix-tokens'?"},
        {"rope --table cos_sin_cache",
         "--table cos_sin_cache: pe-gen rope --table cos-sin makes it"},
        {"alibi --image 4*4", "--image 4*4: must be ROWSxCOLUMNS, as in 14x10, or N"},
        {"glm4v",
         "'glm4v': no such encoding, preset or command; pe-gen list --search 'glm4v' finds pe-gen "
         "rope --config config.json"},
        {"index --height 4", "--height: unknown option of index, which has --len"},
        {"sinusoid --config c.json",
         "--config: unknown option of sinusoid; pe-gen describe --config FILE prints the command "
         "of "
         "a model"},
        {"--config c.json", "--config: the encoding comes first, as in pe-gen rope --config"},
    });
}

TEST_CASE("mistakes: up to four encodings that have an option are named, of more three") {
    const auto& parameters = pegen::find_encoding("index")->parameters;
    std::map<std::size_t, std::string> messages;  // one for each number of encodings
    for (const pegen::Encoding* encoding : pegen::all_encodings()) {
        for (const pegen::ParameterSpec& spec : encoding->parameters) {
            if (spec.is_extent() || pegen::cli::find_option(parameters, spec.name)) continue;
            if (spec.name == "config") continue;  // has an answer of its own
            std::vector<std::string> owners;
            for (const pegen::Encoding* other : pegen::all_encodings()) {
                if (pegen::cli::find_option(other->parameters, spec.name)) {
                    owners.emplace_back(other->name);
                }
            }
            const std::size_t count = owners.size();
            if (count > 4)
                owners = {owners[0], owners[1], owners[2], fmt::format("{} others", count - 3)};
            std::string text = owners[0];
            for (std::size_t i = 1; i < owners.size(); ++i) {
                text += (i + 1 == owners.size() ? " and " : ", ") + owners[i];
            }
            messages[count] = fmt::format("--{}: unknown option of index; {} {} it", spec.name,
                                          text, count == 1 ? "has" : "have");
        }
    }
    CHECK(messages.contains(4));
    CHECK(messages.contains(5));
    for (const auto& [count, message] : messages) {
        const std::string option = message.substr(0, message.find(':'));
        check_messages({{("index " + option + "=1").c_str(), message.c_str()}});
    }
}

TEST_CASE("mistakes: a beginning is worth more than a few letters") {
    check_messages({
        {"sinusoid --hidden 4", "--hidden: unknown option; did you mean '--hidden-size'?"},
        {"sinusoid --out x", "--out: unknown option; did you mean '--out-scale' or '--output'?"},
        {"sinusoid --table freq",
         "--table freq: must be one of encoding, frequencies, wavelengths; did you mean "
         "'frequencies'?"},
        {"sinusoid --layout half",
         "--layout half: must be one of interleaved, halves; did you mean 'halves'?"},
        {"sinusoid --lne 4", "--lne: unknown option; did you mean '--len'?"},
        {"sin", "'sin': no such encoding, preset or command; did you mean 'sinusoid'?"},
    });
}

TEST_CASE("mistakes: an option of one letter is like no other") {
    check_messages({
        {"sinusoid -l 400", "-l: unknown option; see pe-gen sinusoid --help"},
        {"sinusoid --n 3", "--n: unknown option; did you mean '--len'?"},
        {"detr -d 4", "-d: unknown option; see pe-gen detr --help"},
        {"apply bias --x a.npy -- alibi", "--x: unknown option; did you mean '--scores'?"},
    });
}

TEST_CASE("mistakes: an unknown option is named as it was typed") {
    check_messages({
        {"sinusoid --FooBar 4", "--FooBar: unknown option; see pe-gen sinusoid --help"},
    });
}

TEST_CASE("mistakes: one number is not taken for the parts of several axes") {
    check_messages({
        {"mrope --d 16 --sections 8", "--sections 8: must be 3 numbers, for frame, row and column"},
        {"grid --d 16 --split 8",
         "--split 8: must be equal, or 2 numbers such as 1/4,3/4: of channels, or parts of d, for "
         "height and width"},
        {"grid --d 16 --split 1/2 --depth 2",
         "--split 1/2: must be equal, or 3 numbers such as 1/2,1/4,1/4: of channels, or parts of "
         "d, for depth, height and width"},
        {"rope-grid --d 16 --split 8", "--split 8: must be 2 numbers, for height and width"},
        {"rope-grid --d 16 --split 8 --depth 2",
         "--split 8: must be 3 numbers, for depth, height and width"},
        {"rope-grid --spectrum linear --freqs 10",
         "--spectrum linear: needs --freqs FIRST,LAST, the first and the last frequency"},
        {"rope-grid --freqs 10",
         "--freqs: has no effect with --spectrum own, only with linear, geometric"},
        {"learned-grid --max-sizes 10", "--max-sizes 10: needs 2 numbers, one for each axis"},
    });
}

TEST_CASE("mistakes: what stands before the name is said to be what it is") {
    check_messages({
        {"-v", "-v: unknown option; -V or --version prints the version"},
        {"--list", "--list: unknown option; list is a command: pe-gen list"},
        {"--quiet sinusoid", "--quiet: the encoding comes first, as in pe-gen sinusoid --quiet"},
        {"-n 3", "-n: the encoding comes first, as in pe-gen sinusoid -n"},
        {"--nonsense", "--nonsense: unknown option; see pe-gen --help"},
        {"--verison", "--verison: unknown option; did you mean '--version'?"},
    });
}

TEST_CASE("mistakes: what has another name, or does not exist, is said in a sentence") {
    check_messages({
        {"rotary", "'rotary': no such encoding, preset or command; pe-gen rope makes its table"},
        {"open x.png",
         "'open': no such encoding, preset or command; pe-gen plot FILE draws a table, "
         "and --show draws it in the terminal"},
        {"version",
         "'version': no such encoding, preset or command; pe-gen --version prints the "
         "version"},
        {"sinusoid -o x.eps",
         "--output x.eps: EPS is not written; use PDF, which converts without loss"},
        {"sinusoid --ps x.ps",
         "--ps: unknown option; EPS is not written; use PDF, which converts without loss"},
        {"sinusoid -o x.jpg", "--output x.jpg: the pictures that are written are PNG, SVG and PDF"},
    });
}

TEST_CASE("mistakes: a file of one format does not get the extension of another") {
    check_messages({
        {"index --npy x.png",
         "--npy x.png: has the extension of png; use a name that ends in .npy"},
        {"index --png x.npy",
         "--png x.npy: has the extension of npy; use a name that ends in .png"},
        {"index --text x.csv",
         "--text x.csv: has the extension of csv; use a name that ends in .txt"},
        {"diff a.npy b.npy --png x.npy",
         "--png x.npy: has the extension of npy; use a name that ends in .png"},
    });
    const TemporaryFolder folder;
    for (const char* path : {"a.npy.tmp", "a", "a.data", "a.txt"}) {
        const std::string format = std::string(path) == "a.txt" ? "csv" : "npy";
        CHECK(run_program("index --len 3 --" + format + " " + path, folder.path("")).status == 0);
    }
    CHECK(run_program("index --len 3 -o .npy", folder.path("")).status == 0);
    CHECK(folder.names() == std::set<std::string>{".npy", "a", "a.data", "a.npy.tmp", "a.txt"});
}

TEST_CASE("mistakes: no file is lost because its option is given twice") {
    const TemporaryFolder folder;
    CHECK(run_program("check sinusoid --d 4 --len 5 --png a.png --png b.png", folder.path(""))
              .status == 0);
    CHECK(run_program("attention t5 --npy c.npy --npy d.npy", folder.path("")).status == 0);
    CHECK(
        run_program("apply rope --x c.npy --npy e.npy -o f.npy -o f.csv", folder.path("")).status ==
        0);
    CHECK(folder.names() ==
          std::set<std::string>{"a.png", "b.png", "c.npy", "d.npy", "e.npy", "f.npy", "f.csv"});
    check_messages({
        {"diff a.npy b.npy --png a.png --png b.png",
         "--png b.png: is the second --png, after a.png; give one of them"},
        {"apply rope --x a.npy --x b.npy",
         "--x b.npy: is the second --x, after a.npy; give one of them"},
        {"detr --mask a.npy --mask b.npy",
         "--mask b.npy: is the second --mask, after a.npy; give one of them"},
    });
}

TEST_CASE("mistakes: what is out of scope is told so") {
    check_messages({
        {"laplacian-eigenvectors",
         "'laplacian-eigenvectors': encodings of graphs are made of a graph's matrix, not of "
         "positions"},
        {"spherical_harmonics",
         "'spherical_harmonics': spherical harmonics are not sines of a position"},
    });
}

TEST_CASE("mistakes: the name of a model says what makes its table") {
    check_messages({
        {"longformer",
         "'longformer': no such encoding, preset or command; pe-gen bert --len 4098 "
         "--padding-row 1 makes its table"},
        {"describe MPNet",
         "'MPNet': no such encoding, preset or command; pe-gen bert --len 514 "
         "--padding-row 1 makes its table (and the buckets of pe-gen t5)"},
        {"convnext", "'convnext': convolutions need no positions: there is no table"},
        {"all-MiniLM-L6-v2",
         "'all-MiniLM-L6-v2': no such encoding, preset or command; pe-gen list "
         "--search 'all-MiniLM-L6-v2' finds pe-gen bert"},
        {"lmnt-com",
         "'lmnt-com': no such encoding, preset or command; pe-gen list --search "
         "'lmnt-com' finds pe-gen diffwave"},
        {"xyzzy", "'xyzzy': no such encoding, preset or command; see pe-gen list"},
    });
}
