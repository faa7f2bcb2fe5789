#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "core/names.h"
#include "figure/plots/curves.h"
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

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == text.npos) return "";
    return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

/// Returns the text, shortened to fit into a legend.
std::string shortened(std::string_view text) {
    constexpr std::size_t most = 24;
    return text.size() <= most ? std::string(text) : fmt::format("{}...", text.substr(0, most - 3));
}

/// Returns the curves of --with, whose value is like "name: words; words".
std::vector<Series> others(const Table& table, std::string_view commands) {
    if (!table.other) throw UsageError("--with: a file is drawn alone");
    const std::vector<std::string_view> all = fields(commands, ';');
    if (all.size() + 1 > curve_colours.size()) {
        throw UsageError(
            fmt::format("--with: one figure tells at most {} curves apart", curve_colours.size()));
    }
    std::vector<Series> curves;
    for (const std::string_view command : all) {
        const std::size_t colon = command.find(':');
        const std::string_view words =
            trimmed(colon == command.npos ? command : command.substr(colon + 1));
        const std::string_view name = colon == command.npos ? words : command.substr(0, colon);
        curves.push_back(series_of(table.other(words, "wavelengths"), shortened(trimmed(name)),
                                   curves.size() + 1));
    }
    return curves;
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
    if (!table.sibling) throw UsageError("--plot wavelengths: a file does not tell them");
    const Table wavelengths = table.sibling("wavelengths");
    std::vector<Series> curves;
    if (parameters.has("with")) curves = others(table, parameters.word("with"));
    const Provenance& origin = table.provenance;
    const std::string& own_name = origin.preset.empty() ? origin.encoding : origin.preset;
    curves.insert(curves.begin(), series_of(wavelengths, curves.empty() ? "" : own_name, 0));
    Limits limits = no_limits;
    double last = 0;
    for (const Series& curve : curves) {
        limits = merge(limits, limits_of(curve.y));
        last = std::max(last, static_cast<double>(curve.x.size()) - 1);
    }
    check(limits);
    FigureSpec spec{.x = with_margins(ScaleKind::indices, set_apart({0, last})),
                    .y = with_margins(ScaleKind::powers, set_apart(limits))};
    set_texts(spec, parameters, wavelengths.title, wavelengths.axes[0].label,
              wavelengths.value_label);
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
