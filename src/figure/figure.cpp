#include "figure/figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/names.h"
#include "core/utf8.h"
#include "figure/paint.h"
#include "figure/plot.h"
#include "figure/plots/heatmap.h"
#include "figure/text_roles.h"

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

/// Adds a note for each text left out.
/// Throws: UsageError if the user gave one of them.
void add_notes(Figure& figure, const Parameters& parameters) {
    for (const TextRole role : figure.left_out) {
        const auto [name, option, remedy] = part_of(role);
        const bool is_own = option.empty() || !parameters.has(option);
        std::string note = fmt::format("{}: does not fit in {:.4g} x {:.4g} in{}; {}", name,
                                       figure.width / figure.dpi, figure.height / figure.dpi,
                                       is_own ? " and is left out" : "", remedy);
        if (!is_own) throw UsageError(note);
        figure.notes.push_back(std::move(note));
    }
}

/// A bare heatmap shows no title, but an SVG file keeps it.
/// Throws: UsageError if it is not valid UTF-8.
void check_title(const Figure& figure) {
    try {
        decode_utf8(figure.title);
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("--title: {}", error.what()));
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
    Figure figure = plot.compose(table, parameters, medium);
    if (figure.is_bare) check_title(figure);
    if (!medium.is_window) add_notes(figure, parameters);
    return figure;
}

Figure compose_figure(const Table& table, const Parameters& parameters) {
    return compose_figure(table, parameters, medium_of(parameters));
}

Image draw_figure(const Table& table, const Parameters& parameters) {
    return paint(compose_figure(table, parameters));
}

}  // namespace pegen
