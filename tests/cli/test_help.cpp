#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "encodings/registry.h"
#include "files/temporary_folder.h"
#include "formats/registry.h"
#include "program.h"

using namespace pegen;
using pegen::testing::content;
using pegen::testing::TemporaryFolder;

namespace {

std::string help(const std::string& arguments) {
    const ProgramRun run = run_program(arguments);
    CHECK(run.status == 0);
    CHECK(run.errors == "");
    return run.output;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Returns the topics that have a help text of their own.
std::vector<std::string> all_topics() {
    std::vector<std::string> topics{"check concat", "apply rope", "apply add", "attention shaw",
                                    "whisper"};
    for (const cli::Command& command : cli::all_commands()) topics.emplace_back(command.name);
    for (const Encoding* encoding : all_encodings()) topics.emplace_back(encoding->name);
    return topics;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

TEST_CASE("help: every command, operation, mechanism, encoding and preset has its own") {
    for (const std::string& topic : all_topics()) {
        CAPTURE(topic);
        const std::string text = help(topic + " --help");
        CHECK(text.starts_with(topic + ": "));
        CHECK(has(text, "\nExamples\n  pe-gen "));
        CHECK(has(text, "\nUsage\n  pe-gen " + topic));
        CHECK(help("help " + topic) == text);
        CHECK(help("--help " + topic) == text);
        CHECK(help("-h " + topic) == text);
        CHECK(help("help " + topic + " all") == help(topic + " --help all"));
        CHECK(help(topic + " --help=all") == help(topic + " --help all"));
    }
    CHECK(help("help") == help("--help"));
    CHECK(help("help all") == help("--help all"));
}

TEST_CASE("help: may be asked for anywhere in a command line") {
    CHECK(help("sinusoid --d 4 --nonsense --help") == help("help sinusoid"));
    CHECK(help("sinusoid 128 400 -h") == help("help sinusoid"));
    CHECK(help("diff a.npy -- sinusoid --help") == help("help diff"));
    CHECK(help("apply --help rope") == help("apply rope --help"));
    CHECK(help("compare mae jepa --help") == help("help compare"));
    const ProgramRun run = run_program("help sinusoid whisper");
    CHECK(run.errors == "pe-gen: help: takes one name, as in pe-gen help sinusoid\n");
    CHECK(run_program("help --nonsense").status == 2);
    CHECK(run_program("help nonsense").status == 2);
}

TEST_CASE("help: the brief one names every parameter, the full one every option and alias") {
    for (const Encoding* encoding : all_encodings()) {
        CAPTURE(encoding->name);
        const std::string name(encoding->name);
        const std::string brief = help(name + " --help"), full = help(name + " --help all");
        for (const ParameterSpec& spec : encoding->parameters) {
            CHECK(has(brief, fmt::format("--{}", spec.name)));
            for (const std::string& option : cli::option_names(spec)) CHECK(has(full, option));
        }
        for (const Format* format : all_formats()) {
            CHECK(has(full, fmt::format("--{}", format->name)));
            for (const ParameterSpec& spec : format->parameters()) {
                CHECK(has(brief, fmt::format("--{}", spec.name)));
                CHECK(has(full, fmt::format("--{}", spec.name)));
            }
        }
        CHECK(lines_of(brief).size() < lines_of(full).size());
    }
}

TEST_CASE("help: fits the columns, and breaks no word") {
    std::vector<std::string> arguments{"--help", "--help all", "describe whisper"};
    for (const std::string& topic : all_topics()) arguments.push_back(topic + " --help all");
    for (const int columns : {40, 72, 80, 100}) {
        for (const std::string& words : arguments) {
            const ProgramRun run =
                run_shell(fmt::format("COLUMNS={} '" PEGEN_PROGRAM "' {}", columns, words), ".");
            for (const std::string& line : lines_of(run.output)) {
                CAPTURE(columns);
                CAPTURE(line);
                const auto length =
                    std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; });
                // Some names of options are too long for 40 columns; their words stay whole.
                const bool is_name = line.substr(std::min(line.find_first_not_of(' '), line.size()))
                                         .starts_with("--");
                CHECK((length <= columns || is_name));
            }
        }
    }
}

TEST_CASE("help: the words are the same at every width") {
    const auto words_at = [](int columns) {
        const std::string text =
            run_shell(fmt::format("COLUMNS={} '" PEGEN_PROGRAM "' fourier --help all", columns),
                      ".")
                .output;
        std::string words;
        std::istringstream stream(text);
        for (std::string word; stream >> word;) {
            if (word != "\\") words += word + " ";
        }
        return words;
    };
    CHECK(words_at(40) == words_at(100));
}

TEST_CASE("help: is as wide as the terminal, from 40 to 100 columns, or 80 without one") {
    const TemporaryFolder folder;
    const auto longest = [&](const std::string& script, int columns) {
        run_on_terminal(script, folder.path(""), columns);
        std::size_t most = 0;
        for (const std::string& line : lines_of(content(folder.path("help")))) {
            most = std::max(most, line.size());
        }
        return most;
    };
    const std::string program = "'" PEGEN_PROGRAM "' sinusoid --help all >help";
    CHECK(longest("unset COLUMNS; " + program, 72) <= 72);
    CHECK(longest("unset COLUMNS; " + program, 72) > 66);
    CHECK(longest("unset COLUMNS; " + program, 300) <= 100);
    CHECK(longest("unset COLUMNS; " + program, 300) > 90);
    CHECK(longest("export COLUMNS=60; " + program, 72) <= 60);
    CHECK(longest("unset COLUMNS; " + program + " 2>/dev/null", 72) > 74);
}

TEST_CASE("help: the commands of its examples are whole, however narrow it is") {
    const std::string text =
        run_shell("COLUMNS=40 '" PEGEN_PROGRAM "' sinusoid --help", ".").output;
    CHECK(has(text, "  pe-gen sinusoid --d 128 --len \\\n      400 --png out.png\n"));
}

TEST_CASE("list: lists everything, or things of one kind") {
    CHECK(first_line(help("list presets")) == "Encodings and their presets");
    CHECK(has(help("list presets"), "\n    whisper "));
    CHECK(!has(help("list encodings"), "whisper"));
    CHECK(has(help("list colormaps"), "\n  viridis "));
    CHECK(has(help("list"), help("list formats")));
    CHECK(has(help("list formats --json"), "\"extensions\""));
}
