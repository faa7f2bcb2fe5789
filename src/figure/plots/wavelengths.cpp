#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "figure/plots/curves.h"
#include "figure/plots/others.h"
#include "figure/plots/plots.h"
#include "figure/plots/texts.h"

namespace pegen {
namespace {

/// Returns the curve of a table of wavelengths over the numbers of the channel pairs.
Series series_of(const Table& wavelengths, std::string name, std::size_t colour) {
    Series series{.name = std::move(name),
                  .colour = curve_colours[colour],
                  .x = {},
                  .y = read_rows(wavelengths, {0, wavelengths.shape.rows()}),
                  .has_points = true};
    for (std::size_t i = 0; i < series.y.size(); ++i) {
        series.x.push_back(static_cast<double>(i));
        // Values that are not positive have no place on a logarithmic axis.
        if (!(series.y[i] > 0)) series.y[i] = std::numeric_limits<double>::quiet_NaN();
    }
    return series;
}

void check(Limits limits) {
    if (limits == no_limits) {
        throw UsageError("--plot wavelengths: no pair of channels has one");
    }
    if (can_be_logarithmic(limits)) return;
    throw UsageError(
        fmt::format("--plot wavelengths: they go from {} to {}; a logarithmic axis shows {} to {}",
                    limits.low, limits.high, logarithmic_limits.low, logarithmic_limits.high));
}

Figure compose(const Table& table, const Parameters& parameters, const Medium& medium) {
    if (!table.sibling)
        throw UsageError("--plot wavelengths: files, and tables with flaws, do not tell them");
    const std::vector<NamedTable> all = with_others(table, parameters, "wavelengths");
    const Table& wavelengths = all.front().table;
    std::vector<Series> curves;
    for (const NamedTable& one : all) {
        curves.push_back(series_of(one.table, one.name, curves.size()));
    }
    Limits limits = medium.least_limits;
    double last = 0;
    for (const Series& curve : curves) {
        limits = merge(limits, limits_of(curve.y));
        last = std::max(last, static_cast<double>(curve.x.size()) - 1);
    }
    check(limits);
    FigureSpec spec{.x = with_margins(ScaleKind::indices, set_apart({0, last})),
                    .y = with_margins(ScaleKind::powers, set_apart(limits))};
    set_texts(spec, parameters, all.size() > 1 ? "Wavelengths" : wavelengths.title,
              wavelengths.axes[0].label, wavelengths.value_label);
    return compose_curves(std::move(spec), curves, {}, medium);
}

}  // namespace

constinit const Plot plots::wavelengths{
    .name = "wavelengths",
    .summary =
        "the wavelength of each pair of channels, on a logarithmic axis; --with compares encodings",
    .options = "with",
    .compose = compose,
};

}  // namespace pegen
