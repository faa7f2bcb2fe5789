#include "cli/help/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/error.h"
#include "core/names.h"

namespace pegen::cli {
namespace {

/// Subjects that this program does not cover, with the words that users search for.
struct OutOfScope {
    std::string_view words;  ///< separated by spaces
    std::string_view reason;
};

constexpr std::array out_of_scope{
    OutOfScope{"laplacian lappe eigenvector eigenvectors rwse randomwalk graph graphgps",
               "encodings of graphs are made of a graph's matrix, not of positions"},
    OutOfScope{"spherical harmonic harmonics", "spherical harmonics are not sines of a position"},
    OutOfScope{"chess lczero leela", "tables of a game's moves are that game's own"},
};

bool has(std::string_view text, std::string_view word) {
    return spelling(text).find(word) != std::string::npos;
}

struct Field {
    std::string_view name;  ///< "" if the list shows the text anyway
    std::string_view text;
};

/// Returns the first field that contains all words.
std::optional<Field> field_with(const std::vector<std::string>& words,
                                const std::vector<Field>& fields) {
    for (const Field& field : fields) {
        const auto is_in = [&](const std::string& word) { return has(field.text, word); };
        if (std::ranges::all_of(words, is_in)) return field;
    }
    return std::nullopt;
}

std::string where_of(const Field& field, const std::vector<std::string>& words) {
    if (field.name.empty()) return "";
    if (field.name != "also called") return fmt::format("{}: {}", field.name, field.text);
    for (const std::string_view alias : pegen::words(field.text)) {
        if (has(alias, words.front())) return fmt::format("also called {}", alias);
    }
    return "";
}

[[noreturn]] void refuse_search(std::string_view text) {
    if (const std::string_view reason = why_out_of_scope(text); !reason.empty()) {
        throw UsageError(fmt::format("list --search {}: {}", text, reason));
    }
    throw UsageError(fmt::format(
        "list --search {}: no encoding and no preset has this in its name, its summary, its source "
        "or its note; if you have the table, pe-gen identify FILE finds what makes it",
        text));
}

}  // namespace

std::string_view why_out_of_scope(std::string_view text) {
    const std::string name = hyphenated(text);
    for (const std::string_view part : words(name)) {
        for (const std::string_view word : fields(part, '-')) {
            for (const OutOfScope& subject : out_of_scope) {
                if (has_word(subject.words, spelling(word))) {
                    return subject.reason;
                }
            }
        }
    }
    return "";
}

std::vector<Found> search_names(std::string_view text) {
    std::vector<std::string> words;
    for (const std::string_view word : pegen::words(text)) words.push_back(spelling(word));
    std::array<std::vector<Found>, 3> by_rank;  // exact name, similar name, other fields
    const auto add = [&](const Found& found, const std::vector<Field>& fields) {
        const std::optional<Field> field = field_with(words, fields);
        if (!field) return;
        const bool is_name = field->text == fields.front().text || field->name == "also called";
        const bool is_whole_name =
            is_name && std::ranges::any_of(pegen::words(field->text), [&](std::string_view name) {
                return spelling(name) == words.front();
            });
        by_rank[is_whole_name ? 0
                : is_name     ? 1
                              : 2]
            .push_back({found.encoding, found.preset, where_of(*field, words)});
    };
    if (!words.empty()) {
        for (const Encoding* encoding : all_encodings()) {
            add({encoding, nullptr, ""}, {{"", encoding->name},
                                          {"", encoding->summary},
                                          {"from", encoding->source},
                                          {"formula", encoding->formula}});
        }
        for (const Preset& preset : all_presets()) {
            add({preset.encoding, &preset, ""}, {{"", preset.name},
                                                 {"also called", preset.aliases},
                                                 {"", preset.summary},
                                                 {"from", preset.source},
                                                 {"note", preset.note}});
        }
    }
    std::vector<Found> all;
    for (const std::vector<Found>& of_rank : by_rank) {
        all.insert(all.end(), of_rank.begin(), of_rank.end());
    }
    if (all.empty()) refuse_search(text);
    return all;
}

}  // namespace pegen::cli
