#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/compare/report.h"
#include "cli/explore/asked.h"
#include "cli/explore/page_command.h"
#include "cli/explore/replies.h"
#include "cli/explore/sides.h"
#include "cli/generate.h"
#include "core/json.h"
#include "core/parameters.h"
#include "core/shape.h"
#include "core/table.h"
#include "figure/limits.h"
#include "figure/paint.h"
#include "figure/purpose.h"
#include "figure/views.h"
#include "rows/kept.h"

namespace pegen::cli {
namespace {

/// A drawn figure, and the data on it that the page needs.
struct Picture {
    Json about;          ///< which figure, its size, and which cells its pixels show
    std::string pixels;  ///< a palette of 256 colours, three bytes each, then one byte per pixel
    std::vector<std::string> notes;
};

/// Returns for each panel of a heatmap its pixels and its cells; nothing for other plots.
Json panels_json(const Figure& figure, const Table& table, const Parameters& parameters) {
    Json panels = Json::array();
    const bool is_heatmap = !parameters.has("plot") || parameters.word("plot") == "heatmap";
    if (!is_heatmap || figure.panels.empty()) return panels;
    std::vector<std::int64_t> select;
    if (parameters.has("select")) select = parameters.integers("select");
    const std::vector<View> views = views_of(table, select);
    const std::vector<std::int64_t> strides = strides_of(table.shape.extents());
    std::int64_t base = 0;
    for (std::size_t axis = 0; axis < select.size(); ++axis) base += select[axis] * strides[axis];
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const PixelArea& area = figure.panels[i];
        const Shape& shape = views[i].table.shape;
        panels.push_back({{"left", area.left},
                          {"top", area.top},
                          {"width", area.width},
                          {"height", area.height},
                          {"base", base},
                          {"rows", shape.rows()},
                          {"columns", shape.columns()},
                          {"transposed", parameters.flag("transpose")}});
        base += shape.size();
    }
    return panels;
}

std::string pixels_of(const Image& image) {
    std::string bytes;
    bytes.reserve(sizeof(image.colours) + image.pixels.size());
    for (const Rgb& colour : image.colours) bytes.append(colour.begin(), colour.end());
    bytes.append(image.pixels.begin(), image.pixels.end());
    return bytes;
}

/// Draws the figure of a table. `of` and `label` name it among several figures. The result is not a
/// PNG, since a browser takes longer to decode a PNG than this function takes to draw it.
/// Throws: UsageError, as compose_figure(), and for too many pixels.
Picture drawn(std::string_view of, const std::string& label, const Table& table,
              const Parameters& parameters) {
    check_figure(table, parameters);
    Figure figure = compose_figure(table, parameters);
    figure.theme.is_transparent = false;  // the page has colours without opacities
    std::string pixels = pixels_of(paint(figure));
    return {{{"of", of},
             {"label", label},
             {"bytes", pixels.size()},
             {"width", figure.width},
             {"height", figure.height},
             {"panels", panels_json(figure, table, parameters)}},
            std::move(pixels),
            figure.notes};
}

/// Returns the figure's options as the page needs them. A figure without a size of its own fills
/// its place, with texts as large as the page's; another one gets the resolution at which it fits.
Parameters fitted_to(const Asked& asked, Parameters figure) {
    if (asked.is_dark && !figure.given("theme")) figure.resolve("theme", "dark");
    if (!asked.within) return figure;
    const bool has_size =
        figure.given("figsize") || figure.given("font-size") || figure.given("for");
    figure = for_purpose(std::move(figure));
    if (figure.has("for")) figure.resolve("for", Value());
    const std::vector<double>& room = *asked.within;
    if (asked.density && !has_size) {
        constexpr double pixels_per_inch = 96, points = 9;  // 12 pixels of the page
        const double dpi = pixels_per_inch * *asked.density;
        figure.resolve("figsize", std::vector<double>{room[0] / dpi, room[1] / dpi});
        figure.resolve("font-size", points);
        figure.resolve("dpi", dpi);
        return figure;
    }
    const std::vector<double>& inches = figure.reals("figsize");
    figure.resolve("dpi", std::max(std::min(room[0] / inches[0], room[1] / inches[1]), 1.0));
    return figure;
}

/// The page's comparison of two tables.
struct Beside {
    std::vector<Picture> pictures;       ///< the first table, the other one, and the difference
    std::vector<std::string> sentences;  ///< the differences between the tables
    bool is_command_known;               ///< no search for a file's command is needed
};

/// Returns a side for comparison. Its values are kept in memory, since they are read many times.
ComparedTable compared(const Side& side) {
    Table table = side.table;
    table.rows = rows::kept(table.rows);
    return compared(side.name, side.subject, std::move(table));
}

/// Returns the axis with only its first `extent` indices.
Axis shortened(Axis axis, std::int64_t extent) {
    axis.extents.clear();  // valid only for a whole grid
    axis.is_merged = false;
    if (!axis.index_names.empty()) axis.index_names.resize(extent);
    axis.rows_before = std::min(axis.rows_before, extent);
    if (!axis.positions) return axis;
    std::vector<double> positions(extent - axis.rows_before);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        positions[i] = (*axis.positions)[static_cast<std::int64_t>(i)];
    }
    axis.positions = Positions(std::move(positions));
    return axis;
}

