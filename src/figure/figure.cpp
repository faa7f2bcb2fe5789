#include "pegen/figure/figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "figure/grids.h"
#include "pegen/core/error.h"
#include "pegen/core/number.h"
#include "pegen/figure/colormap.h"
#include "pegen/figure/heatmap.h"
#include "pegen/figure/layout.h"
#include "pegen/figure/paint.h"

namespace pegen {
namespace {

/// Throws: UsageError if the limits are the wrong way round or equal.
void check_given(Limits limits, const Parameters& parameters) {
    if (limits.low < limits.high) return;
    const std::string low = shortest(limits.low), high = shortest(limits.high);
    throw UsageError(
        fmt::format("{}: must be below {}",
                    parameters.has("vmin") ? "--vmin " + low : "the smallest value, " + low,
                    parameters.has("vmax") ? "--vmax " + high : "the largest value, " + high));
}

Limits colour_limits(const Table& table, const Parameters& parameters) {
    const bool has_low = parameters.has("vmin");
    const bool has_high = parameters.has("vmax");
    Limits limits = has_low && has_high ? Limits{} : value_limits(table);
    if (has_low) limits.low = parameters.real("vmin");
    if (has_high) limits.high = parameters.real("vmax");
    if (has_low || has_high) check_given(limits, parameters);
    return set_apart(limits);
}

/// The names of an axis of the picture: the labels of the table's axes `first` to `end`.
std::string axis_label(const Table& table, std::size_t first, std::size_t end) {
    end = std::min(end, table.axes.size());
    if (end == first + 1) return table.axes[first].label;
    std::string names;
    for (std::size_t axis = first; axis < end; ++axis) {
        names += fmt::format("{}{}", names.empty() ? "" : " x ", table.axes[axis].name);
    }
    return names;
}

std::string text_or(const Parameters& parameters, std::string_view name, std::string otherwise) {
    return parameters.has(name) ? parameters.word(name) : std::move(otherwise);
}

FigureSpec figure_spec(const Table& table, const Parameters& parameters, Limits limits) {
    FigureSpec spec;
    spec.rows = table.shape.rows();
    spec.columns = table.shape.columns();
    // A table of one axis is a column.
    const auto rank = static_cast<std::size_t>(table.shape.rank());
    const std::size_t axes_of_rows = std::max<std::size_t>(rank, 2) - 1;
    std::string row_label = axis_label(table, 0, axes_of_rows);
    std::string column_label = axis_label(table, axes_of_rows, rank);
    if (parameters.flag("transpose")) {
        std::swap(spec.rows, spec.columns);
        std::swap(row_label, column_label);
    }
    spec.limits = limits;
    spec.title = text_or(parameters, "title", table.title);
    spec.x_label = text_or(parameters, "xlabel", std::move(column_label));
    spec.y_label = text_or(parameters, "ylabel", std::move(row_label));
    spec.colorbar_label = text_or(parameters, "colorbar-label", table.value_label);
    if (parameters.has("font")) spec.font = load_font(parameters.word("font"));
    spec.inches_wide = parameters.reals("figsize").front();
    spec.inches_high = parameters.reals("figsize").back();
    spec.dpi = parameters.real("dpi");
    spec.aspect = parameters.word("aspect") == "equal" ? Aspect::equal : Aspect::automatic;
    return spec;
}

HeatmapSpec heatmap_spec(const Parameters& parameters, PixelArea area, Limits limits) {
    return {area.width, area.height, limits,
            parameters.word("interpolation") == "nearest" ? Interpolation::nearest
                                                          : Interpolation::antialiased,
            parameters.flag("transpose") ? Orientation::rows_across : Orientation::rows_down};
}

Figure compose_bare(const Table& table, const Parameters& parameters) {
    const std::int64_t cell = parameters.has("cell") ? parameters.integer("cell") : 1;
    std::int64_t across = table.shape.columns();
    std::int64_t down = table.shape.rows();
    if (parameters.flag("transpose")) std::swap(across, down);
    check_picture_size(static_cast<double>(across) * static_cast<double>(cell),
                       static_cast<double>(down) * static_cast<double>(cell));
    const PixelArea area{0, 0, static_cast<int>(across * cell), static_cast<int>(down * cell)};
    HeatmapSpec spec = heatmap_spec(parameters, area, colour_limits(table, parameters));
    spec.interpolation = Interpolation::nearest;
    return {.title = text_or(parameters, "title", table.title),
            .width = area.width,
            .height = area.height,
            .dpi = parameters.real("dpi"),
            .palette = find_palette(parameters.word("cmap")),
            .grids = {{0, 0, heatmap(table, spec)}},
            .lines = {},
            .texts = {},
            .is_bare = true};
}

}  // namespace

Figure compose_figure(const Table& table, const Parameters& parameters) {
    if (table.shape.size() == 0) {
        throw UsageError(
            fmt::format("a table of shape {}: has no values to draw", to_string(table.shape)));
    }
    if (parameters.flag("no-axes") || parameters.has("cell"))
        return compose_bare(table, parameters);
    // What may be refused is refused before the values are looked at.
    FigureSpec spec = figure_spec(table, parameters, {0, 1});
    lay_out(spec);
    spec.limits = colour_limits(table, parameters);
    Layout layout = lay_out(spec);
    IndexGrid body = heatmap(table, heatmap_spec(parameters, layout.body, spec.limits));
    Figure figure{.title = std::move(spec.title),
                  .width = layout.width,
                  .height = layout.height,
                  .dpi = layout.dpi,
                  .palette = find_palette(parameters.word("cmap")),
                  .grids = {body_within_frame(layout, std::move(body))},
                  .lines = std::move(layout.lines),
                  .texts = std::move(layout.texts),
                  .is_bare = false};
    if (layout.colorbar) figure.grids.push_back(colorbar_grid(layout.colorbar_body));
    return figure;
}

Image draw_figure(const Table& table, const Parameters& parameters) {
    return paint(compose_figure(table, parameters));
}

}  // namespace pegen
