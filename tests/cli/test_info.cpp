#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "cli/arguments.h"
#include "cli/request.h"
#include "encodings/npy_file.h"
#include "figure/figure.h"
#include "files/read_archive.h"
#include "files/temporary_folder.h"
#include "formats/command.h"
#include "fuzz/shell_words.h"
#include "program.h"

using namespace std::string_literals;
using namespace pegen;
using namespace pegen::cli;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

struct File {
    std::string bytes;
    std::string answer;
};

/// Runs `info` on a file of these bytes.
ProgramRun info_of(const std::string& bytes, const std::string& options = "") {
    const TemporaryFolder folder;
    put(folder.path("a"), bytes);
    return run_program("info " + options + " a", folder.path(""));
}

const std::string eight_bytes = "\0\1\0\2\0\3\0\4"s;

}  // namespace

TEST_CASE("info: says what is in an NPY file") {
    const ProgramRun run = info_of(npy_file(">u2", "True", "(2, 2)", eight_bytes));
    CHECK(run.status == 0);
    CHECK(run.errors.empty());
    CHECK(run.output ==
          "format    npy\n"
          "shape     (2, 2)\n"
          "dtype     uint16\n"
          "order     Fortran\n"
          "bytes     big-endian\n"
          "values    4\n"
          "min       1\n"
          "max       4\n"
          "mean      2.5\n"
          "nan       0\n"
          "infinite  0\n"
          "first     1 3 2 4\n");
}

TEST_CASE("info: the same as JSON") {
    CHECK(
        info_of(npy_file("<f2", "False", "(4,)", "\0\x3c\0\x7e\0\xfc\1\0"s), "--json").output ==
        R"({"schema":"pe-gen/info/1","format":"npy","shape":[4],"dtype":"float16","order":"C","bytes":"little-endian",)"
        R"("values":4,"min":6e-08,"max":1,"mean":0.5000000298023224,"nan":1,"infinite":1,)"
        R"("first":[1,"NaN","-Infinity",6e-08],"text":"format    npy\nshape     (4,)\n)"
        R"(dtype     float16\norder     C\nbytes     little-endian\nvalues    4\nmin       6e-08\n)"
        R"(max       1\nmean      0.5000000298023224\nnan       1\ninfinite  1\n)"
        R"(first     1 nan -inf 6e-08\n"})"
        "\n");
}

TEST_CASE("info: of arrays without values or axes") {
    const std::string empty = info_of(npy_file("<f4", "False", "(0, 3)", "")).output;
    CHECK(empty.find("min       none\n") != std::string::npos);
    const ProgramRun json = info_of(npy_file("<f4", "False", "(0, 3)", ""), "--json");
    const auto members = nlohmann::json::parse(json.output);
    CHECK(members["mean"].is_null());
    CHECK(members["first"].empty());
    CHECK(info_of(npy_file("|b1", "False", "()", "\1")).output.find("shape     ()\n") !=
          std::string::npos);
}

TEST_CASE("info: first values are those of the array and not of the file") {
    std::string elements;
    for (char value = 0; value < 24; ++value) elements += value;
    // In a 2 x 3 x 4 array in Fortran order, element (0, 0, k) has the offset 6 k in the file, and
    // element (0, 1, k) the offset 6 k + 2.
    CHECK(info_of(npy_file("|u1", "True", "(2, 3, 4)", elements))
              .output.find("first     0 6 12 18 2 8 14 20 ...\n") != std::string::npos);
}

TEST_CASE("info: files that are pe-gen's say the command that made them") {
    const TemporaryFolder folder;
    REQUIRE(run_program("whisper --d 8 --len 20 --reverse --png a.png --svg a.svg --pdf a.pdf "
                        "--json a.json --html a.html --figsize 3x2 --dtype f16",
                        folder.path(""))
                .status == 0);
    const std::string table = "pe-gen whisper --len 20 --d 8 --reverse --dtype float16 ";
    CHECK(run_program("info a.png", folder.path("")).output ==
          "format    png\npixels    300x200\ncommand   " + table + "--figsize 3x2 --png a.png\n");
    CHECK(run_program("info - <a.png", folder.path("")).output ==
          "format    png\npixels    300x200\ncommand   " + table + "--figsize 3x2 --png -\n");
    CHECK(run_program("info a.svg", folder.path("")).output ==
          "format    svg\npixels    300x200\ncommand   " + table + "--figsize 3x2 --svg a.svg\n");
    CHECK(run_program("info a.pdf", folder.path("")).output ==
          "format    pdf\npoints    216x144\ncommand   " + table + "--figsize 3x2 --pdf a.pdf\n");
    CHECK(run_program("info a.html", folder.path("")).output ==
          "format    html\ncommand   " + table + "--html a.html\n");
    CHECK(run_program("info a.json", folder.path("")).output ==
          "format    json\nshape     (20, 8)\ndtype     float16\ncommand   " + table +
              "--json a.json\n");
}