/// Returns a - b, for the indices that both tables have. Returns nothing if the tables have
/// different numbers of axes, or more than two axes and different shapes.
std::optional<Table> difference_of(const Table& a, const Table& b) {
    const int rank = a.shape.rank();
    if (rank != b.shape.rank() || rank == 0) return {};
    if (rank > 2 && a.shape != b.shape) return {};
    Table difference = a;
    if (rank <= 2) {
        std::vector<std::int64_t> extents;
        for (int axis = 0; axis < rank; ++axis) {
            extents.push_back(std::min(a.shape[axis], b.shape[axis]));
            if (extents.back() == a.shape[axis]) continue;
            Axis& own = difference.axes[axis];
            own = shortened(std::move(own), extents.back());
        }
        difference.shape = Shape(extents);
    }
    difference.dtype = DType::float64;
    difference.has_whole_values = is_whole(a) && is_whole(b);
    difference.provenance = {};
    difference.sibling = nullptr;
    const std::int64_t columns = difference.shape.columns();
    difference.rows = rounded(
        {[a, b, width = to_size(columns)](RowRange range, std::span<double> out) {
             const std::vector<double> ours = read_rows(a, range), theirs = read_rows(b, range);
             const std::size_t width_a = a.shape.columns();
             const std::size_t width_b = b.shape.columns();
             for (std::size_t row = 0; row < out.size() / width; ++row) {
                 for (std::size_t i = 0; i < width; ++i) {
                     out[row * width + i] = ours[row * width_a + i] - theirs[row * width_b + i];
                 }
             }
         },
         difference.shape.rows(), columns},
        DType::float64);
    return difference;
}

/// Returns the options of one of the three figures: title, size and resolution where they are not
/// set.
Parameters for_one_of_three(Parameters figure, const std::string& title, const Asked& asked) {
    if (!figure.given("title")) figure.resolve("title", title);
    if (!figure.given("figsize")) figure.resolve("figsize", std::vector<double>{5.6, 4.8});
    return fitted_to(asked, std::move(figure));
}

void set_limits(Parameters& figure, Limits limits) {
    const bool is_limited = figure.has("vmin") || figure.has("vmax") || figure.has("vcentre");
    if (is_limited || limits == no_limits) return;
    limits = set_apart(limits);
    figure.resolve("vmin", limits.low);
    figure.resolve("vmax", limits.high);
}

/// Returns the options of the figure of the difference: its colours are symmetric about 0 and
/// ignore the limits of the other two figures.
Parameters for_difference(Parameters figure, const Table& difference) {
    for (const char* limit : {"vmin", "vmax", "vcentre"}) figure.resolve(limit, NoValue());
    const Limits limits = or_any(finite_limits(difference));
    const double most = std::max(std::abs(limits.low), std::abs(limits.high));
    set_limits(figure, {-most, most});
    return figure;
}

