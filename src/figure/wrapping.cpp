#include "figure/wrapping.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/utf8.h"

namespace pegen {
namespace {

/// A part of a text within which no line is broken.
struct Piece {
    std::string text;
    bool is_after_space;
};

std::vector<Piece> pieces_of(std::string_view text) {
    std::vector<Piece> pieces;
    bool is_after_space = false, is_after_wide = true;
    for (const auto& [bytes, columns] : displayed_characters(text)) {
        if (bytes == " ") {
            is_after_space = true;
            continue;
        }
        const bool is_wide = columns == 2;
        if (is_after_space || is_wide || is_after_wide) pieces.push_back({"", is_after_space});
        pieces.back().text += bytes;
        is_after_space = false;
        is_after_wide = is_wide;
    }
    return pieces;
}

/// Returns lines filled one after the other, each with as many pieces as `limit` allows.
std::vector<std::string> filled(const std::vector<Piece>& pieces, double limit,
                                const LengthOf& length_of) {
    std::vector<std::string> lines;
    for (const auto& [text, is_after_space] : pieces) {
        if (!lines.empty()) {
            std::string longer = lines.back() + (is_after_space ? " " : "") + text;
            if (length_of(longer) <= limit) {
                lines.back() = std::move(longer);
                continue;
            }
        }
        lines.push_back(text);
    }
    return lines;
}

}  // namespace

std::vector<std::string> wrapped(const std::string& text, double limit, const LengthOf& length_of) {
    if (length_of(text) <= limit) return {text};
    const std::vector<Piece> pieces = pieces_of(text);
    std::vector<std::string> lines = filled(pieces, limit, length_of);
    // The search finds the narrowest limit that takes as many lines.
    double low = 0;
    for (int step = 0; step < 10; ++step) {
        const double middle = (low + limit) / 2;
        std::vector<std::string> narrower = filled(pieces, middle, length_of);
        const bool is_narrower =
            narrower.size() == lines.size() && std::ranges::all_of(narrower, [&](const auto& line) {
                return length_of(line) <= middle;
            });
        (is_narrower ? limit : low) = middle;
        if (is_narrower) lines = std::move(narrower);
    }
    return lines;
}

std::string shortened(const std::string& text, int columns) {
    if (display_width(text) <= columns) return text;
    constexpr std::string_view dots = "...";
    int left = columns - static_cast<int>(dots.size());
    std::string beginning;
    for (const DisplayedCharacter& character : displayed_characters(text)) {
        left -= character.columns;
        if (left < 0) break;
        beginning += character.bytes;
    }
    return beginning.empty() ? "" : beginning.append(dots);
}

namespace {

struct ShortLabel {
    std::string_view label;
    std::string_view word;
};

constexpr std::array short_labels{
    ShortLabel{"Sequence Position(max_len)", "Position"},
    ShortLabel{"Embedding Dimension(d_model)", "Channel"},
    ShortLabel{"Positional Encoding Values", "Value"},
    ShortLabel{"Query Position", "Query"},
    ShortLabel{"Key Position", "Key"},
    ShortLabel{"Row of the Grid", "Row"},
    ShortLabel{"Column of the Grid", "Column"},
    ShortLabel{"Row of the Patch", "Patch Row"},
    ShortLabel{"Column of the Patch", "Patch Column"},
    ShortLabel{"Channel before Rotation", "Channel"},
    ShortLabel{"Channel of the Result", "Channel"},
    ShortLabel{"Offset between Positions", "Offset"},
    ShortLabel{"Mean of |S| over the Pairs", "Mean of |S|"},
    ShortLabel{"Cosine Similarity", "Cosine"},
};

std::vector<std::string> titles(const std::string& title) {
    std::vector<std::string> all{title};
    std::string without = title;
    const std::size_t open = title.find(" ("), close = title.find(')', open);
    const bool has_list = open != title.npos && close != title.npos;
    // Parentheses without '=' are part of a name, such as that of a file.
    if (has_list && title.substr(open, close - open).find('=') != title.npos) {
        const std::size_t behind_first = title.find(", ", open);
        if (behind_first < close) {
            all.push_back(title.substr(0, behind_first) + title.substr(close));
        }
        without.erase(open, close + 1 - open);
        all.push_back(without);
    }
    for (const std::string_view mask : {", under a causal mask", ", before a causal mask"}) {
        const std::size_t place = without.find(mask);
        if (place != without.npos) all.push_back(without.erase(place, mask.size()));
    }
    return all;
}

}  // namespace

std::vector<std::string> ways_to_write(TextRole role, const std::string& text) {
    if (role == TextRole::title) return titles(text);
    const auto* const found = std::ranges::find(short_labels, text, &ShortLabel::label);
    if (found == short_labels.end()) return {text};
    // Beside a colour bar the word says nothing that its numbers do not say.
    const bool is_idle = role == TextRole::colorbar_label && found->word == "Value";
    return {text, is_idle ? "" : std::string(found->word)};
}

}  // namespace pegen
