#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/shape.h"
#include "encodings/combined/table_parts.h"
#include "encodings/encoding.h"
#include "encodings/parameters/channel_parameters.h"
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
        parts.push_back({std::string(part.name()),
                         plan_of(*part.encoding, std::move(part.parameters), part.table->name)});
    }
    return parts;
}

/// Returns the shape of the joined table. Throws: UsageError if the parts differ on another axis.
Shape joined_shape(const std::vector<PlannedPart>& parts, bool is_along_channels) {
    const PlannedPart& first = parts.front();
    std::vector<std::int64_t> extents = first.plan.shape.extents();
    const std::size_t axis = is_along_channels ? extents.size() - 1 : 0;
    std::int64_t total = 0;
    for (const PlannedPart& part : parts) {
        std::vector<std::int64_t> own = part.plan.shape.extents();
        if (own.size() == extents.size()) {
            total += own[axis];
            own[axis] = extents[axis];
        }
        if (own == extents) continue;
        throw UsageError(fmt::format(
            "concat: {} has the shape {} and {} {}; along the {} they must agree on all axes but "
            "the {}",
            first.name, to_string(first.plan.shape), part.name, to_string(part.plan.shape),
            is_along_channels ? "channels" : "positions", is_along_channels ? "last" : "first"));
    }
    extents[axis] = total;
    return Shape(std::move(extents));
}

std::vector<Axis> joined_axes(const std::vector<PlannedPart>& parts, bool is_along_channels) {
    std::vector<Axis> axes = parts.front().plan.axes;
    Axis& axis = is_along_channels ? axes.back() : axes.front();
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

Rows joined_rows(const std::vector<PlannedPart>& parts, bool is_along_channels, DType dtype) {
    std::vector<Rows> rows;
    for (const PlannedPart& part : parts) rows.push_back(rows_of(part, dtype));
    // In a table with one axis, each element is a row.
    const bool are_below = !is_along_channels || parts.front().plan.shape.rank() == 1;
    return are_below ? rows::concatenated(rows) : rows::side_by_side(rows);
}

std::string title_of(const std::vector<PlannedPart>& parts) {
    std::string title;
    for (const PlannedPart& part : parts) {
        if (!title.empty()) title += ", ";
        title += part.name;
    }
    return title;
}

Plan plan(Parameters p, std::string_view) {
    const bool is_along_channels = p.word("along") == "channels";
    std::vector<PlannedPart> parts = planned_parts(p);
    const Shape shape = joined_shape(parts, is_along_channels);
    std::vector<Axis> axes = joined_axes(parts, is_along_channels);
    std::vector<std::string> notes;
    double terms = 0;
    for (const PlannedPart& part : parts) {
        terms += terms_of(part.plan);
        notes.insert(notes.end(), part.plan.notes.begin(), part.plan.notes.end());
    }
    std::string title = title_of(parts);
    return {.parameters = std::move(p),
            .shape = shape,
            .axes = std::move(axes),
            .make_rows = [=, parts = std::move(parts)](
                             DType dtype) { return joined_rows(parts, is_along_channels, dtype); },
            .notes = std::move(notes),
            .title = std::move(title),
            .terms = terms};
}

constexpr std::array tables{TableSpec{.name = "joined",
                                      .summary = "all tables together",
                                      .title = "",  // Plan::title
                                      .value_label = "Positional Encoding Values"}};

}  // namespace

/// Joins tables side by side or below each other.
///
/// Table: joined, with as many axes as the parts. Along the channels the last extents add up, along
/// the positions the first extents, and all other extents must agree. Each value is copied from its
/// part. Indices of the joined axis count from 0. Throws, as plan does: what the plans of the parts
/// throw.
extern constinit const Encoding concat{
    .name = "concat",
    .summary = "tables side by side, or below each other",
    .formula =
        "along channels:   PE[pos] = (A[pos], B[pos], ...)\n"
        "along positions:  PE = (A[0], A[1], ..., B[0], B[1], ...)",
    .source = "Poli et al. 2023, Hyena Hierarchy, arXiv:2302.10866, for one; those of the parts",
    .examples =
        "concat -- sinusoid --d 8 --len 5 -- binary --bits 3 --len 5\n"
        "concat --along positions -- learned --len 4 --d 16 -- whisper --len 60 --d 16\n"
        "concat -o joined.npy -- index --len 197 -- trained.npy",
    .parameters = parameters,
    .tables = tables,
    .plan = plan};

}  // namespace pegen::encodings
