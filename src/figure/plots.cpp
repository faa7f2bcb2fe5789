#include "figure/plots/plots.h"

#include <array>
#include <vector>

#include "core/names.h"
#include "figure/plot.h"

namespace pegen {

std::span<const Plot* const> all_plots() {
    static constexpr std::array plots{
        &plots::heatmap, &plots::waves, &plots::similarity, &plots::offsets, &plots::wavelengths,
        &plots::steps,   &plots::decay, &plots::norms,      &plots::maps,    &plots::patches,
    };
    return plots;
}

bool has_option(const Plot& plot, std::string_view option) {
    return has_word(plot.options, option) || has_word(plot.common_options, option);
}

std::string plot_words() {
    std::vector<std::string_view> names;
    for (const Plot* plot : all_plots()) names.push_back(plot->name);
    return joined(names, " ");
}

}  // namespace pegen
