#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/names.h"
#include "core/utf8.h"
#include "encodings/npy_file.h"
#include "files/temporary_folder.h"
#include "files/write_zip.h"
#include "formats/png.h"
#include "program.h"

using namespace pegen;
using pegen::testing::content;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;
using Json = nlohmann::ordered_json;

namespace {

/// Text that an attacker might write where a name is expected: a line that looks like pe-gen's own,
/// and terminal control sequences of 7 bits and of 8.
const std::string evil = "x\nforged line\r\x1b[2J\x1b]0;title\x07\t\x7f\xc2\x9b\x38m\xe2\x80\xae";

std::string json(const std::string& text) { return Json(text).dump(); }

std::string evil_npy() { return npy_file("|u1", "False", "(3, 1)", "\1\2\3"); }

std::string evil_safetensors() {
    const std::string header = fmt::format(
        R"({{"__metadata__":{{{0}:{0}}},{0}:{{"dtype":"U8","shape":[3],"data_offsets":[0,3]}},)"
        R"({1}:{{"dtype":{0},"shape":[1],"data_offsets":[3,4]}}}})",
        json(evil), json(evil + "2"));
    std::string length(8, '\0');
    for (std::size_t i = 0; i < 3; ++i) length[i] = static_cast<char>(header.size() >> 8 * i);
    return length + header + "\1\2\3\4";
}

std::string evil_npz() {
    const std::array members{evil_npy(), std::string("\x93NUMPY\x01") + evil};
    const std::vector<ZipEntry> entries{{evil + ".npy", std::ssize(members[0])},
                                        {evil + "2.npy", std::ssize(members[1])}};
    std::string file;
    const ByteSink sink{[&](std::span<const std::byte> bytes) {
                            file.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                        },
                        [&](std::int64_t offset, std::span<const std::byte> bytes) {
                            std::ranges::copy(bytes, reinterpret_cast<std::byte*>(&file[offset]));
                        }};
    write_zip(sink, entries, [&](std::size_t i, const WriteBytes& write) {
        write(std::as_bytes(std::span(members[i])));
    });
    return file;
}

std::string evil_provenance() {
    return fmt::format(R"({{"encoding":"sinusoid","table":"encoding","parameters":{{"d":4}},)"
                       R"("figure":{{"title":{}}},"preset":null}})",
                       json(evil));
}

std::string evil_png() {
    Image image;
    image.width = image.height = 1;
    image.pixels = {0};
    return encode_png(image, {{"pe-gen", evil_provenance()}});
}

std::string evil_svg(const std::string& width) {
    return fmt::format("<svg viewBox=\"0 0 {} 1\"><metadata id=\"pe-gen\">{}</metadata></svg>",
                       width, evil_provenance());
}

std::string evil_pdf(const std::string& width) {
    return fmt::format(
        "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Producer (pe-gen) /pe-gen ({}) "
        ">>\nendobj\n/MediaBox [0 0 {} 1]",
        evil_provenance(), width);
}

std::string evil_json(const std::string& dtype, const std::string& encoding) {
    return fmt::format(R"({{"schema":"pe-gen/table/1","encoding":{},"table":"encoding",)"
                       R"("parameters":{{"d":4}},"figure":{{"title":{}}},"dtype":{},)"
                       R"("shape":[1],"axes":["a"],"data":[1]}})",
                       encoding, json(evil), json(dtype));
}

std::string evil_manifest(const std::string& key, const std::string& value) {
    return fmt::format(R"({{"jobs":[{{"encoding":"index","len":3,"csv":{},{}:{}}},)"
                       R"({{"encoding":"sinusoid","sweep":{{"d":[3,"4{}"]}},"npy":"y.npy"}}]}})",
                       json(evil), json(key), json(value),
                       json(evil).substr(1, json(evil).size() - 2));
}

std::string evil_config() {
    return fmt::format(R"({{"model_type":{0},"hidden_size":64,"num_attention_heads":2,{0}:{0},)"
                       R"("rope_scaling":{{"type":"linear","factor":2,{0}:{0}}}}})",
                       json(evil));
}

/// Returns the text as one word of the shell. Some shells do not know $'...'.
std::string in_quotes(const std::string& text) { return "'" + text + "'"; }

/// True if all text from `evil` stays within its line and contains nothing that a terminal
/// interprets.
bool is_harmless(const std::string& text) {
    return std::ranges::all_of(fields(text, '\n'), [](std::string_view line) {
        return line == one_line(line) && !line.starts_with("forged");
    });
}

}  // namespace