TEST_CASE("info: arrays are listed whoever wrote the metadata beside them") {
    const std::string header = R"({"__metadata__":{"pe-gen":"x"},"a":{"dtype":"F32","shape":[1],)"
                               R"("data_offsets":[0,4]}})";
    const ProgramRun run = info_of(std::string(1, static_cast<char>(header.size())) +
                                   "\0\0\0\0\0\0\0"s + header + "\0\0\0\0"s);
    CHECK(run.status == 0);
    CHECK(run.output.find("a  float32 (1,)\n") != std::string::npos);
    CHECK(run.output.find("not known: the record in the metadata is damaged") != std::string::npos);
}

TEST_CASE("info: the command makes the same file again") {
    const TemporaryFolder folder;
    for (const std::string file : {
             "mae --height 3 --width 5 --d 16 --json 'a b'",
             "mae --height 3 --width 5 --d 16 --plot heatmap --cmap RdBu-r --vmin -2 --vmax=3 "
             "--title \"it's -- 'a' \xce\xb8\" --xlabel '' --ylabel=-x --transpose --aspect equal "
             "--interpolation nearest --figsize 3.5x2 --dpi 72.5 --no-colorbar --png 'a b'",
             "sinusoid --d 32 --len 50 --dtype bf16 --plot waves --channels 3,1 --svg 'a b'",
             "sinusoid --d 32 --len 50 --title '(\\\\ \xce\xb8' --theme dark --pdf 'a b'",
             "detr --height 3 --width 5 --valid 2x2 --select 0,7 --colorbar-label='$(ls)' "
             "--png 'a b'",
             "fairseq --d 8 --len 4 --cell 3 --png 'a b'",
             "fairseq --d 8 --len 4 --cmap gray --title '<b> & \"' --html 'a b'",
             "fairseq --d 8 --len 4 --vcenter 0.5 --vmax 1 --png 'a b'",
             "fairseq --d 8 --table wavelengths --png 'a b'",
             "fairseq --d 8 --table wavelengths --plot heatmap --png 'a b'",
             "fairseq --d 8 --table wavelengths --cmap gray --png 'a b'",
         }) {
        CAPTURE(file);
        REQUIRE(run_program(file, folder.path("")).status == 0);
        const std::string made = pegen::testing::content(folder.path("a b"));
        const ProgramRun run = run_program("info --json 'a b'", folder.path(""));
        const std::string command = nlohmann::json::parse(run.output)["command"];
        CAPTURE(command);
        std::filesystem::remove(folder.path("a b"));
        REQUIRE(run_program(command.substr(7), folder.path("")).status == 0);
        CHECK(pegen::testing::content(folder.path("a b")) == made);
    }
}

TEST_CASE("info: pipes and FIFOs are read") {
    const TemporaryFolder folder;
    put(folder.path("a.npy"), npy_file(">u2", "True", "(2, 2)", eight_bytes));
    const std::string answer = run_program("info a.npy", folder.path("")).output;
    CHECK(run_program("info - <a.npy", folder.path("")).output == answer);
    CHECK(run_program("list >/dev/null; cat a.npy | '" PEGEN_PROGRAM "' info -", folder.path(""))
              .output == answer);
    CHECK(run_program("list >/dev/null; mkfifo f; cat a.npy >f & '" PEGEN_PROGRAM "' info f",
                      folder.path(""))
              .output == answer);
    // The input is endless, so a program that reads all of it would never end.
    const ProgramRun endless =
        run_program("list >/dev/null; yes | '" PEGEN_PROGRAM "' info -", folder.path(""));
    CHECK(endless.status == 3);
}

