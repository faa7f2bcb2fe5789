#include "figure/plots/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/double_double.h"
#include "core/error.h"
#include "core/number.h"
#include "figure/colorbar.h"
#include "figure/figure.h"
#include "figure/plots/plots.h"
#include "figure/plots/view.h"
#include "figure/similarity.h"
#include "figure/theme.h"
#include "figure/ticks.h"

namespace pegen {
namespace {

/// Checks the order of the limits. Throws: UsageError unless low < high.
void check_order(Limits limits, const Parameters& parameters) {
    if (limits.low < limits.high) return;
    const std::string low = shortest(limits.low), high = shortest(limits.high);
    throw UsageError(
        fmt::format("{}: must be below {}",
                    parameters.has("vmin") ? "--vmin " + low : "the smallest value, " + low,
                    parameters.has("vmax") ? "--vmax " + high : "the largest value, " + high));
}

/// Returns the distance of both limits from --vcentre.
double half_width(double centre, Limits of_values, const Parameters& parameters) {
    if (parameters.has("vmin")) {
        const double low = parameters.real("vmin");
        if (low < centre) return centre - low;
        throw UsageError(
            fmt::format("--vmin {}: must be below --vcentre {}", shortest(low), shortest(centre)));
    }
    if (parameters.has("vmax")) {
        const double high = parameters.real("vmax");
        if (high > centre) return high - centre;
        throw UsageError(
            fmt::format("--vmax {}: must be above --vcentre {}", shortest(high), shortest(centre)));
    }
    return std::max(std::fabs(of_values.low - centre), std::fabs(of_values.high - centre));
}

Limits around_centre(Limits of_values, const Parameters& parameters) {
    const double centre = parameters.real("vcentre");
    const double half = half_width(centre, of_values, parameters);
    const Limits limits{centre - half, centre + half};
    if (std::isfinite(limits.low) && std::isfinite(limits.high)) return limits;
    throw UsageError(
        fmt::format("--vcentre {}: is so far from the values that a limit would exceed "
                    "the largest double; use --vmin and --vmax",
                    shortest(centre)));
}

}  // namespace

bool has_both_limits(const Parameters& parameters) {
    const int given = parameters.has("vmin") + parameters.has("vmax") + parameters.has("vcentre");
    return given >= 2;
}

Limits colour_limits(Limits of_values, const Parameters& parameters) {
    Limits limits = of_values;
    if (parameters.has("vcentre")) {
        if (parameters.has("vmin") && parameters.has("vmax")) {
            throw UsageError(
                fmt::format("--vcentre {}: contradicts --vmin and --vmax, or follows from them; "
                            "leave one of the three out",
                            shortest(parameters.real("vcentre"))));
        }
        limits = around_centre(of_values, parameters);
    } else if (parameters.has("vmin") || parameters.has("vmax")) {
        if (parameters.has("vmin")) limits.low = parameters.real("vmin");
        if (parameters.has("vmax")) limits.high = parameters.real("vmax");
        check_order(limits, parameters);
    }
    return set_apart(limits);
}

Palette palette_for(const Table& table, const Parameters& parameters) {
    return find_palette(table.has_shares && !parameters.given("cmap") ? "viridis"
                                                                      : parameters.word("cmap"));
}

namespace {

bool has_a_limit(const Parameters& parameters) {
    return parameters.has("vmin") || parameters.has("vmax") || parameters.has("vcentre");
}

/// Returns the limits moved outwards to multiples of the step between their ticks, where these are
/// near, so that an end of the colour bar has a number.
Limits rounded_outwards(Limits limits) {
    constexpr double near = 0.04;
    constexpr int intervals = 6;
    const std::vector<Tick> ticks = value_ticks(limits, intervals);
    if (ticks.size() < 2 || !std::isfinite(limits.high - limits.low)) return limits;
    const double step = ticks[1].value - ticks[0].value;
    const double low = ticks.front().value - step, high = ticks.back().value + step;
    const double most = near * (limits.high - limits.low);
    return {limits.low - low <= most ? low : limits.low,
            high - limits.high <= most ? high : limits.high};
}

Limits merged(const std::vector<Limits>& all) {
    Limits limits = no_limits;
    for (const Limits& one : all) limits = merge(limits, one);
    return limits;
}

/// Returns the limits of the colours for values within these limits: see colour_limits(). Shares
/// begin at 0.
Limits limits_for(Limits of_values, const Table& table, const Parameters& parameters,
                  const Medium& medium) {
    if (table.has_shares && of_values != no_limits) of_values.low = std::min(of_values.low, 0.0);
    const Limits limits = colour_limits(or_any(of_values), parameters);
    const bool is_free = medium.has_own_size && !is_whole(table) && !has_a_limit(parameters);
    return is_free ? rounded_outwards(limits) : limits;
}

/// True if some of the panels, whose values have these limits, would have few of the colours that
/// all panels share. Whole numbers, such as the numbers of buckets, mean the same in all panels.
bool differ_much(std::span<const View> views, const std::vector<Limits>& of_values,
                 const Parameters& parameters) {
    if (is_whole(views.front().table) || has_a_limit(parameters)) return false;
    constexpr double least_share = 1.0 / 16;
    const Limits all = merged(of_values);
    return std::ranges::any_of(of_values, [&](Limits limits) {
        const double width = limits.high - limits.low;
        return width > 0 && width < least_share * (all.high - all.low);
    });
}

/// True if each panel has limits of its own: by --limits, or because the panels differ much.
bool are_own(std::span<const View> views, const std::vector<Limits>& of_values,
             const Parameters& parameters) {
    if (parameters.word("limits") != "auto") return parameters.word("limits") == "own";
    return differ_much(views, of_values, parameters);
}

/// True if the colours are spread by symlog(): by --colour-scale or, in a figure of its own size,
/// because the panels differ much and no value has the sign of another one, as in biases. Throws:
/// UsageError if panels with limits of their own are to be spread so.
bool is_symlog(std::span<const View> views, const std::vector<Limits>& of_values,
               const Parameters& parameters, const Medium& medium) {
    const bool is_given = parameters.word("colour-scale") == "symlog";
    if (parameters.word("limits") == "own") {
        if (!is_given) return false;
        throw UsageError(
            "--colour-scale symlog: is for limits that all panels share, and --limits own gives "
            "each its own; leave one of the two out");
    }
    return is_given ||
           (parameters.word("colour-scale") == "auto" && medium.has_own_size &&
            have_one_sign(merged(of_values)) && differ_much(views, of_values, parameters));
}

/// Returns the threshold of symlog() for colours with these limits: a power of ten, at most a
/// thousandth of the larger limit and a tenth of the largest value of each panel, but at least a
/// millionth of the larger limit; 1 for whole numbers.
double threshold_for(Limits limits, const std::vector<Limits>& of_values, bool is_whole) {
    if (is_whole) return 1;
    const auto size = [](Limits one) { return std::max(std::fabs(one.low), std::fabs(one.high)); };
    double threshold = size(limits) / 1000;
    for (const Limits& one : of_values) {
        if (one != no_limits && size(one) > 0) threshold = std::min(threshold, size(one) / 10);
    }
    constexpr double rounding = 1e-10;
    const double least = size(limits) / 1e6;
    return power(10, std::floor(std::log10(std::max(threshold, least)) + rounding));
}

FigureSpec figure_spec(std::span<const View> views, const Parameters& parameters) {
    const Table& table = views.front().table;
    AxisOfTable down{table.axes[0], table.shape.rows()};
    AxisOfTable across{table.axes[1], table.shape.columns()};
    if (parameters.flag("transpose")) std::swap(down, across);
    if (parameters.word("ticks") == "indices") {
        down.axis = {.label = down.axis.label};
        across.axis = {.label = across.axis.label};
    }
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
    std::vector<Limits> limits;  ///< of the colours of each grid
    Limits of_values;            ///< the limits of the values that were read
    bool has_own_limits = false;
    double threshold = 0;  ///< HeatmapSpec::threshold
};

/// Draws each view by its spec, but with the same limits as the others, which have room for
/// medium.least_limits, or, if are_own(), with the limits of its own values.
Heatmaps draw(std::span<const View> views, std::vector<HeatmapSpec> specs,
              const Parameters& parameters, const Medium& medium) {
    const Limits least = medium.least_limits;
    const bool is_linear = parameters.word("colour-scale") != "symlog";
    if (views.size() == 1 && is_linear && !has_both_limits(parameters)) {
        const Table& table = views.front().table;
        LimitedHeatmap one = heatmap(table, specs.front(), [&](Limits limits) {
            return limits_for(merge(limits, least), table, parameters, medium);
        });
        return {{std::move(one.grid)}, {one.limits}, merge(one.of_values, least)};
    }
    SharedLimits seen;
    const See see = [&](std::span<const double> values) { seen.add(values); };
    const bool is_given = has_both_limits(parameters);
    std::vector<Limits> of_values(views.size(), no_limits);
    Heatmaps all{{}, {}, least};
    for (std::size_t i = 0; i < views.size() && !is_given; ++i) {
        of_values[i] = finite_limits(views[i].table);
        all.of_values = merge(all.of_values, of_values[i]);
    }
    const bool is_spread = is_symlog(views, of_values, parameters, medium);
    all.has_own_limits = !is_given && !is_spread && are_own(views, of_values, parameters);
    for (std::size_t i = 0; i < views.size(); ++i) {
        all.limits.push_back(limits_for(all.has_own_limits ? of_values[i] : all.of_values,
                                        views[i].table, parameters, medium));
        if (is_spread) {
            // The frames of an animation have the same colours.
            all.threshold =
                threshold_for(all.limits[i], medium.is_frame() ? std::vector<Limits>() : of_values,
                              is_whole(views[i].table));
        }
        specs[i].limits = all.limits[i];
        specs[i].threshold = all.threshold;
        all.grids.push_back(heatmap(views[i].table, specs[i], is_given ? see : See()));
    }
    if (is_given) all.of_values = merge(seen.get(), least);
    return all;
}

/// Returns the colours. Where powers of ten of one sign are spread over them, these are of a
/// sequential map: white in the middle of a diverging one would be the ground, not a value.
Palette palette_of(const Heatmaps& heatmaps, const Table& table, const Parameters& parameters) {
    const bool is_sequential = heatmaps.threshold > 0 && have_one_sign(heatmaps.of_values);
    if (is_sequential && !parameters.given("cmap")) return find_palette("viridis");
    return palette_for(table, parameters);
}

/// Returns a limit of the colours in a panel's title.
std::string limit_text(double limit) {
    return fmt::format("{}{:.3g}", limit < 0 ? minus_sign : "", std::fabs(limit));
}

/// Adds the limits of the colours to the titles of panels that have limits of their own; returns
/// false if the panels are too narrow for that. Sets the scale of their colour bar, which is from
/// low to high, unless the panels are too narrow and can share their limits instead.
bool set_own_limits(FigureSpec& spec, const std::vector<Limits>& limits, const Layout& layout,
                    bool can_share, const Medium& medium) {
    std::vector<std::string> titles;
    double widest = 0;
    for (std::size_t i = 0; i < spec.panels.size(); ++i) {
        titles.push_back(fmt::format("{}{}{} to {}", spec.panels[i],
                                     spec.panels[i].empty() ? "" : ": ", limit_text(limits[i].low),
                                     limit_text(limits[i].high)));
        widest = std::max(widest, medium.advance(titles.back(), medium.text_style));
    }
    const bool has_room = widest <= layout.panels.front().axes.width();
    if (!has_room && can_share) return false;
    if (has_room) spec.panels = std::move(titles);
    if (!spec.colorbar) return has_room;
    const Axis ends{.index_names = {"low", "high"}};
    spec.colorbar = Scale{ScaleKind::indices, 0, 1, AxisOfTable{ends, 2}};
    if (!spec.colorbar_label.empty()) spec.colorbar_label += ", from Low to High in Each Panel";
    return has_room;
}

/// Sets the contents of the colour bar, now that the limits are known. Returns its colours.
std::vector<std::uint16_t> set_colorbar(FigureSpec& spec, const Table& table,
                                        const Heatmaps& heatmaps, int pixels,
                                        const Medium& medium) {
    if (heatmaps.has_own_limits) return all_colours();
    const Limits limits = heatmaps.limits.front();
    if (!medium.is_window) spec.colorbar_arrows = arrows_of(heatmaps.of_values, limits);
    const auto [low, high] = limits;
    if (heatmaps.threshold > 0) {
        spec.colorbar = Scale{ScaleKind::symlog, low, high, {}, heatmaps.threshold};
        return all_colours();
    }
    spec.colorbar = Scale{is_whole(table) ? ScaleKind::indices : ScaleKind::values, low, high, {}};
    const auto steps = is_whole(table) ? steps_within(limits, pixels) : std::nullopt;
    if (!steps) return all_colours();
    spec.colorbar = scale_of(*steps);
    return colours_of(*steps, limits);
}

/// Returns a value as it is written into a cell. Zero has no sign.
std::string number_text(double value, std::int64_t decimals) {
    const std::string text = fmt::format("{:.{}f}", std::fabs(value), decimals);
    const bool is_zero = text.find_first_of("123456789nf") == std::string::npos;
    return fmt::format("{}{}", value < 0 && !is_zero ? minus_sign : "", text);
}

/// Throws: UsageError if the table has too many cells for numbers.
void check_cells(const Table& table) {
    constexpr std::int64_t most_cells = 1 << 14;
    if (table.shape.size() <= most_cells) return;
    throw UsageError(
        fmt::format("--annotate: {} x {} cells are too many for numbers, more than 2^14",
                    table.shape.rows(), table.shape.columns()));
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
void add_numbers(Figure& figure, std::span<const View> views, const Heatmaps& heatmaps,
                 const Parameters& parameters, const Medium& medium) {
    for (std::size_t i = 0; i < views.size(); ++i) {
        const Table& table = views[i].table;
        check_cells(table);
        const std::int64_t usual = is_whole(table) ? 0 : 2;
        const std::int64_t decimals =
            parameters.has("decimals") ? parameters.integer("decimals") : usual;
        const std::vector<double> values = read_rows(table, {0, table.shape.rows()});
        std::vector<std::string> texts;
        // Where keys are left out, NaN stands for no value.
        const bool has_gaps = !table.masked_title.empty();
        for (const double value : values) {
            const bool is_gap = has_gaps && std::isnan(value);
            texts.push_back(is_gap ? "" : number_text(value, decimals));
        }
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
            const std::uint16_t index =
                colour_index(values[cell], heatmaps.limits[i], heatmaps.threshold);
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
    Heatmaps heatmaps = draw(views, {spec}, parameters, medium);
    const Palette palette = palette_of(heatmaps, table, parameters);
    return {.title = text_or(parameters, "title", table.title),
            .width = area.width,
            .height = area.height,
            .dpi = medium.dpi,
            .palette = palette,
            .grids = {{0, 0, std::move(heatmaps.grids.front())}},
            .panels = {area},
            .is_bare = true,
            .of_values = heatmaps.of_values};
}

Figure compose_heatmap(const Table& table, const Parameters& parameters, const Medium& medium) {
    return compose_heatmaps(selected_views(table, parameters), parameters, medium);
}

}  // namespace

bool is_bare(const Parameters& parameters) {
    return parameters.flag("no-axes") || parameters.has("cell");
}

Figure compose_heatmaps(std::span<const View> views, const Parameters& parameters,
                        const Medium& medium, const std::optional<HeatmapScales>& scales) {
    if (is_bare(parameters)) return compose_bare(views, parameters, medium);
    FigureSpec spec = figure_spec(views, parameters);
    if (scales) {
        spec.x = scales->x;
        spec.y = scales->y;
    }
    Parameters drawn_by = parameters;
    const auto draw_in = [&](const Layout& layout) {
        std::vector<HeatmapSpec> specs;
        for (const Panel& panel : layout.panels) {
            specs.push_back(heatmap_spec(parameters, panel.body));
        }
        return draw(views, std::move(specs), drawn_by, medium);
    };
    // The limits are not known yet, so the colour bar's numbers are not known either.
    const Layout expected = lay_out(spec, medium);
    Heatmaps heatmaps = draw_in(expected);
    const bool can_share = parameters.word("limits") == "auto";
    const bool are_limits_told = !heatmaps.has_own_limits ||
                                 set_own_limits(spec, heatmaps.limits, expected, can_share, medium);
    if (!are_limits_told && can_share) {
        drawn_by.resolve("limits", std::string("shared"));
        heatmaps = draw_in(expected);
    }
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
                  .palette = palette_of(heatmaps, views.front().table, parameters),
                  .lines = std::move(layout.lines),
                  .texts = std::move(layout.texts),
                  .left_out = std::move(layout.left_out),
                  .of_values = heatmaps.of_values};
    for (std::size_t i = 0; i < views.size(); ++i) {
        figure.grids.push_back(body_within_frame(layout.panels[i], std::move(heatmaps.grids[i])));
        figure.panels.push_back(layout.panels[i].body);
    }
    if (layout.colorbar) {
        figure.grids.push_back(colorbar_grid(layout.colorbar_body, colours));
        add_arrows(figure, *layout.colorbar, spec.colorbar_arrows, medium.line_width);
    }
    if (parameters.flag("annotate")) {
        add_numbers(figure, views, heatmaps, parameters, medium);
    }
    if (!are_limits_told && !medium.is_window) {
        figure.notes.push_back(fmt::format(
            "the limits of each panel's colours: do not fit above the panels{}; make --figsize "
            "larger or --font-size smaller, or {}",
            can_share ? ", so that all panels have the same" : " and are left out",
            can_share ? "choose with --limits" : "use --limits shared"));
    }
    return figure;
}

constinit const Plot plots::heatmap{
    .name = "heatmap",
    .summary = "the values as colours",
    .options = "limits unmasked ticks no-axes cell annotate decimals",
    .common_options = colour_options,
    .compose = compose_heatmap,
};

namespace {

Figure compose_similarity(const Table& table, const Parameters& parameters, const Medium& medium) {
    const Table vectors = scored_vectors(table, parameters);
    const bool is_cosine = parameters.flag("cosine");
    View view{"", is_cosine ? cosine_similarity(vectors) : similarity(vectors)};
    view.table.title = with_topic(std::move(view.table.title), "Similarity");
    if (!table.scored_by.empty() && !is_cosine) view.table.value_label = "Score";
    return compose_heatmaps(std::span(&view, 1), parameters, medium);
}

}  // namespace

constinit const Plot plots::similarity{
    .name = "similarity",
    .summary = "the dot products of all pairs of positions, as colours; --cosine their cosines",
    .options = "ticks no-axes cell annotate decimals cosine",
    .common_options = colour_options,
    .compose = compose_similarity,
};

}  // namespace pegen
