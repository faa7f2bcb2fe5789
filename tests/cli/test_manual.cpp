#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "cli/commands.h"
#include "cli/folder.h"
#include "cli/help/manual.h"
#include "cli/options.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"

using namespace pegen;
using pegen::testing::Folder;
using pegen::testing::put;

namespace {

std::string escaped(std::string text) {
    for (std::size_t i = 0; (i = text.find('-', i)) != text.npos; i += 2) text.insert(i, "\\");
    return text;
}

bool mentions(const std::string& page, const std::string& text) {
    return page.find(escaped(text)) != page.npos;
}

}  // namespace

TEST_CASE("manual: each encoding, mechanism, preset and command has a page, and pe-gen has one") {
    const std::vector<std::string> pages = cli::manual_pages();
    const auto has = [&](const std::string& name) { return std::ranges::count(pages, name) == 1; };
    CHECK(has("pe-gen"));
    CHECK(has("pe-gen-attention-shaw"));
    for (const Encoding* encoding : all_encodings())
        CHECK(has("pe-gen-" + std::string(encoding->name)));
    for (const Preset& preset : all_presets()) {
        CAPTURE(preset.name);
        CHECK(has("pe-gen-" + std::string(preset.name)));
    }
    for (const cli::Command& command : cli::all_commands()) {
        CAPTURE(command.name);
        CHECK(has("pe-gen-" + std::string(command.name)));
    }
}

TEST_CASE("manual: a page has every option that the help has, the tables and the presets") {
    for (const Encoding* encoding : all_encodings()) {
        CAPTURE(encoding->name);
        const std::string page = cli::manual_page(encoding->name);
        for (const ParameterSpec& spec : encoding->parameters) {
            CHECK(mentions(page, "--" + std::string(spec.name)));
        }
        for (const TableSpec& table : encoding->tables)
            CHECK(mentions(page, std::string(table.name)));
        for (const PresetSpec& preset : encoding->presets) {
            CHECK(mentions(page, std::string(preset.name)));
        }
        for (const ParameterSpec& spec : cli::output_options()) {
            CHECK(mentions(page, "--" + std::string(spec.name)));
        }
    }
}

TEST_CASE("manual: a command's page explains the words that its help explains") {
    CHECK(mentions(cli::manual_page("check"), "an entry for query i and key j"));
    CHECK(mentions(cli::manual_page("apply"), ".SH \"OPERATIONS\""));
    CHECK(mentions(cli::manual_page("apply"), "rope-permute"));
    CHECK(mentions(cli::manual_page("list"), "Lists everything, or one of encodings, presets"));
}

TEST_CASE("manual: lines are short, and none begins like a request that it is not") {
    for (const std::string& name : cli::manual_pages()) {
        CAPTURE(name);
        const std::string page = cli::manual_page(name);
        for (std::size_t begin = 0; begin < page.size();) {
            const std::size_t end = page.find('\n', begin);
            const std::string line = page.substr(begin, end - begin);
            begin = end + 1;
            CAPTURE(line);
            CHECK(line.size() <= 120);
            if (line.starts_with('\'')) FAIL_CHECK("begins with an apostrophe");
            if (!line.starts_with('.')) continue;
            const std::string request = line.substr(0, line.find(' '));
            CHECK(has_word(".TH .SH .TP .PP .RS .RE .nf .fi .nh", request));
        }
    }
}

TEST_CASE("manual: mandoc finds nothing to say of the pages, where it is installed") {
    if (std::system("command -v mandoc >/dev/null") != 0) {
        MESSAGE("mandoc is not installed: the pages are not checked by it");
        return;
    }
    const Folder folder;
    for (const std::string& name : cli::manual_pages()) {
        put(folder.path("page.1"), cli::manual_page(name));
        CAPTURE(name);
        CHECK(std::system(("mandoc -Tlint " + folder.path("page.1")).c_str()) == 0);
    }
}

TEST_CASE("manual: a preset's page says what it is, and which page has its parameters") {
    for (const Preset& preset : all_presets()) {
        CAPTURE(preset.name);
        const std::string page = cli::manual_page(preset.name);
        const std::string of_encoding = "pe-gen-" + std::string(preset.encoding->name);
        CHECK(page.ends_with(
            escaped("\\fB" + of_encoding + "\\fR(1), for all parameters and options\n")));
        for (const std::string_view option : words(preset.settings)) {
            if (option.starts_with("--")) CHECK(mentions(page, std::string(option)));
        }
        for (const std::string_view alias : words(preset.aliases)) {
            CHECK(cli::manual_page(alias) == page);
        }
    }
    CHECK(mentions(cli::manual_page("llama3"), "Not scaled: that is llama3.1."));
}

TEST_CASE("manual: a page is found with and without pe-gen; an unknown one is refused") {
    CHECK(cli::manual_page("pe-gen-diff") == cli::manual_page("diff"));
    CHECK_THROWS_WITH_AS(cli::manual_page("sinusoidd"),
                         "manual sinusoidd: there is no such page; did you mean 'sinusoid'?",
                         UsageError);
}
