#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/shape.h"
#include "encodings/choice.h"
#include "encodings/combined/table_parts.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/shared.h"
#include "rows/arithmetic.h"
#include "rows/arranged.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{
    parts_parameter,
    ParameterSpec{
        .name = "along",
        .aliases = "axis",
        .type = ParameterType::word,
        .default_value = "channels",
        .choices = "channels positions",
        .summary = "side by side along the last axis, or below each other along the first"},
    ParameterSpec{.name = "sum",
                  .aliases = "add",
                  .type = ParameterType::flag,
                  .summary = "add the tables, which have one shape, instead",
                  .is_rare = true},
    ParameterSpec{.name = "keep-rows",
                  .type = ParameterType::text,
                  .summary = "the rows to keep, along the first axis, as Python's slice: 1000:1016",
                  .is_rare = true},
    keep_channels_parameter,
    view_parameter,
};

struct PlannedPart {
    std::string name;
    Plan plan;
};

std::vector<PlannedPart> planned_parts(const Parameters& p) {
    if (!p.has("parts")) {
        throw UsageError("concat: needs tables, as in pe-gen concat -- sinusoid --d 8 -- rope");
    }
    std::vector<PlannedPart> parts;
    for (TablePart& part : parse_parts(p.word("parts"))) {
        const std::string_view file = part.encoding->file_parameter;
        std::string name(file.empty() ? part.name() : part.parameters.word(file));
        parts.push_back({std::move(name),
                         plan_of(*part.encoding, std::move(part.parameters), part.table->name)});
    }
    return parts;
}

/// How tables become one: which axis grows, counted from 0; no axis if they are added.
using GrowingAxis = std::optional<std::size_t>;

GrowingAxis growing_axis(const Parameters& p, const Shape& shape) {
    if (p.flag("sum")) return {};
    return p.word("along") == "positions" ? 0 : shape.extents().size() - 1;
}

/// Returns the shape of all tables together. Throws: UsageError if the parts differ on an axis that
/// does not grow.
Shape joined_shape(const std::vector<PlannedPart>& parts, GrowingAxis axis) {
    const PlannedPart& first = parts.front();
    if (first.plan.shape.rank() == 0) {
        throw UsageError(fmt::format("concat: {} is a single number; it has no axis", first.name));
    }
    std::vector<std::int64_t> extents = first.plan.shape.extents();
    std::int64_t total = 0;
    for (const PlannedPart& part : parts) {
        std::vector<std::int64_t> own = part.plan.shape.extents();
        if (axis && own.size() == extents.size()) {
            total += own[*axis];
            own[*axis] = extents[*axis];
        }
        if (own == extents) continue;
        throw UsageError(fmt::format(
            "concat: {} has the shape {} and {} {}; {}", first.name, to_string(first.plan.shape),
            part.name, to_string(part.plan.shape),
            !axis        ? "tables that are added have one shape"
            : *axis == 0 ? "along the positions they must agree on all axes but the first"
                         : "along the channels they must agree on all axes but the last"));
    }
    if (axis) extents[*axis] = total;
    return Shape(std::move(extents));
}

std::vector<Axis> joined_axes(const std::vector<PlannedPart>& parts, GrowingAxis growing) {
    std::vector<Axis> axes = parts.front().plan.axes;
    if (!growing) return axes;
    Axis& axis = axes[*growing];
    // Indices of the joined axis count from 0: the parts' own positions and grids end with each
    // part.
    axis = {.kind = axis.kind, .name = axis.name, .label = axis.label};
    return axes;
}

/// Returns the rows of a part in `dtype`; values from a file are rounded to it.
Rows rows_of(const PlannedPart& part, DType dtype) {
    const Rows rows = part.plan.make_rows(dtype);
    return rows.dtype() == dtype ? rows : rows::rounded(rows::as_float64(rows), dtype);
}

/// Returns a + b. Throws: UsageError for minus infinity and infinity, and if the sum of two finite
/// numbers is too large for a double.
double checked_sum(double a, double b) {
    const double sum = a + b;
    if (std::isfinite(sum) || (std::isinf(sum) && !(std::isfinite(a) && std::isfinite(b)))) {
        return sum;
    }
    throw UsageError(fmt::format("concat --sum: {} + {} has no value in float64", a, b));
}

/// Returns the sums of the values of all parts, each part in float64, rounded to the dtype.
Rows summed_rows(const std::vector<PlannedPart>& parts, DType dtype) {
    std::vector<Rows> rows;
    for (const PlannedPart& part : parts) rows.push_back(rows_of(part, DType::float64));
    return rounded({[rows, dtype](RowRange range, std::span<double> out) {
                        rows.front()(range, std::as_writable_bytes(out));
                        std::vector<double> addend(out.size());
                        for (std::size_t i = 1; i < rows.size(); ++i) {
                            rows[i](range, std::as_writable_bytes(std::span(addend)));
                            std::ranges::transform(out, addend, out.begin(), checked_sum);
                        }
                        for (const double sum : out) {
                            if (std::isfinite(sum)) check_holds(dtype, sum, "a sum");
                        }
                    },
                    rows.front().count(), rows.front().columns()},
                   dtype);
}

