#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include "docs/pages.h"
#include "figure/colormap.h"
#include "figure/plot.h"
#include "files/read_png.h"
#include "files/temporary_folder.h"
#include "formats/command.h"
#include "program.h"

using pegen::testing::content;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// A file that the commands of the pages read, and the command that makes the file.
struct Input {
    const char* name;
    const char* command;
    const char* page = "";  ///< the only page that uses the file; "" for any
};

constexpr std::array inputs{
    Input{"mine.npy", "pe-gen fairseq --d 512 --len 1024 --start 2 --arith float32 --npy mine.npy"},
    Input{"small.npy", "pe-gen whisper --len 20 --d 4 --npy small.npy"},
    Input{"noisy.npy",
          "pe-gen learned --init normal:0,0.01 --len 50 --d 64 --npy noise.npy && "
          "pe-gen apply add --x noise.npy --npy noisy.npy -- sinusoid"},
    Input{"whisper.npy", "pe-gen whisper --d 384 --len 1500 --npy whisper.npy"},
    Input{"t5.safetensors", "pe-gen t5 --len 128 --safetensors t5.safetensors"},
    Input{"config.json",
          R"(echo '{"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, )"
          R"("rope_theta": 500000.0}' > config.json)"},
    Input{"q.npy", "pe-gen learned --len 16 --d 256 --npy q.npy"},
    Input{"rotated.npy", "pe-gen apply rope --x q.npy --npy rotated.npy"},
    Input{"ported.npy",
          "pe-gen apply rope --pairing interleaved --start 1 --x q.npy --npy ported.npy"},
    Input{"embedded.npy", "pe-gen learned --len 16 --d 64 --npy embedded.npy"},
    Input{"scores.npy", "pe-gen alibi --heads 8 --len 16 --npy scores.npy"},
    Input{"x.npy", "pe-gen learned --len 12 --d 128 --npy x.npy", "docs/which-rope.md"},
    Input{"y.npy", "pe-gen apply rope --config config.json --pairing half --x x.npy --npy y.npy",
          "docs/which-rope.md"},
    Input{"q_proj.npy", "pe-gen learned --len 256 --d 64 --npy q_proj.npy"},
    Input{"x.npy", "pe-gen learned --len 12 --d 64 --npy x.npy"},
    Input{"wq.npy", "pe-gen learned --len 64 --d 48 --npy wq.npy"},
    Input{"pos_embed.npy", "pe-gen learned --len 197 --d 8 --npy pos_embed.npy"},
    Input{"bias.npy", "pe-gen learned --len 732 --d 4 --npy bias.npy"},
    Input{"wpe.npy", "pe-gen learned --len 1024 --d 8 --npy wpe.npy"},
    Input{"wk.npy", "pe-gen learned --len 64 --d 64 --npy wk.npy"},
    Input{"qkv.npy", "pe-gen learned --len 192 --d 64 --npy qkv.npy"},
    Input{"even.npy", "pe-gen learned --len 32 --d 8 --npy even.npy"},
    Input{"batch.npy", "pe-gen grid --view grid --height 2 --width 12 --d 64 --npy batch.npy"},
    Input{"boxes.npy", "pe-gen learned --init uniform:0,1 --len 4 --d 4 --npy boxes.npy"},
    Input{"p.npy", "pe-gen learned --init uniform:0,1 --len 4 --d 2 --npy p.npy"},
    Input{"trained.npy", "pe-gen learned --len 197 --d 64 --npy trained.npy"},
    Input{"rope.npz", "pe-gen rope --d 32 --len 64 --npz rope.npz"},
    Input{"rope.npz:cos", "true"},
    Input{"weights.npy",
          "pe-gen attention alibi --tokens 16 --d 16 --table alpha --npy weights.npy"},
    Input{"figures.json", "cp -r docs/. ."},
    Input{"chapter.txt", "echo 'sinusoid --d 8 --len 4 --npy chapter.npy' > chapter.txt"},
    Input{"a.npz", "pe-gen rope --d 64 --npz a.npz"},
    Input{"b.npz", "pe-gen rope --d 64 --npz b.npz"},
    Input{"vit.pt", "cat " PEGEN_SOURCE_DIR "/tests/files/torch-zip.pt > vit.pt"},
    Input{"vit.pt:pos_embed", "true"},
    Input{"llama/model.safetensors",
          "mkdir llama; pe-gen rope --d 128 --len 9 --table inv-freq,cos-sin --safetensors "
          "llama/model.safetensors; cp config.json llama/config.json"},
    Input{"model.gguf",
          "cat " PEGEN_SOURCE_DIR "/tests/fuzz/corpus/config/llama.gguf > model.gguf"},
    Input{"model.gguf:rope_freqs.weight", "true"},
};

/// True if the file is among the words of the command and is not the output.
bool reads(const std::string& command, const std::string& name) {
    for (std::size_t at = command.find(name); at != command.npos; at = command.find(name, at + 1)) {
        const std::size_t word = at == 0 ? 0 : command.find_last_of(' ', at - 1) + 1;
        const std::string before = command.substr(0, word);
        const bool is_output = before.ends_with("--npy ") || before.ends_with("--npz ") ||
                               before.ends_with("--safetensors ") || before.ends_with("> ");
        if (word == at && !is_output) return true;
    }
    return false;
}

/// A folder with the program, the inputs and the pictures of the docs, for the commands of a page.
struct PageFolder : TemporaryFolder {
    PageFolder() {
        fs::create_directory(path("bin"));
        fs::create_symlink(PEGEN_PROGRAM, path("bin/pe-gen"));
        fs::copy(PEGEN_SOURCE_DIR "/docs", path("docs"), fs::copy_options::recursive);
    }

