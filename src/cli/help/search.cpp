#include "cli/help/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "encodings/rotary/config/model_families.h"

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

/// Words of searches, most of them Chinese, and the words of this program for them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> synonyms{{
    {"sinusoidal", "sinusoid"},
    {"位置编码", "position"},
    {"位置", "position"},
    {"旋转", "rotary"},
    {"相对", "relative"},
    {"正弦", "sinusoid"},
    {"可学习", "learned"},
    {"偏置", "bias"},
    {"傅里叶", "Fourier"},
    {"编码", "encoding"},
    {"图像", "image"},
    {"视频", "video"},
    {"时间步", "time steps"},
    {"网格", "grid"},
    {"频率", "frequency"},
}};

/// Words that every table here could have: they say nothing beside others.
constexpr std::string_view fillers =
    "position positions positional encoding encodings embedding embeddings pe";

/// Returns the words of a search, spelled alike, in the words of this program and without fillers
/// beside other words.
std::vector<std::string> words_of(std::string_view search) {
    std::string text(search);
    for (const auto& [word, english] : synonyms) {
        for (std::size_t at = text.find(word); at != text.npos; at = text.find(word)) {
            text.replace(at, word.size(), fmt::format(" {} ", english));
        }
    }
    std::vector<std::string> words;
    for (const std::string_view word : pegen::words(text)) words.push_back(spelling(word));
    const auto is_filler = [](const std::string& word) { return has_word(fillers, word); };
    if (!std::ranges::all_of(words, is_filler)) std::erase_if(words, is_filler);
    return words;
}

/// How a text has a word.
enum class Fit {
    none,
    part,   ///< within another word: "former" in "transformer"
    begin,  ///< at the beginning of a word: "trans", or of several: "flux2" in "FLUX.1 and Flux-2"
};

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter_or_digit(char c) {
    return is_lower(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Returns how the text has the word, which is spelled as by spelling(). Words of the text are
/// separated by any other characters than letters and digits, or begin with a capital: "levit" is
/// not in "simple-vit".
Fit fit_of(std::string_view text, std::string_view word) {
    std::string letters;
    std::vector<bool> begins;
    char before = ' ';
    for (const char c : text) {
        const bool is_capital = is_letter_or_digit(c) && !is_lower(c) && is_lower(before);
        if (c != '-' && c != '_') {
            letters += spelling({&c, 1});
            begins.push_back(!is_letter_or_digit(before) || is_capital);
        }
        before = c;
    }
    Fit best = Fit::none;
    for (std::size_t at = letters.find(word); at != letters.npos; at = letters.find(word, at + 1)) {
        if (begins[at]) return Fit::begin;
        const auto inside = begins.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end = inside + static_cast<std::ptrdiff_t>(word.size());
        if (std::find(inside, end, true) == end) best = Fit::part;
    }
    return best;
}

struct Field {
    std::string_view name;  ///< "" if the list shows the text anyway
    std::string_view text;
};

/// A field that has all words of a search, and how it has the one that fits worst.
struct Match {
    Field field;
    Fit fit;
};

/// Returns the best match, the first of several; none if no field has all words.
std::optional<Match> match_of(const std::vector<std::string>& words,
                              const std::vector<Field>& fields) {
    std::optional<Match> best;
    for (const Field& field : fields) {
        Fit worst = Fit::begin;
        for (const std::string& word : words) worst = std::min(worst, fit_of(field.text, word));
        if (worst > (best ? best->fit : Fit::none)) best = Match{field, worst};
    }
    return best;
}

std::string where_of(const Field& field, const std::vector<std::string>& words) {
    if (field.name.empty()) return "";
    if (field.name != "also called") return fmt::format("{}: {}", field.name, field.text);
    for (const std::string_view alias : pegen::words(field.text)) {
        if (fit_of(alias, words.front()) != Fit::none) return fmt::format("also called {}", alias);
    }
    return "";
}

[[noreturn]] void refuse_search(std::string_view text) {
    if (const std::string_view reason = why_out_of_scope(text); !reason.empty()) {
        throw UsageError(fmt::format("list --search {}: {}", text, reason));
    }
    throw UsageError(fmt::format(
        "list --search {}: no encoding and no preset has this in its name, its summary, its source "
        "or its note; if you have the table, pe-gen identify FILE finds what makes it; if the "
        "model "
        "has a config.json, pe-gen describe --config config.json says which table it has",
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
    const std::vector<std::string> words = words_of(text);
    // By name, the beginning of a name, the beginning of a word elsewhere; parts of words.
    std::array<std::vector<Found>, 4> by_rank;
    const auto add = [&](const Found& found, const std::vector<Field>& fields) {
        const std::optional<Match> match = match_of(words, fields);
        if (!match) return;
        const auto& [field, fit] = *match;
        const bool is_name = field.text == fields.front().text || field.name == "also called";
        const bool is_whole_name =
            is_name && std::ranges::any_of(pegen::words(field.text), [&](std::string_view name) {
                return spelling(name) == words.front();
            });
        const std::size_t rank = is_whole_name ? 0 : fit == Fit::part ? 3 : is_name ? 1 : 2;
        const std::string where = found.where.empty() ? where_of(field, words) : found.where;
        by_rank[rank].push_back({found.encoding, found.preset, where});
    };
    if (!words.empty()) {
        const auto add_encoding = [&](const Encoding* encoding) {
            add({encoding, nullptr, ""}, {{"", encoding->name},
                                          {"", encoding->summary},
                                          {"from", encoding->source},
                                          {"formula", encoding->formula}});
        };
        std::ranges::for_each(all_encodings(), add_encoding);
        std::ranges::for_each(all_mechanisms(), add_encoding);
        for (const Preset& preset : all_presets()) {
            add({preset.encoding, &preset, ""}, {{"", preset.name},
                                                 {"also called", preset.aliases},
                                                 {"", preset.summary},
                                                 {"from", preset.source},
                                                 {"note", preset.note}});
        }
        for (const encodings::ModelFamily& family : encodings::all_families()) {
            std::vector<std::string_view> types = pegen::words(family.model_types);
            std::erase_if(types, [&](std::string_view type) {
                return !match_of(words, {{"", type}}) ||
                       match_of(words, {{"", type}})->fit == Fit::part;
            });
            if (types.empty()) continue;
            const std::string text_of_types = joined(types, " ");
            add({find_encoding("rope"), nullptr,
                 fmt::format("model_type {}: pe-gen rope --config config.json",
                             joined(types, ", "))},
                {{"", text_of_types}});
        }
    }
    std::vector<Found> all;
    for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
        if (rank == 3 && !all.empty()) break;
        std::ranges::move(by_rank[rank], std::back_inserter(all));
    }
    if (all.empty()) refuse_search(text);
    return all;
}

}  // namespace pegen::cli
