#include "figure/plots/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
#include "figure/colorbar_arrows.h"
#include "figure/colorbar_steps.h"
#include "figure/grids.h"
#include "figure/plots/colour_limits.h"
#include "figure/plots/plots.h"
#include "figure/plots/texts.h"
#include "figure/plots/view.h"

namespace pegen {
namespace {

Limits shared_limits(std::span<const View> views) {
    Limits all = no_limits;
    for (const View& view : views) all = merge(all, finite_limits(view.table));
    return all;
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
    Limits of_values;  ///< the limits of the values that were read
};

/// Draws each view by its spec, but all views with the same limits.
Heatmaps draw(std::span<const View> views, std::vector<HeatmapSpec> specs,
              const Parameters& parameters) {
    if (views.size() == 1 && !has_both_limits(parameters)) {
        LimitedHeatmap one = heatmap(views.front().table, specs.front(), [&](Limits limits) {
            return colour_limits(limits, parameters);
        });
        return {{std::move(one.grid)}, one.limits, one.of_values};
    }
    SharedLimits seen;
    const See see = [&](std::span<const double> values) { seen.add(values); };
    const bool is_given = has_both_limits(parameters);
    const Limits of_values = is_given ? no_limits : shared_limits(views);
    Heatmaps all{{}, colour_limits(or_any(of_values), parameters), of_values};
    for (std::size_t i = 0; i < views.size(); ++i) {
        specs[i].limits = all.limits;
        all.grids.push_back(heatmap(views[i].table, specs[i], is_given ? see : See()));
    }
    if (is_given) all.of_values = seen.get();
    return all;
}

/// Sets the contents of the colour bar, now that the limits are known. Returns its colours.
std::vector<std::uint16_t> set_colorbar(FigureSpec& spec, const Table& table,
                                        const Heatmaps& heatmaps, int pixels,
                                        const Medium& medium) {
    if (!medium.is_window) {
        spec.colorbar_arrows = arrows_of(heatmaps.of_values, heatmaps.limits);
    }
    const auto [low, high] = heatmaps.limits;
    spec.colorbar = Scale{is_whole(table) ? ScaleKind::indices : ScaleKind::values, low, high, {}};
    const auto steps = is_whole(table) ? steps_within(heatmaps.limits, pixels) : std::nullopt;
    if (!steps) return all_colours();
    spec.colorbar = scale_of(*steps);
    return colours_of(*steps, heatmaps.limits);
}

/// Returns a value as it is written into a cell. Zero has no sign.
std::string number_text(double value, std::int64_t decimals) {
    std::string text = fmt::format("{:.{}f}", value, decimals);
    const bool is_zero = text.find_first_of("123456789nf") == std::string::npos;
    if (is_zero && text.front() == '-') text.erase(0, 1);
    return text;
}

/// Throws: UsageError if the table has too many cells for numbers.
void check_cells(const Table& table) {
    constexpr std::int64_t most_cells = 1 << 14;
    if (table.shape.size() <= most_cells) return;
    throw UsageError(
        fmt::format("--annotate: {} x {} cells are too many for numbers, more than 2^14",
                    table.shape.rows(), table.shape.columns()));
}

/// Returns black or white, whichever is easier to read on the colour (WCAG 2.1: relative luminance,
/// contrast ratio).
Rgb readable_on(Rgb colour) {
    const auto linear = [](std::uint8_t part) {
        const double share = part / 255.0;
        return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    };
    const double luminance =
        0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
    const bool is_light = (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05);
    return is_light ? Rgb{0, 0, 0} : Rgb{255, 255, 255};
}

/// Returns the style in which all texts fit into cells of this size: the style of labels, or
/// smaller. Throws: UsageError if they fit only in letters that nobody reads.
TextStyle style_within(const std::vector<std::string>& texts, double width, double height,
                       TextStyle style) {
    constexpr double least_points = 3, share_across = 0.9, share_down = 0.85;
    double longest = 0;
    for (const std::string& text : texts) longest = std::max(longest, text_advance(text, style));
    const InkBox digit = text_ink("0", style);
    const double shrink = std::min(
        {1.0, share_across * width / longest, share_down * height / (digit.bottom - digit.top)});
    style.points *= shrink;
    if (style.points >= least_points) return style;
    throw UsageError(fmt::format(
        "--annotate: numbers such as {} do not fit into cells of {:.0f} x {:.0f} pixels; make "
        "--figsize larger, or --decimals smaller",
        *std::ranges::max_element(texts, {}, &std::string::size), width, height));
}

/// Adds the values of the cells to a figure, in the panel of each view.
void add_numbers(Figure& figure, std::span<const View> views, Limits limits,
                 const Parameters& parameters, const Medium& medium) {
    for (std::size_t i = 0; i < views.size(); ++i) {
        const Table& table = views[i].table;
        check_cells(table);
        const std::int64_t usual = is_whole(table) ? 0 : 2;
        const std::int64_t decimals =
            parameters.has("decimals") ? parameters.integer("decimals") : usual;
        const std::vector<double> values = read_rows(table, {0, table.shape.rows()});
        std::vector<std::string> texts;
        for (const double value : values) texts.push_back(number_text(value, decimals));
        const std::int64_t columns = table.shape.columns();
        const bool is_transposed = parameters.flag("transpose");
        const PixelArea& area = figure.panels[i];
        const double width = static_cast<double>(area.width) /
                             static_cast<double>(is_transposed ? table.shape.rows() : columns);
        const double height = static_cast<double>(area.height) /
                              static_cast<double>(is_transposed ? columns : table.shape.rows());
        const TextStyle style = style_within(texts, width, height, medium.text_style);
        const InkBox digit = text_ink("0", style);
        for (std::size_t cell = 0; cell < texts.size(); ++cell) {
            std::int64_t row = static_cast<std::int64_t>(cell) / columns;
            std::int64_t column = static_cast<std::int64_t>(cell) % columns;
            if (is_transposed) std::swap(row, column);
            const double x = area.left + (static_cast<double>(column) + 0.5) * width;
            const double y = area.top + (static_cast<double>(row) + 0.5) * height;
            const std::uint16_t index = colour_index(values[cell], limits);
            figure.texts.push_back(
                {TextRole::cell, texts[cell], style,
                 static_cast<int>(std::lround(x - text_advance(texts[cell], style) / 2)),
                 static_cast<int>(std::lround(y - (digit.top + digit.bottom) / 2.0)),
                 Direction::rightwards,
                 index == no_value ? std::nullopt
                                   : std::optional(readable_on(figure.palette[index]))});
        }
    }
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
            .panels = {area},
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
    // The limits are not known yet, so the colour bar's numbers are not known either.
    const Layout expected = lay_out(spec, medium);
    Heatmaps heatmaps = draw_in(expected);
    std::vector<std::uint16_t> colours;
    if (expected.colorbar) {
        colours = set_colorbar(spec, views.front().table, heatmaps, expected.colorbar_body.height,
                               medium);
    }
    Layout layout = lay_out(spec, medium);
    // Margins that depend on the colour bar's numbers change the size of the axes.
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
        figure.panels.push_back(layout.panels[i].body);
    }
    if (layout.colorbar) {
        figure.grids.push_back(colorbar_grid(layout.colorbar_body, colours));
        add_arrows(figure, *layout.colorbar, spec.colorbar_arrows, medium.line_width);
    }
    if (parameters.flag("annotate")) {
        add_numbers(figure, views, heatmaps.limits, parameters, medium);
    }
    return figure;
}

constinit const Plot plots::heatmap{
    .name = "heatmap",
    .summary = "the values as colours",
    .options = heatmap_options,
    .compose = compose,
};

}  // namespace pegen