Rows joined_rows(const std::vector<PlannedPart>& parts, GrowingAxis axis, DType dtype) {
    if (!axis) return summed_rows(parts, dtype);
    std::vector<Rows> rows;
    for (const PlannedPart& part : parts) rows.push_back(rows_of(part, dtype));
    // In a table with one axis, each element is a row.
    return *axis == 0 ? rows::concatenated(rows) : rows::side_by_side(rows);
}

/// Returns the rows that belong to these indices of the first axis, of which there are `extent`.
Rows part_of(const Rows& rows, RowRange range, std::int64_t extent) {
    const std::int64_t each = rows.count() / extent;
    return rows::slice(rows, {range.first * each, range.count * each});
}

std::string title_of(const std::vector<PlannedPart>& parts, std::string_view between) {
    std::string title;
    for (const PlannedPart& part : parts) {
        if (!title.empty()) title += between;
        title += part.name;
    }
    return title;
}

Plan plan(Parameters p, std::string_view) {
    std::vector<PlannedPart> parts = planned_parts(p);
    if (p.flag("sum")) p = without(std::move(p), {"along"}, "tables that are added stay in place");
    const GrowingAxis axis = growing_axis(p, parts.front().plan.shape);
    const Shape whole = joined_shape(parts, axis);
    std::vector<Axis> axes = joined_axes(parts, axis);
    std::vector<std::int64_t> extents = whole.extents();
    const std::optional<RowRange> range =
        p.has("keep-rows") ? std::optional(parse_range(p.word("keep-rows"), whole[0], "keep-rows"))
                           : std::nullopt;
    if (range) {
        axes.front() = part_of(axes.front(), *range);
        extents.front() = range->count;
    }
    std::vector<std::string> notes;
    double terms = 0;
    for (const PlannedPart& part : parts) {
        terms += terms_of(part.plan);
        notes.insert(notes.end(), part.plan.notes.begin(), part.plan.notes.end());
    }
    std::string title = title_of(parts, axis ? ", " : " + ");
    return {.parameters = std::move(p),
            .shape = Shape(std::move(extents)),
            .axes = std::move(axes),
            .make_rows =
                [=, parts = std::move(parts)](DType dtype) {
                    const Rows rows = joined_rows(parts, axis, dtype);
                    return range ? part_of(rows, *range, whole[0]) : rows;
                },
            .notes = std::move(notes),
            .title = std::move(title),
            .terms = terms};
}

constexpr std::array tables{TableSpec{.name = "joined",
                                      .summary = "all tables together",
                                      .title = "",  // Plan::title
                                      .value_label = "Positional Encoding Values"}};

}  // namespace

/// Joins tables side by side or below each other, or adds them.
///
/// Table: joined, with as many axes as the parts. Along the channels the last extents add up, along
/// the positions the first extents, and all other extents must agree. Each value is copied from its
/// part. Indices of the joined axis count from 0. Sums have the shape and the axes of the first
/// part: all parts in float64 are added in their order, in doubles, and the sum is rounded to the
/// dtype. With --keep-rows, the first axis has these indices only. Throws, as plan does: what the
/// plans of the parts throw.
extern constinit const Encoding concat{
    .name = "concat",
    .summary = "tables side by side, below each other, or added",
    .formula =
        "along channels:   PE[pos] = (A[pos], B[pos], ...)\n"
        "along positions:  PE = (A[0], A[1], ..., B[0], B[1], ...)\n"
        "--sum:            PE[pos] = A[pos] + B[pos] + ...\n"
        "--keep-rows F:T:  rows F to T - 1 of that",
    .source = "Poli et al. 2023, Hyena Hierarchy, arXiv:2302.10866, for one; those of the parts",
    .examples =
        "concat -- sinusoid --d 8 --len 5 -- binary --bits 3 --len 5\n"
        "concat --along positions -- learned --len 4 --d 16 -- whisper --len 60 --d 16\n"
        "concat --sum -- t5 --table bias --heads 4 --seed 1 -- alibi --heads 4\n"
        "concat -o joined.npy -- index --len 197 -- trained.npy\n"
        "concat --keep-rows 999998:1000000 -- sinusoid --d 8 --len 1000000",
    .parameters = parameters,
    .tables = tables,
    .plan = plan};

}  // namespace pegen::encodings
