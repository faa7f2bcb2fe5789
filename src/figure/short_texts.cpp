#include "figure/short_texts.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace pegen {
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
