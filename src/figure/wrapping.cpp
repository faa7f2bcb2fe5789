#include "figure/wrapping.h"

#include <algorithm>

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

}  // namespace pegen
