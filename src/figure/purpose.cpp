#include "figure/purpose.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/names.h"
#include "figure/figure.h"

namespace pegen {
namespace {

constexpr std::array purposes{
    Purpose{"column", "--figsize 3.3x2.2 --font-size 7 --dpi 300",
            "a column of a paper in two columns"},
    Purpose{"two-columns", "--figsize 7x2.8 --font-size 8 --dpi 300",
            "the whole width of such a paper"},
    Purpose{"page", "--figsize 6x4 --font-size 9 --dpi 300",
            "the text of a page in one column, such as a thesis"},
    Purpose{"readme", "--figsize 10x7.5 --font-size 12 --dpi 100",
            "a page on the web, such as a README"},
    Purpose{"slide", "--figsize 13.33x7.5 --font-size 22 --dpi 144", "a slide of 16:9"},
    Purpose{"poster", "--figsize 16x12 --font-size 32 --dpi 150", "a poster, read from two metres"},
};

}  // namespace

std::span<const Purpose> all_purposes() { return purposes; }

std::string purpose_words() {
    std::vector<std::string_view> names;
    for (const Purpose& purpose : purposes) names.push_back(purpose.name);
    return joined(names, " ");
}

Parameters for_purpose(Parameters figure) {
    if (!figure.has("for")) return figure;
    const auto purpose = std::ranges::find(purposes, figure.word("for"), &Purpose::name);
    Parameters meant(figure_parameters());
    meant.set_all(purpose->settings, Origin::preset);
    for (const Parameters::Entry& entry : meant.entries()) {
        const bool is_meant = entry.origin == Origin::preset && !figure.given(entry.spec->name);
        if (is_meant) figure.resolve(entry.spec->name, entry.value);
    }
    return figure;
}

}  // namespace pegen