std::vector<Picture> drawn_beside(const Asked& asked, const ComparedTable& a,
                                  const ComparedTable& b) {
    Parameters figure = asked.figure();
    // A plot of wavelengths does not show values, so there is no difference to draw.
    const std::optional<Table> difference =
        is_plot(figure, "wavelengths") ? std::nullopt : difference_of(a.table, b.table);
    // Both tables share their colour limits, unless their values cannot be subtracted.
    if (difference) set_limits(figure, merge(finite_limits(a.table), finite_limits(b.table)));
    std::vector<Picture> pictures{
        drawn("this", a.name, a.table, for_one_of_three(figure, a.name, asked)),
        drawn("other", b.name, b.table, for_one_of_three(figure, b.name, asked))};
    if (!difference) return pictures;
    const std::string label = fmt::format("{} − {}", a.name, b.name);
    pictures.push_back(
        drawn("difference", label, *difference,
              for_one_of_three(for_difference(asked.figure(), *difference), label, asked)));
    return pictures;
}

/// Draws and compares two tables. There is no figure of the difference if the shapes do not allow
/// one.
/// Throws: UsageError, GivenUp.
Beside beside(const Sides& sides) {
    const ComparedTable a = compared(sides.first), b = compared(sides.other);
    TableComparison comparison = comparison_of(a, b);
    const std::string made = made_by(a, b, comparison);
    if (!made.empty()) comparison.sentences.push_back(made);
    return {drawn_beside(sides.asked, a, b), std::move(comparison.sentences),
            comparison.are_same || !made.empty()};
}

std::string_view origin_name(Origin origin) {
    switch (origin) {
        case Origin::specification:
            return "specification";
        case Origin::preset:
            return "preset";
        case Origin::user:
            break;
    }
    return "user";
}

Json head_of(const Asked& asked, const Table& table) {
    Json parameters = Json::array();
    for (const Parameters::Entry& entry : table.provenance.parameters.entries()) {
        if (entry.spec->type == ParameterType::path) continue;
        parameters.push_back({{"name", entry.spec->name},
                              {"value", to_string(entry)},
                              {"origin", origin_name(entry.origin)}});
    }
    Json axes = Json::array();
    for (std::size_t i = 0; i < table.axes.size(); ++i) {
        axes.push_back({{"name", table.axes[i].name},
                        {"label", table.axes[i].label},
                        {"size", table.shape[static_cast<int>(i)]}});
    }
    return {{"command", page_command(asked, table, "png")},
            {"name", asked.request.subject.name()},
            {"encoding", table.provenance.encoding},
            {"preset", table.provenance.preset},
            {"table", table.provenance.table},
            {"dtype", info(table.dtype).name},
            {"shape", table.shape.extents()},
            {"title", table.title},
            {"parameters", std::move(parameters)},
            {"axes", std::move(axes)}};
}

http::Reply reply_of(Json head, std::vector<Picture> pictures) {
    std::vector<std::string> pixels, notes;
    head["pictures"] = Json::array();
    for (Picture& picture : pictures) {
        head["pictures"].push_back(picture.about);
        pixels.push_back(std::move(picture.pixels));
        for (const std::string& note : picture.notes) {
            if (std::ranges::count(notes, note) == 0) notes.push_back(note);
        }
    }
    head["notes"] = notes;
    return framed_reply(head, std::move(pixels));
}

http::Reply reply_of(const Sides& sides) {
    const Asked& asked = sides.asked;
    Beside shown = beside(sides);
    Json head = head_of(asked, planned_table(asked.request, asked.wanted()).table);
    head["comparison"] = {{"sentences", shown.sentences},
                          {"is_command_known", shown.is_command_known}};
    return reply_of(std::move(head), std::move(shown.pictures));
}

}  // namespace

http::Reply draw_reply(const http::Request& request) {
    const Asked asked = asked_for(request.path[1], request.query);
    const PlannedTable planned = planned_table(asked.request, asked.wanted());
    check_figure(planned.table, asked.figure());
    if (const auto sides = sides_of(asked, request)) return reply_of(*sides);
    const Table table = table_within(planned, most_values_drawn);
    const std::string label(asked.request.subject.name());
    return reply_of(head_of(asked, table),
                    {drawn("this", label, table, fitted_to(asked, asked.figure()))});
}

}  // namespace pegen::cli
