#include <cmath>
#include <limits>

#include "core/error.h"
#include "figure/plots/curves.h"
#include "figure/plots/plots.h"
#include "figure/plots/texts.h"

namespace pegen {
namespace {

Figure compose(const Table& table, const Parameters& parameters, const Medium& medium) {
    if (!table.sibling) throw UsageError("--plot wavelengths: a file does not tell them");
    const Table wavelengths = table.sibling("wavelengths");
    Series series{.name = "",
                  .colour = curve_colours[0],
                  .x = {},
                  .y = read_rows(wavelengths, {0, wavelengths.shape.rows()}),
                  .has_points = true};
    for (std::size_t i = 0; i < series.y.size(); ++i) {
        series.x.push_back(static_cast<double>(i));
        // They have no place on a logarithmic axis.
        if (!(series.y[i] > 0)) series.y[i] = std::numeric_limits<double>::quiet_NaN();
    }
    const auto last = static_cast<double>(series.x.size() - 1);
    FigureSpec spec{.x = with_margins(ScaleKind::indices, set_apart({0, last})),
                    .y = with_margins(ScaleKind::powers, set_apart(or_any(limits_of(series.y))))};
    set_texts(spec, parameters, wavelengths.title, wavelengths.axes[0].label,
              wavelengths.value_label);
    return compose_curves(std::move(spec), {series}, {}, medium);
}

}  // namespace

constinit const Plot plots::wavelengths{
    .name = "wavelengths",
    .summary = "the wavelength of each pair of channels, on a logarithmic axis",
    .options = "",
    .compose = compose,
};

}  // namespace pegen