TEST_CASE("printed: no command obeys what a stranger's file or its name says") {
    struct EvilFile {
        std::string name;
        std::string bytes;
        std::vector<std::string> commands;  ///< FILE is replaced by the path
    };
    const std::vector<std::string> readers{"info FILE",
                                           "info --json FILE",
                                           "diff FILE FILE --json --png -",
                                           "diff FILE FILE",
                                           "diff FILE FILE --json",
                                           "diff FILE -- index",
                                           "check FILE",
                                           "check FILE --json",
                                           "apply add --x FILE",
                                           "check concat --x FILE --p FILE",
                                           "check concat --json --x FILE --p FILE",
                                           "apply add --x FILE -- learned --len 3 --d 1 --dry-run",
                                           "apply add --x FILE --dry-run -- learned --len 3 --d 1",
                                           "diff FILE FILE --png d.png",
                                           "info FILE:none",
                                           "check FILE --png - --show"};
    const std::vector<std::string> makers{"batch --dry-run FILE", "batch --check FILE",
                                          "batch FILE", "batch FILE"};
    const std::vector<EvilFile> files{
        {evil + ".npy", evil_npy(), readers},
        {"a.npz", evil_npz(), readers},
        {"a.safetensors", evil_safetensors(), readers},
        {"a.npz", evil_npz(), {"info FILE:NAME", "diff FILE:NAME FILE:NAME", "check FILE:NAME"}},
        {"descr.npy", npy_file(evil.c_str(), "False", "(1,)", "1"), readers},
        {"order.npy", npy_file("|u1", evil.c_str(), "(1,)", "1"), readers},
        {"shape.npy", npy_file("|u1", "False", evil.c_str(), "1"), readers},
        {"a.png", evil_png(), {"info FILE", "info --json FILE"}},
        {evil + ".png", evil_png(), {"info FILE", "info --json FILE"}},
        {"a.svg", evil_svg("1"), {"info FILE", "info --json FILE"}},
        {"a.svg", evil_svg(evil), {"info FILE", "info --json FILE"}},
        {"a.pdf", evil_pdf("1"), {"info FILE", "info --json FILE"}},
        {"a.pdf", evil_pdf(evil), {"info FILE", "info --json FILE"}},
        {"a.json", evil_json("float32", R"("sinusoid")"), {"info FILE", "info --json FILE"}},
        {"a.json", evil_json(evil, R"("sinusoid")"), {"info FILE", "info --json FILE"}},
        {"a.json", evil_json("float32", json(evil)), {"info FILE", "info --json FILE"}},
        {"a.json", evil_json(evil, "null"), {"info FILE", "info --json FILE"}},
        {"m.json", evil_manifest("png", "a.png"), makers},
        {"m.json", evil_manifest("png", evil), makers},
        {"m.json", evil_manifest("json", evil + "{" + evil + "}"), makers},
        {"m.json", evil_manifest("json", evil + "/x"), makers},
        {"m.json", evil_manifest(evil, "a.png"), makers},
        {"m.json", evil_manifest("positions", evil), makers},
        {evil + ".json", evil_manifest("png", "a.png"), makers},
        {"config.json",
         evil_config(),
         {"describe --config FILE", "rope --config FILE --dry-run", "rope --config FILE",
          "describe rope --config FILE"}},
        {"none",
         "",
         {"index --len 2 --npy " + in_quotes(evil) + " --dry-run",
          "index --len 2 --npy /none/" + in_quotes(evil), in_quotes(evil),
          "describe " + in_quotes(evil), "index --" + in_quotes(evil),
          "detr --mask " + in_quotes(evil) + " --dry-run"}},
    };
    for (const auto& [name, bytes, commands] : files) {
        const TemporaryFolder folder;
        put(folder.path(name), bytes);
        for (std::string command : commands) {
            for (const auto& [word, meaning] :
                 {std::pair("FILE", in_quotes(name)), std::pair("NAME", in_quotes(evil))}) {
                for (std::size_t at; (at = command.find(word)) != command.npos;) {
                    command.replace(at, 4, meaning);
                }
            }
            CAPTURE(command);
            const ProgramRun run = run_program(command, folder.path(""));
            CAPTURE(run.output);
            CAPTURE(run.errors);
            CHECK(run.status < 5);
            CHECK(!(run.output + run.errors).empty());
            CHECK(is_harmless(run.output));
            CHECK(is_harmless(run.errors));
        }
    }
}
