#include "figure/figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/names.h"
#include "figure/paint.h"
#include "figure/plot.h"
#include "figure/plots/heatmap.h"

namespace pegen {
namespace {

const Plot& plot_of(const Parameters& parameters) {
    return **std::find_if(all_plots().begin(), all_plots().end(),
                          [&](const Plot* plot) { return plot->name == parameters.word("plot"); });
}

bool has_word(std::string_view list, std::string_view word) {
    const std::vector<std::string_view> all = words(list);
    return std::find(all.begin(), all.end(), word) != all.end();
}

/// The kinds of picture that have the option; empty if all have it.
std::vector<std::string_view> owners_of(std::string_view option) {
    std::vector<std::string_view> owners;
    for (const Plot* plot : all_plots()) {
        if (has_word(plot->options, option)) owners.push_back(plot->name);
    }
    return owners;
}

/// Throws: UsageError for an option that is given and does nothing.
void check_options(const Plot& plot, const Parameters& parameters) {
    for (const Parameters::Entry& entry : parameters.entries()) {
        if (entry.origin != Origin::user || has_word(plot.options, entry.spec->name)) continue;
        const std::vector<std::string_view> owners = owners_of(entry.spec->name);
        if (owners.empty()) continue;
        throw UsageError(fmt::format("--{}: has no effect on --plot {}, only on {}",
                                     entry.spec->name, plot.name, fmt::join(owners, ", ")));
    }
}

Medium medium_of(const Parameters& parameters) {
    if (is_bare(parameters)) {
        Medium medium{};
        medium.dpi = parameters.real("dpi");
        return medium;
    }
    const std::vector<double>& inches = parameters.reals("figsize");
    return picture_medium(inches.front(), inches.back(), parameters.real("dpi"),
                          parameters.has("font") ? load_font(parameters.word("font")) : nullptr);
}

}  // namespace

Figure compose_figure(const Table& table, const Parameters& parameters, const Medium& medium) {
    if (table.shape.size() == 0) {
        throw UsageError(
            fmt::format("a table of shape {}: has no values to draw", to_string(table.shape)));
    }
    const Plot& plot = plot_of(parameters);
    check_options(plot, parameters);
    return plot.compose(table, parameters, medium);
}

Figure compose_figure(const Table& table, const Parameters& parameters) {
    return compose_figure(table, parameters, medium_of(parameters));
}

Image draw_figure(const Table& table, const Parameters& parameters) {
    return paint(compose_figure(table, parameters));
}

}  // namespace pegen
