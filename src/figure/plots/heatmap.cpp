#include "figure/plots/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/number.h"
#include "figure/grids.h"
#include "figure/plots/plots.h"
#include "figure/plots/texts.h"
#include "figure/plots/view.h"

namespace pegen {
namespace {

/// Throws: UsageError unless low < high.
void check_given(Limits limits, const Parameters& parameters) {
    if (limits.low < limits.high) return;
    const std::string low = shortest(limits.low), high = shortest(limits.high);
    throw UsageError(
        fmt::format("{}: must be below {}",
                    parameters.has("vmin") ? "--vmin " + low : "the smallest value, " + low,
                    parameters.has("vmax") ? "--vmax " + high : "the largest value, " + high));
}

Limits shared_limits(std::span<const View> views) {
    Limits all = value_limits(views.front().table);
    for (const View& view : views.subspan(1)) all = merge(all, value_limits(view.table));
    return all;
}

bool has_both_limits(const Parameters& parameters) {
    return parameters.has("vmin") && parameters.has("vmax");
}

/// Returns the limits of the colours, given those of the values.
Limits colour_limits(Limits limits, const Parameters& parameters) {
    if (parameters.has("vmin")) limits.low = parameters.real("vmin");
    if (parameters.has("vmax")) limits.high = parameters.real("vmax");
    if (parameters.has("vmin") || parameters.has("vmax")) check_given(limits, parameters);
    return set_apart(limits);
}

FigureSpec figure_spec(std::span<const View> views, const Parameters& parameters) {
    const Table& table = views.front().table;
    AxisOfTable down{table.axes[0], table.shape.rows()};
    AxisOfTable across{table.axes[1], table.shape.columns()};
    if (parameters.flag("transpose")) std::swap(down, across);
    FigureSpec spec{.x = cells_rightwards(across), .y = cells_downwards(down), .panels = {}};
    for (const View& view : views) spec.panels.push_back(view.title);
    set_texts(spec, parameters, table.title, across.axis.label, down.axis.label);
    if (!parameters.flag("no-colorbar")) spec.colorbar = Scale{ScaleKind::values, -1, 1, {}};
    spec.colorbar_label = text_or(parameters, "colorbar-label", table.value_label);
    spec.aspect = parameters.word("aspect") == "equal" ? Aspect::equal : Aspect::automatic;
    return spec;
}

HeatmapSpec heatmap_spec(const Parameters& parameters, PixelArea area) {
    const bool is_nearest = parameters.word("interpolation") == "nearest";
    const bool is_across = parameters.flag("transpose");
    return {.width = area.width,
            .height = area.height,
            .limits = {0, 1},
            .interpolation = is_nearest ? Interpolation::nearest : Interpolation::antialiased,
            .orientation = is_across ? Orientation::rows_across : Orientation::rows_down,
            .shift = matplotlib_shift};
}

struct Heatmaps {
    std::vector<IndexGrid> grids;
    Limits limits;
};

/// Draws each view by its spec, but all of them with the same limits.
Heatmaps draw(std::span<const View> views, std::vector<HeatmapSpec> specs,
              const Parameters& parameters) {
    if (views.size() == 1 && !has_both_limits(parameters)) {
        LimitedHeatmap one = heatmap(views.front().table, specs.front(), [&](Limits limits) {
            return colour_limits(limits, parameters);
        });
        return {{std::move(one.grid)}, one.limits};
    }
    const Limits of_values = has_both_limits(parameters) ? Limits{} : shared_limits(views);
    Heatmaps all{{}, colour_limits(of_values, parameters)};
    for (std::size_t i = 0; i < views.size(); ++i) {
        specs[i].limits = all.limits;
        all.grids.push_back(heatmap(views[i].table, specs[i]));
    }
    return all;
}

Figure compose_bare(std::span<const View> views, const Parameters& parameters,
                    const Medium& medium) {
    if (views.size() > 1) {
        throw UsageError(fmt::format(
            "--no-axes, --cell: draw one panel, and there are {}; choose one with --select",
            views.size()));
    }
    const Table& table = views.front().table;
    const std::int64_t cell = parameters.has("cell") ? parameters.integer("cell") : 1;
    std::int64_t across = table.shape.columns();
    std::int64_t down = table.shape.rows();
    if (parameters.flag("transpose")) std::swap(across, down);
    PixelArea area{};
    if (medium.is_window) {
        area.width = static_cast<int>(std::min<std::int64_t>(across * cell, medium.width));
        area.height = static_cast<int>(std::min<std::int64_t>(down * cell, medium.height));
    } else {
        check_picture_size(static_cast<double>(across) * static_cast<double>(cell),
                           static_cast<double>(down) * static_cast<double>(cell));
        area = {0, 0, static_cast<int>(across * cell), static_cast<int>(down * cell)};
    }
    HeatmapSpec spec = heatmap_spec(parameters, area);
    if (!medium.is_window) spec.interpolation = Interpolation::nearest;
    Heatmaps heatmaps = draw(views, {spec}, parameters);
    return {.title = text_or(parameters, "title", table.title),
            .width = area.width,
            .height = area.height,
            .dpi = medium.dpi,
            .palette = find_palette(parameters.word("cmap")),
            .grids = {{0, 0, std::move(heatmaps.grids.front())}},
            .is_bare = true};
}

Figure compose(const Table& table, const Parameters& parameters, const Medium& medium) {
    return compose_heatmaps(selected_views(table, parameters), parameters, medium);
}

}  // namespace

bool is_bare(const Parameters& parameters) {
    return parameters.flag("no-axes") || parameters.has("cell");
}

Figure compose_heatmaps(std::span<const View> views, const Parameters& parameters,
                        const Medium& medium) {
    if (is_bare(parameters)) return compose_bare(views, parameters, medium);
    FigureSpec spec = figure_spec(views, parameters);
    const auto draw_in = [&](const Layout& layout) {
        std::vector<HeatmapSpec> specs;
        for (const Panel& panel : layout.panels) {
            specs.push_back(heatmap_spec(parameters, panel.body));
        }
        return draw(views, std::move(specs), parameters);
    };
    // The limits are not known yet, and so neither are the numbers of the colour bar.
    const Layout expected = lay_out(spec, medium);
    Heatmaps heatmaps = draw_in(expected);
    const auto [low, high] = heatmaps.limits;
    const bool is_whole = !is_floating(views.front().table.dtype);
    if (spec.colorbar) {
        spec.colorbar = Scale{is_whole ? ScaleKind::indices : ScaleKind::values, low, high, {}};
    }
    Layout layout = lay_out(spec, medium);
    // Margins that depend on these numbers change the size of the axes.
    if (!std::ranges::equal(layout.panels, expected.panels, {}, &Panel::body, &Panel::body)) {
        heatmaps = draw_in(layout);
    }
    Figure figure{.title = std::move(spec.title),
                  .width = layout.width,
                  .height = layout.height,
                  .dpi = layout.dpi,
                  .palette = find_palette(parameters.word("cmap")),
                  .lines = std::move(layout.lines),
                  .texts = std::move(layout.texts),
                  .left_out = std::move(layout.left_out)};
    for (std::size_t i = 0; i < views.size(); ++i) {
        figure.grids.push_back(body_within_frame(layout.panels[i], std::move(heatmaps.grids[i])));
    }
    if (layout.colorbar) figure.grids.push_back(colorbar_grid(layout.colorbar_body));
    return figure;
}

constinit const Plot plots::heatmap{
    .name = "heatmap",
    .summary = "the values as colours",
    .options = heatmap_options,
    .compose = compose,
};

}  // namespace pegen
