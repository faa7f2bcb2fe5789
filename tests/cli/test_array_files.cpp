#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/reading_commands.h"
#include "encodings/npy_file.h"
#include "files/temporary_folder.h"
#include "files/torch_bytes.h"
#include "program.h"

using namespace pegen::testing;

namespace {

/// An array, for the files of each kind.
struct Array {
    std::vector<std::uint64_t> extents;
    std::vector<float> values;
};

/// Returns an array of numbers from 0 to 2 that all kinds of files hold exactly.
Array array_of(const std::vector<std::uint64_t>& extents) {
    std::uint64_t size = 1;
    for (const std::uint64_t extent : extents) size *= extent;
    Array array{extents, {}};
    for (std::uint64_t i = 0; i < size; ++i) {
        array.values.push_back(static_cast<float>(i * 37 % 2048) / 1024);
    }
    return array;
}

std::string npy_bytes(const Array& array) {
    return npy_file("<f4", "False", fmt::format("({},)", fmt::join(array.extents, ", ")),
                    bytes_of_floats(array.values));
}

std::string safetensors_bytes(const Array& array) {
    const std::string header =
        fmt::format(R"({{"x":{{"dtype":"F32","shape":[{}],"data_offsets":[0,{}]}}}})",
                    fmt::join(array.extents, ","), array.values.size() * sizeof(float));
    return little_endian(header.size(), 8) + header + bytes_of_floats(array.values);
}

std::string gguf_bytes(const Array& array) {
    const std::vector<std::uint64_t> reversed(array.extents.rbegin(), array.extents.rend());
    return GgufBytes().floats("x", reversed, array.values).bytes();
}

/// Returns what `pe-gen plot` writes of the array with this option.
std::string printed(const Array& array, const std::string& option) {
    const TemporaryFolder folder;
    put(folder.path("x.npy"), npy_bytes(array));
    return run_in_process({"plot", folder.path("x.npy"), option, "-"}).output;
}

std::string tsv_bytes(const Array& array) {
    std::string text = printed(array, "--csv");
    std::ranges::replace(text, ',', '\t');
    return text;
}

/// A kind of file that arrays are read from.
struct Kind {
    std::string_view path;                     ///< of the array
    std::string_view file;                     ///< the file that has its elements
    std::string (*bytes)(const Array& array);  ///< makes the content of the file
    bool is_text = false;                      ///< its first lines are such a file, too
};

const std::array kinds{
    Kind{"a.npy", "a.npy", npy_bytes},
    Kind{"a.npz:x", "a.npz",
         [](const Array& a) {
             return zip_of({{"x.npy", npy_bytes(a)}});
         }},
    Kind{"zip.pt:x", "zip.pt",
         [](const Array& a) { return zip_form(state_dict(a.extents), bytes_of_floats(a.values)); }},
    Kind{"old.pt:x", "old.pt",
         [](const Array& a) { return old_form(state_dict(a.extents), bytes_of_floats(a.values)); }},
    Kind{"a.safetensors:x", "a.safetensors", safetensors_bytes},
    Kind{"a.gguf:x", "a.gguf", gguf_bytes},
    Kind{"model:x", "model/part-1.safetensors", safetensors_bytes},
    Kind{"model/a.safetensors.index.json:x", "model/part-1.safetensors", safetensors_bytes},
    Kind{"a.json", "a.json", [](const Array& a) { return printed(a, "--json"); }},
    Kind{"a.csv", "a.csv", [](const Array& a) { return printed(a, "--csv"); }, true},
    Kind{"a.tsv", "a.tsv", tsv_bytes, true},
};

/// A folder with an array in every kind of file.
struct Files {
    TemporaryFolder folder;

    explicit Files(const Array& array) {
        std::filesystem::create_directory(folder.path("model"));
        put(folder.path("model/a.safetensors.index.json"),
            R"({"weight_map": {"x": "part-1.safetensors", "y": "part-2.safetensors"}})");
        for (const Kind& kind : kinds) put(folder.path(kind.file), kind.bytes(array));
    }
    std::string path(std::string_view name) const { return folder.path(name); }
};

/// Returns the text of a run, on one line, with "F" for these paths.
std::string answer(const ProgramRun& run, const std::vector<std::string>& paths) {
    std::string text = fmt::format("status {} {}{}", run.status, run.output, run.errors);
    std::ranges::replace(text, '\n', ' ');
    for (const std::string& path : paths) {
        for (std::size_t at; (at = text.find(path)) != text.npos;) {
            text.replace(at, path.size(), "F");
        }
    }
    return text;
}

/// Calls `check` for each command and kind of file, with the files of an array that the command
/// accepts.
void for_each_pair(
    const std::function<void(const ReadingCommand&, const Kind&, const Files&)>& check) {
    for (const ReadingCommand& command : reading_commands()) {
        if (!PEGEN_HAS_RECOGNITION && command.words.starts_with("identify")) continue;
        if (command.extents.empty()) continue;
        const Files files(array_of(command.extents));
        for (const Kind& kind : kinds) {
            CAPTURE(command.words);
            CAPTURE(kind.path);
            check(command, kind, files);
        }
    }
}

}  // namespace