    ProgramRun run(const std::string& command) const {
        return run_shell("PATH=\"$PWD/bin:$PATH\"; " + command, path(""));
    }

    /// Makes the inputs that the command names and that are not there.
    void make_inputs(const std::string& command, const std::string& page) const {
        for (const Input& input : inputs) {
            if (*input.page && page != input.page) continue;
            if (!reads(command, input.name) || fs::exists(path(input.name))) continue;
            make_inputs(input.command, page);
            const ProgramRun made = run(input.command);
            REQUIRE_MESSAGE((made.status == 0), input.name, ": ", made.output);
        }
    }
};

/// Compares the pictures that a command has written with the pictures of the same name in docs/img.
void check_pictures(const PageFolder& folder) {
    for (const std::string& name : folder.names()) {
        const std::string shown = folder.path("docs/img/" + name);
        if (!name.ends_with(".png") || !fs::exists(shown)) continue;
        CHECK_MESSAGE((pegen::read_png(folder.path(name)).rgb == pegen::read_png(shown).rgb), name,
                      " is not docs/img/", name);
        fs::remove(folder.path(name));
    }
}

/// False for a command that needs a component which this build lacks.
bool is_in_build(const ShownCommand& shown) {
    const auto has = [&](const char* word) {
        return shown.command.find(word) != shown.command.npos;
    };
    const bool asks_recognition =
        has("identify") || shown.output.find(" made by ") != shown.output.npos;
    return (PEGEN_HAS_RECOGNITION || !asks_recognition) && (PEGEN_HAS_EXPLORE || !has("explore"));
}

void check(const PageFolder& folder, const ShownCommand& shown) {
    if (!is_in_build(shown)) return;
    CAPTURE(shown.page);
    CAPTURE(shown.line);
    CAPTURE(shown.command);
    folder.make_inputs(shown.command, shown.page);
    const ProgramRun run = folder.run(shown.command);
    if (shown.output.empty()) {
        const bool is_question = shown.command.find(" check ") != std::string::npos ||
                                 shown.command.find(" diff ") != std::string::npos;
        CHECK_MESSAGE((run.status == 0 || (is_question && run.status == 1)), run.output);
    } else {
        CHECK_MESSAGE((is_shown(run.output, shown.output)), run.output, "\ninstead of\n",
                      shown.output);
    }
    check_pictures(folder);
}

/// True if a command in a text can be typed as it is: it has arguments and no placeholder.
bool is_complete(const std::string& command) {
    if (std::ranges::count(command, ' ') < 2) return false;
    for (const char* placeholder :
         {"...", "NAME", "FILE", "MECHANISM", "MANIFEST", "COMMAND", "|"}) {
        if (command.find(placeholder) != command.npos) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("docs: each command in a block of a page prints what the page shows") {
    for (const std::string& page : all_pages()) {
        const PageFolder folder;
        for (const ShownCommand& shown : commands_in_blocks(page)) check(folder, shown);
    }
}

TEST_CASE("docs: each command in the text of a page runs, and draws the picture of its name") {
    for (const std::string& page : all_pages()) {
        const PageFolder folder;
        for (const ShownCommand& shown : commands_in_text(page)) {
            if (is_complete(shown.command)) check(folder, shown);
        }
    }
}

TEST_CASE("docs: the snippets of the recipes run, those in Python where there is NumPy") {
    const PageFolder folder;
    const bool has_numpy = folder.run("python3 -c 'import numpy'").status == 0;
    if (!has_numpy) MESSAGE("python3 has no NumPy: its snippets are left out");
    for (const Snippet& snippet : snippets_of("docs/recipes.md")) {
        CAPTURE(snippet.line);
        std::string command;
        if (snippet.language == "json") {
            put(folder.path("figures.json"), snippet.text);
            command = "pe-gen batch figures.json && pe-gen batch figures.json --check";
        } else if (snippet.language == "make") {
            put(folder.path("Makefile"), snippet.text);
            command = "make";
        } else if (snippet.language == "python" && has_numpy) {
            put(folder.path("snippet.py"), snippet.text);
            command = "python3 snippet.py";
        }
        const ProgramRun run = folder.run(command.empty() ? "true" : command);
        CHECK_MESSAGE((run.status == 0), run.output);
    }
}

TEST_CASE("docs: the page of figures has every colormap and every kind of picture") {
    const std::string page = content(PEGEN_SOURCE_DIR "/docs/figures.md");
    const auto is_named = [&](std::string_view name) {
        return page.find("`" + std::string(name) + "`") != std::string::npos;
    };
    for (const pegen::Colormap* colormap : pegen::all_colormaps()) {
        CAPTURE(colormap->name);
        CHECK(is_named(colormap->name));
    }
    for (const pegen::Plot* plot : pegen::all_plots()) {
        CAPTURE(plot->name);
        CHECK(is_named(plot->name));
    }
}

TEST_CASE("docs: what a page leaves out of an output may be any number of lines") {
    CHECK(is_shown("a\nb\n", "a\nb\n"));
    CHECK(is_shown("a\nb\nc\nd\n", "a\n...\nd\n"));
    CHECK(is_shown("a\n", "...\na\n"));
    CHECK_FALSE(is_shown("a\nb\n", "a\n"));
    CHECK_FALSE(is_shown("a\nb\n", "a\n...\nc\n"));
}
