#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"
#include "core/number.h"
#include "core/parameters.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/grid_axes.h"
#include "encodings/parameters/initializer.h"
#include "encodings/parameters/position_files.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/waves.h"
#include "encodings/rotary/rope_tables.h"
#include "files/array_file.h"
#include "numerics/float32_angles.h"
#include "numerics/plane_waves.h"
#include "numerics/sinusoid.h"
#include "rows/arranged.h"
#include "rows/kept.h"

namespace pegen::encodings {
namespace {

using numerics::PointAxis;
using numerics::Real;

constexpr std::array parameters{
    height_parameter,
    width_parameter,
    depth_parameter,
    axes_parameter,
    start_of_axes_parameter,
    step_of_axes_parameter,
    points_parameter,
    rotary_d_parameter,
    with_default(heads_parameter, "12"),
    ParameterSpec{.name = "freqs-file",
                  .aliases = "pos-frequencies",
                  .type = ParameterType::path,
                  .summary =
                      "NPY file, or FILE:NAME in a checkpoint: the frequencies (axes, heads, "
                      "pairs), instead of drawn ones"},
    with_default(base_parameter, "10"),
    seed_parameter,
    rotary_layout_parameter,
    keep_channels_parameter,
    rare_arith_parameter("the exact formula, or float32 arithmetic: every product and sum rounded"),
};

/// The frequencies of the pairs: those of all heads, one after the other, for each axis.
struct MixedFrequencies {
    std::int64_t heads;
    std::int64_t pairs;
    std::vector<std::vector<double>> of_axes;
};

/// Opens the frequencies of a file. Throws: FileError; FormatError if the array has not the axes.
ArrayFile open_frequencies(const std::string& path, std::int64_t axes) {
    ArrayFile file = with_floats({path, read_array(path)}, "frequencies");
    const Shape& shape = file.table.shape;
    if (shape.rank() >= 2 && shape[0] == axes && shape.size() > 0 &&
        shape[shape.rank() - 1] <= most_channels / 2) {
        return file;
    }
    throw FormatError(path,
                      fmt::format("shape {}: must be (axes, heads, pairs), with {} axes and at "
                                  "most 2^19 pairs",
                                  to_string(shape), axes));
}

/// Fills in --d and --heads from the file of the frequencies. Throws: UsageError if they do not
/// divide it, or if a parameter of drawn frequencies is given.
Parameters resolve_file(Parameters p, const ArrayFile& file) {
    p = without(std::move(p), {"base", "seed"}, "cannot be used with --freqs-file");
    const Shape& shape = file.table.shape;
    const std::int64_t of_axis = shape.size() / shape[0], last = shape[shape.rank() - 1];
    if (!p.given("d")) p.resolve("d", 2 * last);
    const std::int64_t pairs = p.integer("d") / 2;
    if (pairs == 0 || last % pairs != 0) {
        throw UsageError(
            fmt::format("--d {}: the last extent of {}, {}, is not a multiple of {} pairs",
                        p.integer("d"), file.path, to_string(shape), pairs));
    }
    if (p.given("heads") && p.integer("heads") != of_axis / pairs) {
        throw UsageError(fmt::format("--heads {}: {} has {} heads of {} pairs; leave --heads out",
                                     p.integer("heads"), file.path, of_axis / pairs, pairs));
    }
    p.resolve("heads", of_axis / pairs);
    return p;
}

void check_drawn(const Parameters& p) {
    if (axes_of(p).size() != 2) {
        throw UsageError("--axes: frequencies are drawn for two axes; with three use --freqs-file");
    }
    if (p.integer("d") % 4 != 0) {
        throw UsageError(
            fmt::format("--d {}: must be a multiple of 4, for pairs that turn by two directions",
                        p.integer("d")));
    }
}

/// Returns the frequencies as RoPE-ViT draws them: a direction for each head, along which half of
/// the pairs turn; the other half turn across.
std::vector<std::vector<double>> drawn_frequencies(const Parameters& p) {
    const std::int64_t heads = p.integer("heads"), half = p.integer("d") / 4;
    const std::vector<double> turns =
        elements_of(tensor_from_draw(parse_initializer("uniform:0,1", heads), 1, heads,
                                     p.integer("seed"), 0, torch::CodePath::vectors),
                    0, heads);
    std::vector<std::vector<double>> of_axes(2);
    for (const double turn : turns) {
        const Real angle = 2 * numerics::pi() * turn;
        const std::array<std::array<Real, 2>, 2> directions{
            {{cos(angle), -sin(angle)}, {sin(angle), cos(angle)}}};
        for (std::size_t axis = 0; axis < 2; ++axis) {
            for (const Real& direction : directions[axis]) {
                for (std::int64_t k = 0; k < half; ++k) {
                    const Real size = rotary_frequency(p.real("base"), k, 2 * half);
                    of_axes[axis].push_back(nearest_double(size * direction));
                }
            }
        }
    }
    return of_axes;
}

/// What the tables are made of.
struct Mixed {
    Parameters parameters;
    std::optional<PointsFile> points_file;
    std::optional<ArrayFile> frequencies_file;