TEST_CASE("files: every command reads an array of every kind of file as it reads NPY") {
    std::string of_npy;
    for_each_pair([&](const ReadingCommand& command, const Kind& kind, const Files& files) {
        // Of its own JSON, info says the command in the place of the values.
        if (command.words == "info F" && kind.path == "a.json") return;
        const std::string array = files.path(kind.path);
        ProgramRun run = run_in_process(with_files(command, array, "-"));
        if (command.words == "info F") run.output.erase(0, run.output.find("shape"));
        // The array of a folder is also called by the index that is in it.
        const std::string text =
            answer(run, {array, files.path("model/a.safetensors.index.json:x")});
        if (kind.bytes == npy_bytes) {
            of_npy = text;
            CHECK(run.status < 2);
        }
        CHECK(text == of_npy);
    });
}

TEST_CASE("files: every command says which file is cut off, or has no such array, in one line") {
    for_each_pair([&](const ReadingCommand& command, const Kind& kind, const Files& files) {
        const std::string file = files.path(kind.file), whole = content(file);
        const auto check_refused = [&](const std::string& array, const std::string& named) {
            const auto before = files.folder.names();
            const ProgramRun run =
                run_in_process(with_files(command, array, files.path("out.npy")));
            CAPTURE(run.errors);
            CHECK(run.status == 3);
            CHECK(run.errors.find(named) != std::string::npos);
            CHECK(run.errors.find('\n') == std::string::npos);
            CHECK(files.folder.names() == before);
        };
        const std::string path = files.path(kind.path);
        const std::string index = files.path(kind.path.substr(0, kind.path.rfind(':')));
        check_refused(index + ":none", index);
        if (kind.is_text || command.words == "info F") return;
        for (const std::size_t size : {whole.size() / 3, whole.size() / 2, whole.size() - 40}) {
            CAPTURE(size);
            put(file, std::string_view(whole).substr(0, size));
            check_refused(path, file);
        }
        std::filesystem::remove(file);
        if (kind.file.starts_with("model")) check_refused(path, "part-1.safetensors");
        put(file, whole);
    });
}

TEST_CASE("files: every command answers or refuses arrays without axes or without values") {
    for (const ReadingCommand& command : reading_commands()) {
        if (!PEGEN_HAS_RECOGNITION && command.words.starts_with("identify")) continue;
        for (const char* shape : {"()", "(0,)", "(0, 4)", "(4, 0)", "(1, 1, 1, 1, 1, 1)"}) {
            CAPTURE(command.words);
            CAPTURE(shape);
            const TemporaryFolder folder;
            const bool is_empty = std::string_view(shape).find('0') != std::string_view::npos;
            const std::vector<float> ones(is_empty ? 0 : 1, 1);
            put(folder.path("x.npy"), npy_file("<f4", "False", shape, bytes_of_floats(ones)));
            const ProgramRun run =
                run_in_process(with_files(command, folder.path("x.npy"), folder.path("out.npy")));
            CHECK(run.status < 5);
            CHECK(folder.names().contains("out.npy") ==
                  (run.status == 0 && command.words.find('O') != std::string_view::npos));
        }
    }
}

TEST_CASE("files: an index is read by its path, as the others are beside it") {
    const Files files(array_of({2, 2}));
    CHECK(run_program("info - < a.safetensors.index.json", files.path("model")).errors ==
          "pe-gen: standard input: is an index of files beside it; name it by its path\n");
}

TEST_CASE("files: a shard that is none is said to be what it is") {
    const Files files(array_of({2, 2}));
    put(files.path("model/part-1.safetensors"), "version https://git-lfs.github.com/spec/v1\n");
    CHECK(run_in_process({"info", files.path("model:x")}).errors ==
          files.path("model/a.safetensors.index.json:x") +
              ": shard 1 of 2, part-1.safetensors, is a pointer of Git LFS; git lfs pull fetches "
              "the file itself");
}
