#include "page/page.h"

#include <fmt/format.h>

#include <array>
#include <span>

#include "core/base64.h"
#include "core/error.h"
#include "core/names.h"
#include "files/sha256.h"

/// A file of this folder, as CMake embeds it in the program.
struct PageFile {
    const char* name;
    const char* begin;
    const char* end;
};

/// All files of this folder; the last entry has no name.
extern "C" const PageFile pegen_page_files[];

namespace pegen::page {
namespace {

// The scripts of a page are joined into one script: names defined in one file are known in all.
constexpr std::string_view shared_scripts =
    "dom.js elements.js axes.js ticks.js colours.js canvas.js curves.js keys.js zoom.js";
constexpr std::string_view table_scripts = "table.js";

/// A page that asks the program for tables.
struct AskingPage {
    std::string_view html;
    std::string_view styles;
    std::string_view scripts;
};
constexpr AskingPage explorer_page{
    "explore.html", "style.css",
    "requests.js state.js address.js specs.js find.js combobox.js stops.js controls.js picture.js "
    "values.js readout.js links.js about.js command.js beside.js measure.js cells.js explore.js"};
constexpr AskingPage tour_page{
    "tour.html", "style.css tour.css",
    "requests.js state.js stage.js tour_views.js tour_en.js tour_zh.js tour.js"};

std::string_view file_named(std::string_view name) {
    for (const PageFile* file = pegen_page_files; file->name; ++file) {
        if (file->name == name) return {file->begin, file->end};
    }
    throw InternalError(fmt::format("{}: is no file of a page", name));
}

/// Returns the files of a list of names, one after the other.
std::string joined_files(std::string_view list) {
    std::string all;
    for (const std::string_view name : words(list)) all += file_named(name);
    return all;
}

std::string script_of(std::string_view own_scripts) {
    return "\"use strict\";\n" + joined_files(shared_scripts) + joined_files(own_scripts);
}

/// Returns the policy source that allows exactly this text.
std::string source_of(std::string_view text) {
    Sha256 hash;
    hash.add(std::as_bytes(std::span(text)));
    return fmt::format("'sha256-{}'", base64(hash.bytes()));
}

/// Returns the policy that allows this script, `code` besides, this style, pictures that the page
/// itself makes, and `more`.
std::string policy_of(std::string_view script, std::string_view style, std::string_view more,
                      std::string_view code = "") {
    return fmt::format(
        "default-src 'none'; script-src {}{}; style-src {}; img-src data:; base-uri 'none'; "
        "form-action 'none'{}",
        source_of(script), code, source_of(style), more);
}

struct Replacement {
    std::string_view name;
    std::string_view text;
};

/// Replaces each {name} in the skeleton by its text. Inserted texts are not searched again.
std::string filled_in(std::string_view skeleton, std::span<const Replacement> replacements) {
    std::string page;
    while (true) {
        std::size_t place = skeleton.npos;
        const Replacement* next = nullptr;
        for (const Replacement& replacement : replacements) {
            const std::size_t found = skeleton.find(fmt::format("{{{}}}", replacement.name));
            if (found < place) {
                place = found;
                next = &replacement;
            }
        }
        page += skeleton.substr(0, place);
        if (!next) return page;
        page += next->text;
        skeleton.remove_prefix(place + next->name.size() + 2);
    }
}

/// Returns the page with this style and script; `policy` is put into its head.
std::string filled_in(const AskingPage& page, std::string_view policy, std::string_view style,
                      std::string_view script) {
    const std::array replacements{Replacement{"policy", policy}, Replacement{"style", style},
                                  Replacement{"script", script}};
    return filled_in(file_named(page.html), replacements);
}

Page with_server(const AskingPage& page) {
    const std::string style = joined_files(page.styles);
    const std::string script = script_of(fmt::format("server.js {}", page.scripts));
    return {filled_in(page, "", style, script),
            policy_of(script, style, "; connect-src 'self'; frame-ancestors 'none'")};
}

std::string with_own_program(const AskingPage& page) {
    const std::string style = joined_files(page.styles);
    const std::string script = script_of(fmt::format("own_program.js {}", page.scripts));
    const std::string policy =
        policy_of(script, style, "; connect-src 'self'; worker-src 'self'", " 'wasm-unsafe-eval'");
    return filled_in(
        page, fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", policy),
        style, script);
}

}  // namespace

Page explorer() { return with_server(explorer_page); }
Page tour() { return with_server(tour_page); }
std::string explorer_with_own_program() { return with_own_program(explorer_page); }
std::string tour_with_own_program() { return with_own_program(tour_page); }

std::string table_page(const TablePage& table) {
    const std::string script = script_of(table_scripts);
    const std::string_view style = file_named("style.css");
    const std::string policy = policy_of(script, style, "");
    const std::array replacements{
        Replacement{"provenance", table.provenance},
        Replacement{"policy", policy},
        Replacement{"title", table.title},
        Replacement{"style", style},
        Replacement{"head", table.head},
        Replacement{"elements", table.elements},
        Replacement{"script", script},
    };
    return filled_in(file_named("table.html"), replacements);
}

}  // namespace pegen::page
