#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "cli/compare_report.h"
#include "cli/explore/asked.h"
#include "cli/explore/bounds.h"
#include "cli/explore/page_command.h"
#include "cli/explore/replies.h"
#include "cli/generate.h"
#include "core/error.h"
#include "core/names.h"
#include "figure/paint.h"
#include "figure/views.h"
#include "files/input_file.h"
#include "files/npy.h"
#include "identify/fitted.h"

namespace pegen::cli {
namespace {

using nlohmann::ordered_json;

/// A figure that is drawn, and what the page needs to know of it.
struct Picture {
    ordered_json about;
    std::string pixels;  ///< a palette, three bytes for each of 256 colours, then a byte a pixel
    std::vector<std::string> notes;
};

/// The cells of each panel of a heatmap.
ordered_json panels_json(const Figure& figure, const Table& table, const Parameters& parameters) {
    ordered_json panels = ordered_json::array();
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

/// The figure's options at the resolution at which it has the room that the page has for it.
Parameters fitted_to_page(Parameters figure, const Asked& asked) {
    if (!asked.within) return figure;
    const std::vector<double>& inches = figure.reals("figsize");
    const double dpi = std::min((*asked.within)[0] / inches[0], (*asked.within)[1] / inches[1]);
    figure.resolve("dpi", std::max(dpi, 1.0));
    return figure;
}

Picture drawn(std::string_view of, const std::string& label, const Table& table,
              const Parameters& parameters) {
    check_pixels(table, parameters);
    const Figure figure = compose_figure(table, parameters);
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

ordered_json head_of(const Asked& asked, const Table& table) {
    ordered_json parameters = ordered_json::array();
    for (const Parameters::Entry& entry : table.provenance.parameters.entries()) {
        if (entry.spec->type == ParameterType::path) continue;
        parameters.push_back({{"name", entry.spec->name},
                              {"value", to_string(entry)},
                              {"origin", origin_name(entry.origin)}});
    }
    ordered_json axes = ordered_json::array();
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

/// One of two tables that are shown beside each other.
struct Side {
    std::string label;
    std::optional<Subject> subject;  ///< none: a file
    Table table;
};

/// Returns the other table: of the extents of the first and what the user changed there, as far as
/// the other encoding has such parameters, and then of its own settings.
Asked other_asked(const Table& first, std::string_view text) {
    const std::vector<std::string_view> typed = words(text);
    if (typed.empty()) throw UsageError("beside: needs the name of an encoding or a preset");
    const Subject other = find_subject(typed.front());
    std::vector<std::string> all{std::string(typed.front())};
    for (const Parameters::Entry& entry : first.provenance.parameters.entries()) {
        const bool is_extent =
            entry.spec->is_extent && !std::holds_alternative<NoValue>(entry.value);
        if (entry.origin != Origin::user && !is_extent) continue;
        if (!find_option(other.encoding->parameters, entry.spec->name)) continue;
        all.push_back(fmt::format("--{}={}", entry.spec->name, to_string(entry)));
    }
    all.insert(all.end(), typed.begin() + 1, typed.end());
    const std::vector<std::string_view> views(all.begin(), all.end());
    return asked_for(views);
}

Side side_of(const Asked& asked, const std::string& label, DType dtype, const Patience& patience) {
    const Request& request = asked.request;
    RequestedTable wanted = asked.wanted();
    if (is_floating(wanted.dtype)) wanted.dtype = dtype;
    return {label, request.subject,
            table_within(planned_table(request, wanted), most_values_compared, patience)};
}

/// Returns the asked table with the extents of the file, as far as the user left them open.
Asked fitted_to(Asked asked, const Table& file) {
    Request& request = asked.request;
    request.parameters = identify::fitted(*request.subject.encoding, *asked.wanted().spec,
                                          request.parameters, file.shape);
    return asked;
}

Side file_side(const std::string& bytes) {
    Table table = read_npy(InputFile::in_memory("the file", bytes)).table;
    if (table.shape.size() > most_values_compared) {
        throw UsageError(fmt::format(
            "the file has shape {}: a page compares at most {} values; pe-gen compare takes more",
            to_string(table.shape), most_values_compared));
    }
    return {"the file", {}, std::move(table)};
}

/// Returns a - b where both have values; nothing if they have different numbers of axes, or more
/// than two and different shapes.
std::optional<Table> difference_of(const Table& a, const Table& b) {
    const int rank = a.shape.rank();
    if (rank != b.shape.rank() || rank == 0) return {};
    if (rank > 2 && a.shape != b.shape) return {};
    Table difference = a;
    if (rank <= 2) {
        std::vector<std::int64_t> extents;
        for (int axis = 0; axis < rank; ++axis) {
            extents.push_back(std::min(a.shape[axis], b.shape[axis]));
        }
        difference.shape = Shape(extents);
    }
    const std::int64_t columns = rank == 1 ? 1 : difference.shape.columns();
    difference.dtype = DType::float64;
    difference.has_whole_values = is_whole(a) && is_whole(b);
    difference.provenance = {};
    difference.rows = rounded(
        [a, b, columns, rank](RowRange range, std::span<double> out) {
            const std::vector<double> ours = read_rows(a, range), theirs = read_rows(b, range);
            const auto width_a = static_cast<std::size_t>(rank == 1 ? 1 : a.shape.columns());
            const auto width_b = static_cast<std::size_t>(rank == 1 ? 1 : b.shape.columns());
            const auto width = static_cast<std::size_t>(columns);
            for (std::size_t row = 0; row < out.size() / width; ++row) {
                for (std::size_t i = 0; i < width; ++i) {
                    out[row * width + i] = ours[row * width_a + i] - theirs[row * width_b + i];
                }
            }
        },
        columns, DType::float64);
    return difference;
}

/// The figure's options for one of three pictures.
Parameters for_one_of_three(Parameters figure, const std::string& title, const Asked& asked) {
    if (!figure.given("title")) figure.resolve("title", title);
    if (!figure.given("figsize")) figure.resolve("figsize", std::vector<double>{5.6, 4.8});
    return fitted_to_page(std::move(figure), asked);
}

void set_limits(Parameters& figure, Limits limits) {
    const bool is_limited = figure.has("vmin") || figure.has("vmax") || figure.has("vcentre");
    if (is_limited || limits == no_limits) return;
    limits = set_apart(limits);
    figure.resolve("vmin", limits.low);
    figure.resolve("vmax", limits.high);
}

/// The options for the difference, whose colours are those of other values.
Parameters for_difference(Parameters figure, const Table& difference) {
    for (const char* limit : {"vmin", "vmax", "vcentre"}) figure.resolve(limit, NoValue());
    const Limits limits = or_any(finite_limits(difference));
    const double most = std::max(std::abs(limits.low), std::abs(limits.high));
    set_limits(figure, {-most, most});
    return figure;
}

std::vector<Picture> drawn_beside(const Asked& asked, const Side& a, const Side& b) {
    Parameters figure = asked.figure();
    set_limits(figure, merge(finite_limits(a.table), finite_limits(b.table)));
    std::vector<Picture> pictures{
        drawn("this", a.label, a.table, for_one_of_three(figure, a.label, asked)),
        drawn("other", b.label, b.table, for_one_of_three(figure, b.label, asked))};
    const std::optional<Table> difference = difference_of(a.table, b.table);
    if (!difference) return pictures;
    const std::string label = fmt::format("{} − {}", a.label, b.label);
    pictures.push_back(
        drawn("difference", label, *difference,
              for_one_of_three(for_difference(asked.figure(), *difference), label, asked)));
    return pictures;
}

http::Reply reply_of(ordered_json head, const std::vector<Picture>& pictures) {
    std::vector<std::string> pixels, notes;
    head["pictures"] = ordered_json::array();
    for (const Picture& picture : pictures) {
        head["pictures"].push_back(picture.about);
        pixels.push_back(picture.pixels);
        for (const std::string& note : picture.notes) {
            if (std::ranges::count(notes, note) == 0) notes.push_back(note);
        }
    }
    head["notes"] = notes;
    return framed_reply(head, pixels);
}

}  // namespace

http::Reply draw_reply(const http::Request& request) {
    Asked asked = asked_for(request.path[1], request.query);
    const Patience patience(request.is_given_up);
    check_pixels(planned_table(asked.request, asked.wanted()).table, asked.figure());
    if (!request.is_post && asked.beside.empty()) {
        const Table table =
            table_within(planned_table(asked.request, asked.wanted()), most_values_drawn, patience);
        const std::string label(asked.request.subject.name());
        return reply_of(head_of(asked, table),
                        {drawn("this", label, table, fitted_to_page(asked.figure(), asked))});
    }
    std::optional<Side> file;
    if (request.is_post) {
        file = file_side(request.body);
        asked = fitted_to(std::move(asked), file->table);
    }
    const bool is_as_file = file && is_floating(file->table.dtype);
    const std::string name(asked.request.subject.name());
    const Side a = side_of(asked, name, is_as_file ? file->table.dtype : DType::float64, patience);
    const Side b =
        file ? *file
             : side_of(other_asked(a.table, asked.beside), asked.beside, DType::float64, patience);
    const std::vector<Picture> pictures = drawn_beside(asked, a, b);
    ordered_json head = head_of(asked, planned_table(asked.request, asked.wanted()).table);
    head["comparison"] =
        comparison_of(compared(a.label, a.subject, a.table), compared(b.label, b.subject, b.table))
            .sentences;
    return reply_of(std::move(head), pictures);
}

}  // namespace pegen::cli