    std::int64_t points() const {
        return points_file ? points_file->points() : point_count(parameters);
    }
};

MixedFrequencies frequencies_of(const Mixed& mixed) {
    const Parameters& p = mixed.parameters;
    MixedFrequencies all{p.integer("heads"), p.integer("d") / 2, {}};
    if (!mixed.frequencies_file) {
        all.of_axes = drawn_frequencies(p);
        return all;
    }
    const std::vector<double> list = finite_elements(*mixed.frequencies_file, "frequencies");
    const std::int64_t count = all.heads * all.pairs;
    for (auto next = list.begin(); next != list.end(); next += count) {
        all.of_axes.emplace_back(next, next + count);
    }
    return all;
}

/// Returns the coordinates of the points, in the order of --axes.
std::vector<PointAxis> axes_of_points(const Mixed& mixed) {
    const Parameters& p = mixed.parameters;
    std::vector<std::vector<double>> columns;
    if (mixed.points_file) columns = read_points(*mixed.points_file);
    std::vector<PointAxis> axes;
    for (const char axis : p.word("axes")) {
        if (mixed.points_file) {
            std::vector<double>& column = columns[axes_of(p).find(axis)];
            axes.push_back({numerics::Coordinates(Positions(std::move(column))), 1});
            continue;
        }
        std::int64_t stride = 1;
        for (const char inner : axes_of(p).substr(axes_of(p).find(axis) + 1)) {
            stride *= extent(p, inner);
        }
        axes.push_back({numerics::Coordinates(Positions(of_axis(p, "start", axis),
                                                        of_axis(p, "step", axis), extent(p, axis))),
                        stride});
    }
    return axes;
}

numerics::ChannelLayout layout_of(const RotaryForm& form, std::int64_t pairs) {
    return turning_layout(form, {{0, pairs}});
}

/// Returns a row of form.values() for each point of a head.
Rows rows_of_head(const std::vector<PointAxis>& points, const MixedFrequencies& frequencies,
                  std::int64_t head, const RotaryForm& form, bool is_exact, DType dtype) {
    constexpr std::string_view options = "--base, --freqs-file, --start, --step, --points";
    std::vector<numerics::WaveAxis> axes;
    for (std::size_t axis = 0; axis < points.size(); ++axis) {
        const auto begin = frequencies.of_axes[axis].begin() + head * frequencies.pairs;
        axes.push_back({points[axis], numerics::exactly({begin, begin + frequencies.pairs})});
    }
    const double largest = numerics::largest_angle_of(axes, 1);
    if (!(largest <= numerics::largest_angle)) {
        throw UsageError(fmt::format("{}: an angle would be {} radians; they end at 2^100", options,
                                     shortest(largest)));
    }
    const numerics::ChannelLayout layout = layout_of(form, frequencies.pairs);
    if (is_exact) return numerics::plane_wave_rows(std::move(axes), 1, layout, dtype);
    check_float32(largest, options);
    return numerics::float32_wave_rows(numerics::projected_angles(std::move(axes), 1), layout, 1,
                                       dtype);
}

Cell cell_of(const Mixed& mixed, const RotaryForm& form, std::int64_t row, std::int64_t value) {
    const MixedFrequencies frequencies = frequencies_of(mixed);
    const numerics::ChannelLayout layout = layout_of(form, frequencies.pairs);
    const auto [function, pair] = content_of(layout, value).value();
    const std::int64_t head = row / mixed.points(), point = row % mixed.points();
    std::vector<WeightedTerm> terms;
    const std::vector<PointAxis> points = axes_of_points(mixed);
    for (std::size_t axis = 0; axis < points.size(); ++axis) {
        terms.push_back(
            {number_term(points[axis].coordinates.positions()[points[axis].index(point)]),
             frequencies.of_axes[axis][head * frequencies.pairs + pair]});
    }
    Cell cell = wave_cell_of_sum(function, 1, std::move(terms));
    cell.pair = pair;
    return cell;
}

/// Returns the plan with an axis of the heads, which share the first axis, in front.
Plan with_heads(Plan plan, std::int64_t heads) {
    std::vector<std::int64_t> extents = plan.shape.extents();
    const std::int64_t points = extents.front() / heads;
    extents.front() = points;
    extents.insert(extents.begin(), heads);
    plan.shape = Shape(extents);
    plan.axes.insert(plan.axes.begin(), head_axis());
    plan.cell = [cell = std::move(plan.cell), points](std::span<const std::int64_t> index) {
        std::vector<std::int64_t> in_rows(index.begin() + 1, index.end());
        in_rows.front() += index[0] * points;
        return cell(in_rows);
    };
    return plan;
}

Plan frequencies_plan(const Mixed& mixed) {
    const Parameters& p = mixed.parameters;
    const std::int64_t heads = p.integer("heads"), pairs = p.integer("d") / 2;
    Axis axis{.kind = AxisKind::function, .name = "axis", .label = "Axis"};
    for (const char name : p.word("axes")) axis.index_names.emplace_back(1, name);
    return {.parameters = p,
            .shape = {std::ssize(axis.index_names), heads, pairs},
            .axes = {axis,
                     {.kind = AxisKind::frequency, .name = "head", .label = "Head"},
                     frequency_axis()},
            .make_rows = [=](DType dtype) {
                std::vector<double> all;
                for (const std::vector<double>& list : frequencies_of(mixed).of_axes) {
                    all.insert(all.end(), list.begin(), list.end());
                }
                const auto size = [](double w) { return std::fabs(w); };
                check_holds(dtype, size(std::ranges::max(all, {}, size)), "the fastest frequency");
                return rounded(rows::kept_rows(std::move(all), pairs), dtype);
            }};
}

/// Fills in --axes, clears the grid for points of a file, and reads the frequencies' shape.
Mixed resolved(Parameters p) {
    std::optional<PointsFile> points_file;
    if (p.has("points")) {
        points_file = open_points(p.word("points"));
        p = with_points(std::move(p), *points_file, {"start", "step"});
    } else {
        p = resolve_axes(std::move(p));
        for (const char* name : {"start", "step"}) check_of_axes(p, name);
        for (const char axis : axes_of(p)) {
            check_last_position(extent_name(axis), of_axis(p, "start", axis),
                                of_axis(p, "step", axis), extent(p, axis));
        }
    }
    std::optional<ArrayFile> frequencies_file;
    if (p.has("freqs-file")) {
        frequencies_file = open_frequencies(p.word("freqs-file"), std::ssize(axes_of(p)));
        p = resolve_file(std::move(p), *frequencies_file);
    }
    check_pairs(p);
    if (!frequencies_file) check_drawn(p);
    return {std::move(p), std::move(points_file), std::move(frequencies_file)};
}

Plan plan(Parameters given, std::string_view table) {
    const Mixed mixed = resolved(std::move(given));
    const Parameters& p = mixed.parameters;
    if (table == "inv-freq") return frequencies_plan(mixed);
    const std::int64_t heads = p.integer("heads");
    const RotaryForm form = rotary_form(table, p.word("layout"), p.integer("d") / 2);
    Axis token{.kind = AxisKind::point, .name = "token", .label = "Token"};
    if (!mixed.points_file) {
        for (const char axis : axes_of(p)) token.extents.push_back(extent(p, axis));
    }
    const auto rows = [=](DType dtype) {
        const std::vector<PointAxis> points = axes_of_points(mixed);
        const MixedFrequencies frequencies = frequencies_of(mixed);
        std::vector<Rows> of_heads;
        for (std::int64_t head = 0; head < heads; ++head) {
            of_heads.push_back(
                rows_of_head(points, frequencies, head, form, is_exact(mixed.parameters), dtype));
        }
        return rows::concatenated(of_heads);
    };
    const auto cell = [=](std::int64_t row, std::int64_t value) {
        return cell_of(mixed, form, row, value);
    };
    const std::int64_t count = checked_product(heads, mixed.points(), "the tokens of all heads");
    return with_heads(rotary_plan(p, count, std::move(token), form, rows, cell), heads);
}

constexpr std::array tables{
    TableSpec{.name = "cos",
              .summary = "the cosines, (heads, tokens, d), or half as wide with --layout single",
              .title = "RoPE of Mixed Axes, Cosines (d={d}, heads={heads})",
              .value_label = "cos",
              .promises = "bounded"},
    TableSpec{.name = "sin",
              .summary = "the sines, likewise",
              .title = "RoPE of Mixed Axes, Sines (d={d}, heads={heads})",
              .value_label = "sin",
              .promises = "bounded"},
    TableSpec{.name = "freqs-cis",
              .summary = "cos and sin side by side: real and imaginary parts of complex numbers, "
                         "(heads, tokens, d / 2, 2)",
              .title = "RoPE of Mixed Axes, cos + i sin (d={d}, heads={heads})",
              .value_label = "cos, sin",
              .idle_parameters = "keep-channels layout",
              .promises = "bounded"},
    TableSpec{.name = "inv-freq",
              .summary = "the frequencies w, in radians per step, (axes, heads, d / 2)",
              .title = "Frequencies of Mixed Axes (d={d}, heads={heads})",
              .value_label = "Radians per Step",
              .idle_parameters = "keep-channels layout arith start step"},
};

constexpr std::array rope_mixed_presets{
    PresetSpec{.name = "rope-vit-mixed",
               .aliases = "rope-mixed-vit",
               .settings = "--axes xy --layout interleaved",
               .summary = "RoPE-ViT, mixed: x before y, frequencies of each head, base 10",
               .source = "naver-ai/rope-vit, deit/models_v2_rope.py, init_random_2d_freqs, "
                         "compute_mixed_cis",
               .note = "Complex there, --table freqs-cis; pairing interleaved: channel 2m turns "
                       "with 2m + 1. Trained frequencies: --freqs-file of its parameter freqs, (2, "
                       "layers, heads * pairs), with --d of a head; heads of layer 0 come first. "
                       "The class token is not rotated and not in its table."},
};

}  // namespace

/// The tables that rotate the pairs of each head by all axes of an image or a video together: each
/// pair has a frequency for each axis and a direction of its own. The first axis of the file, as of
/// --table inv-freq, is the first of --axes; its other axes are read one after the other and cut
/// into heads of d / 2 pairs. u is the number in [0, 1) that PyTorch draws for a head, by
/// torch.rand(1) one head after the other, right after seeding. w is the nearest double. Tokens run
/// along x fastest and t slowest, or are in the file's order. i counts from 0.
///
/// Tables: cos and sin (head, token, channel), freqs-cis (head, token, frequency, function),
/// inv-freq (axis, head, frequency). Correctly rounded from the exact sum of the products; --arith
/// float32 rounds w, every product and every sum. Kept in memory: w, 8 bytes for each coordinate of
/// a file, and up to 16 MiB for each axis of each head.
extern constinit const Encoding rope_mixed{
    .name = "rope-mixed",
    .summary =
        "rotary positions whose pairs turn by all axes at once, a direction for each pair of "
        "each head: RoPE-ViT mixed, Mochi",
    .formula =
        "cos[head, token, k] = cos(sum_a p_a * w[a, head, k]),  sin likewise;  p_a = start + step "
        "* "
        "i\n"
        "w: of --freqs-file, or for two axes, k < d / 4 and u drawn for each head\n"
        "  w[0, head, k] = base^(-4k / d) * cos(2 pi u),  w[1, head, k] = base^(-4k / d) * "
        "sin(2 pi u)\n"
        "  w[a, head, k + d / 4]: the same with 2 pi u + pi / 2",
    .source =
        "Heo et al. 2024, Rotary Position Embedding for Vision Transformer, arXiv:2403.13298, "
        "section 3.2",
    .examples =
        "rope-mixed --height 2 --width 3 --d 8 --heads 2\n"
        "rope-mixed --heads 4 --table cos,sin --npz rope.npz\n"
        "rope-mixed --heads 4 --table sin --png rope-mixed.png",
    .parameters = parameters,
    .tables = tables,
    .presets = rope_mixed_presets,
    .plan = plan};

}  // namespace pegen::encodings
