#include "figure/plots/plots.h"

#include <array>

#include "figure/plot.h"

namespace pegen {

std::span<const Plot* const> all_plots() {
    static constexpr std::array plots{
        &plots::heatmap, &plots::waves,       &plots::similarity,
        &plots::offsets, &plots::wavelengths, &plots::steps,
    };
    return plots;
}

std::string plot_words() {
    std::string all;
    for (const Plot* plot : all_plots()) {
        if (!all.empty()) all += ' ';
        all += plot->name;
    }
    return all;
}

}  // namespace pegen