TEST_CASE("info: what cannot be read is said in one line") {
    const auto refusal = [](const std::string& bytes) {
        const ProgramRun run = info_of(bytes);
        CHECK(run.status == 3);
        CHECK(run.output.empty());
        return run.errors;
    };
    CHECK(
        refusal("{\"schema\":\"pe-gen/manifest/1\"}").starts_with("pe-gen: a: is a JSON object, "));
    const std::string whole = npy_file(">u2", "True", "(2, 2)", eight_bytes);
    for (std::size_t length = 1; length < whole.size(); length += 7) {
        CAPTURE(length);
        CHECK(std::ranges::count(refusal(whole.substr(0, length)), '\n') == 1);
    }
    CHECK(refusal(npy_file("<f8", "False", "(1000000000000, 1000000)", "x"))
              .find("needs 8000000000000000") != std::string::npos);
    CHECK(refusal("\x89PNG\r\n\x1a\n") ==
          "pe-gen: a: byte 8: the PNG file ends where a chunk would begin\n");
    CHECK(refusal("<svg viewBox=\"0 0 1in 2in\"></svg>") ==
          "pe-gen: a: not an SVG file of pe-gen's: its viewBox is not in pixels\n");
    CHECK(refusal("%PDF-1.5\n").starts_with("pe-gen: a: is a PDF file; "));
    for (const char* width : {"x", "inf", "1e999", "nan"}) {
        CHECK(
            refusal(
                "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Producer (pe-gen) >>\nendobj\n/MediaBox [0 0 3 "s +
                width + "]") ==
            "pe-gen: a: not a PDF file of pe-gen's: its MediaBox has no width and height\n");
    }
    CHECK(refusal(R"({"schema":"pe-gen/table/1","shape":[1]})") ==
          "pe-gen: a: the file ends, or goes on for 2^20 bytes, before its \"data\"\n");
    CHECK(refusal(R"({"schema":"pe-gen/table/1","shape":[-1],"dtype":"float32","data":[]})") ==
          "pe-gen: a: shape (-1,): negative\n");
    CHECK(refusal(R"({"schema":"pe-gen/table/1","shape":[0.5],"dtype":"float32","data":[]})") ==
          "pe-gen: a: \"shape\": must be a list of whole numbers\n");
}

TEST_CASE("info: what is no file is a file error") {
    const TemporaryFolder folder;
    const ProgramRun missing = run_program("info none.npy", folder.path(""));
    CHECK(missing.status == 4);
    CHECK(missing.errors == "pe-gen: none.npy: cannot open: No such file or directory\n");
    const ProgramRun directory = run_program("info .", folder.path(""));
    CHECK(directory.status == 3);
    CHECK(directory.errors.starts_with("pe-gen: .: is a folder without a file of arrays"));
    CHECK(run_program("info", folder.path("")).status == 2);
    CHECK(run_program("info a b", folder.path("")).status == 2);
}

TEST_CASE("info: the keys of a GGUF file are listed, and long ones are cut off") {
    const std::string bytes = pegen::testing::bytes_of("gguf-little.gguf");
    const std::string text = info_of(bytes).output;
    CHECK(text.find("metadata  general.architecture  \"llama\"\n") != text.npos);
    CHECK(text.find("\n          x.texts               long\n") != text.npos);
    CHECK(text.find("\narrays    f4  float32 (2, 3)\n") != text.npos);
    const auto json = nlohmann::json::parse(info_of(bytes, "--json").output);
    CHECK(json["metadata"]["x.i64"] == -1099511627776);
    CHECK(json["metadata"]["x.texts"].is_null());
}

TEST_CASE("info: JSON that is nested without end is refused before anything goes down into it") {
    const pegen::testing::TemporaryFolder folder;
    constexpr std::size_t depth = 400'000;
    pegen::testing::put(folder.path("deep.json"),
                        R"({"schema":"pe-gen/table/1","encoding":"index","x":)" +
                            std::string(depth, '[') + std::string(depth, ']') +
                            R"(,"dtype":"float32","shape":[],"data":[]})");
    const ProgramRun run = run_program("info deep.json", folder.path(""));
    CHECK(run.status == 3);
    CHECK(run.errors.ends_with("nested deeper than 32\n"));
}

TEST_CASE("info: in its command, any text is the value of its option again") {
    constexpr std::string_view alphabet("-= '\"\\[]{}%,x1.$`\n\t\x1b\x7f\xc3\xa9\xc2\x9b", 25);
    std::mt19937 random(1);
    const auto any_text = [&] {
        std::string text;
        for (auto left = random() % 6; left > 0; --left) {
            // The last characters of the alphabet have two bytes.
            const std::size_t at = random() % 23;
            text += at < 21 ? alphabet.substr(at, 1) : alphabet.substr(2 * at - 21, 2);
        }
        return text;
    };
    const Subject subject = find_subject("detr");
    for (int i = 0; i < 3000; ++i) {
        const std::string title = any_text(), mask = "m" + any_text();
        const nlohmann::json provenance{{"encoding", "detr"},
                                        {"table", "encoding"},
                                        {"parameters", {{"mask", mask}}},
                                        {"figure", {{"title", title}}}};
        const std::string line = command_of("a.png", provenance.dump());
        CAPTURE(line);
        const std::vector<std::string> words = fuzz::shell_words(line);
        const std::vector<std::string_view> arguments(words.begin() + 2, words.end());
        const Arguments given = parse_arguments(arguments, options_of(subject), "detr");
        CHECK(given.positionals.empty());
        const Parameters figure = with_options(Parameters(figure_parameters()), given.options);
        CHECK(figure.word("title") == title);
        const Parameters own =
            with_options(Parameters(subject.encoding->parameters), given.options);
        CHECK(own.word("mask") == mask);
    }
}
