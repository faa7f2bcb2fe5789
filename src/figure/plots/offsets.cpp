#include "figure/plots/curves.h"
#include "figure/plots/plots.h"
#include "figure/plots/texts.h"
#include "figure/plots/view.h"
#include "figure/similarity.h"

namespace pegen {
namespace {

/// The first colour of curves, a quarter of it over white.
constexpr Rgb band_colour{0xc7, 0xdd, 0xec};

Figure compose(const Table& whole, const Parameters& parameters, const Medium& medium) {
    const Table table = view_of(whole, parameters).table;
    const OffsetStatistics statistics = dot_products_by_offset(table);
    std::vector<double> offsets(statistics.mean.size());
    for (std::size_t k = 0; k < offsets.size(); ++k) offsets[k] = static_cast<double>(k);
    const Limits limits = limits_of({&statistics.lowest, &statistics.highest});
    FigureSpec spec{.x = with_margins(ScaleKind::indices, set_apart({0, offsets.back()})),
                    .y = with_margins(ScaleKind::values, set_apart(limits))};
    set_texts(spec, parameters, table.title, "Offset between Positions", "Dot Product");
    const SeriesBand band{"all pairs", band_colour, offsets, statistics.lowest, statistics.highest};
    const Series mean{
        .name = "mean", .colour = curve_colours[0], .x = offsets, .y = statistics.mean};
    return compose_curves(std::move(spec), {mean}, band, medium);
}

}  // namespace

constinit const Plot plots::offsets{
    .name = "offsets",
    .summary = "the mean dot product of positions over their distance, with its range",
    .options = "",
    .compose = compose,
};

}  // namespace pegen
