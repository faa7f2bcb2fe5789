#include "cli/explore/beside.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "cli/compare_report.h"
#include "cli/generate.h"
#include "core/error.h"
#include "core/names.h"
#include "figure/limits.h"
#include "files/input_file.h"
#include "files/npy.h"
#include "identify/fitted.h"

namespace pegen::cli {
namespace {

/// Returns the other table: of the extents of the first and what the user changed there, as far as
/// the other encoding has such parameters, and then of its own settings.
Asked other_asked(const Table& first, std::string_view text) {
    const std::vector<std::string_view> typed = words(text);
    if (typed.empty()) throw UsageError("beside: needs the name of an encoding or a preset");
    const Subject other = subject_of_pages(typed.front());
    std::vector<std::string> all;
    for (const Parameters::Entry& entry : first.provenance.parameters.entries()) {
        const bool is_extent =
            entry.spec->is_extent && !std::holds_alternative<NoValue>(entry.value);
        if (entry.origin != Origin::user && !is_extent) continue;
        if (!find_option(other.encoding->parameters, entry.spec->name)) continue;
        all.push_back(fmt::format("--{}={}", entry.spec->name, to_string(entry)));
    }
    all.insert(all.end(), typed.begin() + 1, typed.end());
    const std::vector<std::string_view> arguments(all.begin(), all.end());
    return asked_for(other, parse_arguments(arguments, options_of(other), other.name()));
}

ComparedTable side_of(const Asked& asked, std::string_view label, DType dtype,
                      const Patience& patience) {
    const Request& request = asked.request;
    RequestedTable wanted = asked.wanted();
    if (is_floating(wanted.dtype)) wanted.dtype = dtype;
    return compared(std::string(label), request.subject,
                    table_within(planned_table(request, wanted), most_values_compared, patience));
}

/// Returns the asked table with the extents of the file, as far as the user left them open.
Asked sized_as(Asked asked, const Table& file) {
    Request& request = asked.request;
    request.parameters = identify::fitted(*request.subject.encoding, *asked.wanted().spec,
                                          request.parameters, file.shape);
    return asked;
}

ComparedTable file_side(std::string_view bytes) {
    Table table = read_npy(InputFile::in_memory("the file", bytes)).table;
    if (table.shape.size() > most_values_compared) {
        throw UsageError(fmt::format(
            "the file has shape {}: a page compares at most {} values; pe-gen compare takes more",
            to_string(table.shape), most_values_compared));
    }
    return compared("the file", {}, std::move(table));
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
    return fitted_to(asked.within, std::move(figure));
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

std::vector<Picture> drawn_beside(const Asked& asked, const ComparedTable& a,
                                  const ComparedTable& b) {
    Parameters figure = asked.figure();
    set_limits(figure, merge(finite_limits(a.table), finite_limits(b.table)));
    std::vector<Picture> pictures{
        drawn("this", a.name, a.table, for_one_of_three(figure, a.name, asked)),
        drawn("other", b.name, b.table, for_one_of_three(figure, b.name, asked))};
    const std::optional<Table> difference = difference_of(a.table, b.table);
    if (!difference) return pictures;
    const std::string label = fmt::format("{} − {}", a.name, b.name);
    pictures.push_back(
        drawn("difference", label, *difference,
              for_one_of_three(for_difference(asked.figure(), *difference), label, asked)));
    return pictures;
}

Beside shown_beside(Asked asked, const ComparedTable& a, const ComparedTable& b) {
    std::vector<Picture> pictures = drawn_beside(asked, a, b);
    return {std::move(asked), std::move(pictures), comparison_of(a, b).sentences};
}

}  // namespace

Beside beside_words(const Asked& asked, const Patience& patience) {
    const ComparedTable first =
        side_of(asked, asked.request.subject.name(), DType::float64, patience);
    const Asked other = other_asked(first.table, asked.beside);
    return shown_beside(asked, first, side_of(other, asked.beside, DType::float64, patience));
}

Beside beside_file(Asked asked, std::string_view file, const Patience& patience) {
    const ComparedTable other = file_side(file);
    asked = sized_as(std::move(asked), other.table);
    const DType own = other.table.dtype;
    const DType dtype = is_floating(own) ? own : DType::float64;
    const ComparedTable first = side_of(asked, asked.request.subject.name(), dtype, patience);
    return shown_beside(std::move(asked), first, other);
}

}  // namespace pegen::cli
