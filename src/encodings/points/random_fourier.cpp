#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
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
#include "encodings/parameters/grid_axes.h"
#include "encodings/parameters/initializer.h"
#include "encodings/parameters/position_files.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/waves.h"
#include "encodings/points/coordinates.h"
#include "encodings/points/random_fourier_presets.h"
#include "files/array_file.h"
#include "numerics/float32_angles.h"
#include "numerics/plane_waves.h"
#include "numerics/sinusoid.h"

namespace pegen::encodings {
namespace {

using numerics::Coordinates;
using numerics::Function;
using numerics::PointAxis;
using numerics::WaveAxis;

// The random matrix and the random phases of random Fourier features.

constexpr ParameterSpec weights_parameter{
    .name = "weights",
    .type = ParameterType::path,
    .summary = "NPY file, or FILE:NAME in a checkpoint: the matrix, instead of a drawn one"};

constexpr ParameterSpec weight_order_parameter{
    .name = "weight-order",
    .type = ParameterType::word,
    .default_value = "ak",
    .choices = "ak ka",
    .summary = "the matrix has a row for each axis (ak), or for each frequency (ka)"};

constexpr ParameterSpec weight_scale_parameter{
    .name = "weight-scale",
    .default_value = "1",
    .summary = "factor for the drawn matrix, in float32"};

constexpr ParameterSpec in_disc_parameter{
    .name = "in-disc",
    .type = ParameterType::flag,
    .summary =
        "shorten the normals of each frequency, which are two, so that they are uniform in a "
        "disc of radius --weight-scale",
    .is_rare = true};

constexpr ParameterSpec phases_parameter{
    .name = "phases",
    .type = ParameterType::path,
    .summary = "NPY file, or FILE:NAME: a phase for each frequency, in turns of --freq-scale"};

constexpr ParameterSpec phase_init_parameter{
    .name = "phase-init",
    .type = ParameterType::text,
    .default_value = "none",
    .summary = "distribution of the phases, which are drawn after the matrix, as of --init"};

constexpr ParameterSpec skip_parameter{
    .name = "skip",
    .type = ParameterType::integer,
    .default_value = "0",
    .range = {.lowest = 0, .highest = 1 << 30},
    .summary = "number of draws of 32 bits that PyTorch's other tensors took before the matrix"};

/// The source of the weights and the phases: files or a generator.
struct RandomWeights {
    std::int64_t axes;
    std::int64_t frequencies;
    bool is_axis_first;                   ///< of the matrix: (axes, frequencies)
    std::optional<ArrayFile> matrix;      ///< null: the matrix is drawn
    std::optional<ArrayFile> phase_list;  ///< null: phases are drawn, or there are none
    Initializer initializer;
    std::optional<Initializer> phase_initializer;
    bool is_in_disc;
    double scale;
    std::int64_t seed;
    std::int64_t skip;
    Generator generator;

    bool has_phases() const { return phase_list || phase_initializer; }
};

constexpr std::int64_t fewest_of_a_block = 16;

Shape matrix_shape(const RandomWeights& weights) {
    return weights.is_axis_first ? Shape{weights.axes, weights.frequencies}
                                 : Shape{weights.frequencies, weights.axes};
}

/// Opens the matrix. Sets weights.frequencies from its shape if weights.frequencies is 0.
ArrayFile open_matrix(std::string_view path, RandomWeights& weights) {
    ArrayFile file = with_floats({std::string(path), read_array(path)}, "weights");
    const Shape& shape = file.table.shape;
    // With one axis, the file may hold a plain list.
    const bool is_list = weights.axes == 1 && shape.rank() == 1;
    const bool is_matrix = shape.rank() == 2;
    const bool is_any = weights.frequencies == 0;
    const auto frequencies_if = [&](bool is_axis_first) {
        return is_list ? shape[0] : shape[is_axis_first ? 1 : 0];
    };
    const auto fits_if = [&](bool is_axis_first) {
        if (!is_list && !is_matrix) return false;
        const std::int64_t axes = is_list ? 1 : shape[is_axis_first ? 0 : 1];
        const std::int64_t frequencies = frequencies_if(is_axis_first);
        return axes == weights.axes && frequencies > 0 &&
               (is_any || frequencies == weights.frequencies);
    };
    if (fits_if(weights.is_axis_first)) {
        weights.frequencies = frequencies_if(weights.is_axis_first);
        return file;
    }
    const std::string count = is_any ? "frequencies" : fmt::format("{}", weights.frequencies);
    const std::string wanted = weights.is_axis_first ? fmt::format("({}, {})", weights.axes, count)
                                                     : fmt::format("({}, {})", count, weights.axes);
    const std::string remedy =
        fits_if(!weights.is_axis_first)
            ? fmt::format("; use --weight-order {}", weights.is_axis_first ? "ka" : "ak")
            : "";
    throw FormatError(
        path, fmt::format("shape {}: weights must be {}{}", to_string(shape), wanted, remedy));
}

ArrayFile open_phases(std::string_view path, const RandomWeights& weights) {
    ArrayFile file = with_floats({std::string(path), read_array(path)}, "phases");
    if (file.table.shape.size() == weights.frequencies) return file;
    throw FormatError(path, fmt::format("shape {}: needs a phase for each of the {} frequencies",
                                        to_string(file.table.shape), weights.frequencies));
}

std::vector<double> rounded_to_float32(std::vector<double> numbers) {
    for (double& number : numbers) number = static_cast<float>(number);
    return numbers;
}

/// The matrix and the phases that NumPy draws, the matrix first.
struct DrawnByNumpy {
    std::vector<double> matrix;
    std::vector<double> phases;
};

DrawnByNumpy drawn_by_numpy(const RandomWeights& weights, numpy::Generator generator) {
    numpy::Stream stream(generator, weights.seed);
    const auto draw = [&](const Initializer& initializer, std::int64_t count) {
        return rounded_to_float32(drawn_by_numpy(initializer, stream, count));
    };
    DrawnByNumpy all;
    const std::int64_t size = weights.axes * weights.frequencies;
    if (!weights.matrix) all.matrix = draw(weights.initializer, size);
    if (weights.phase_initializer) {
        all.phases = draw(*weights.phase_initializer, weights.frequencies);
    }
    return all;
}

std::vector<double> drawn_matrix(const RandomWeights& weights, const Shape& shape) {
    if (const auto* numpy = std::get_if<numpy::Generator>(&weights.generator)) {
        return drawn_by_numpy(weights, *numpy).matrix;
    }
    return elements_of(
        !library_without_state(weights.generator).empty()
            ? stateless_tensor(weights.initializer, shape[0], shape[1], weights.seed,
                               weights.generator)
            : tensor_from_draw(weights.initializer, shape[0], shape[1], weights.seed, weights.skip,
                               std::get<torch::CodePath>(weights.generator)),
        0, shape.size());
}

/// Shortens a vector of two normals of length r to the length exp(-r^2 / 4), in float32, as
/// StyleGAN3 does. The square of the new length is then uniformly distributed.
void shorten(double& x, double& y) {
    const auto a = static_cast<float>(x), b = static_cast<float>(y);
    const float length = std::sqrt(a * a + b * b);
    const float divisor =
        length * numerics::float32_pow(numerics::float32_exp(length * length), 0.25F);
    x = a / divisor;
    y = b / divisor;
}

std::vector<double> matrix_of(const RandomWeights& weights, const Shape& shape) {
    if (weights.matrix) return finite_elements(*weights.matrix, "weights");
    std::vector<double> matrix = drawn_matrix(weights, shape);
    const std::size_t frequencies = weights.frequencies;
    for (std::size_t k = 0; weights.is_in_disc && k < frequencies; ++k) {
        if (weights.is_axis_first) {
            shorten(matrix[k], matrix[frequencies + k]);
        } else {
            shorten(matrix[2 * k], matrix[2 * k + 1]);
        }
    }
    for (double& number : matrix) number *= static_cast<float>(weights.scale);
    return rounded_to_float32(std::move(matrix));
}

void check_generator(const RandomWeights& weights) {
    if (std::holds_alternative<torch::CodePath>(weights.generator)) return;
    if (weights.skip > 0) {
        throw UsageError(fmt::format(
            "--skip {}: counts PyTorch's draws; use --skip 0 with another --rng", weights.skip));
    }
    check_draws(weights.generator, weights.initializer, weights.axes * weights.frequencies);
    if (!weights.phase_initializer) return;
    check_draws(weights.generator, *weights.phase_initializer, weights.frequencies);
    if (const std::string_view library = library_without_state(weights.generator);
        !library.empty()) {
        throw UsageError(fmt::format(
            "--phase-init: {} draws phases from another seed than the matrix; use --phases FILE",
            library));
    }
}

/// Checks that no normal is left over from the matrix for the phases: PyTorch draws fewer than 16
/// normals in pairs and would keep the other half of the last pair. Throws: UsageError.
void check_pairs(const RandomWeights& weights) {
    using Kind = Initializer::Kind;
    const std::int64_t count = weights.axes * weights.frequencies;
    if (!std::holds_alternative<torch::CodePath>(weights.generator)) return;
    if (weights.matrix || !weights.phase_initializer || count % 2 == 0 ||
        count >= fewest_of_a_block || weights.initializer.kind != Kind::normal ||
        weights.phase_initializer->kind != Kind::normal) {
        return;
    }
    throw UsageError(fmt::format(
        "--phase-init normal: cannot follow {} normals; use an even number, or 16 or more", count));
}

void check_disc(const RandomWeights& weights) {
    if (!weights.is_in_disc) return;
    if (weights.axes != 2) {
        throw UsageError(fmt::format("--in-disc: is for two axes; there {}",
                                     weights.axes == 1 ? "is one" : "are more"));
    }
    const bool is_standard = weights.initializer.kind == Initializer::Kind::normal &&
                             weights.initializer.numbers == std::vector<double>{0, 1};
    if (!is_standard) {
        throw UsageError("--in-disc: is for normals of deviation 1; leave --init out");
    }
}

/// Reads the parameters. If `frequencies` is 0, the file of --weights gives the number of
/// frequencies. Throws: UsageError; FileError and FormatError for files.
RandomWeights random_weights_of(const Parameters& p, std::int64_t axes, std::int64_t frequencies) {
    RandomWeights weights{
        .axes = axes,
        .frequencies = frequencies,
        .is_axis_first = p.word("weight-order") == "ak",
        .matrix = {},
        .phase_list = {},
        .initializer = parse_initializer(p.word("init"), p.integer("d")),
        .phase_initializer = {},
        .is_in_disc = p.flag("in-disc") && !p.has("weights"),
        .scale = p.real("weight-scale"),
        .seed = p.integer("seed"),
        .skip = p.integer("skip"),
        .generator = generator_of(p),
    };
    if (p.has("weights")) weights.matrix = open_matrix(p.word("weights"), weights);
    if (p.has("phases")) {
        weights.phase_list = open_phases(p.word("phases"), weights);
    } else if (p.word("phase-init") != "none") {
        weights.phase_initializer =
            parse_initializer(p.word("phase-init"), p.integer("d"), "phase-init");
    }
    check_pairs(weights);
    check_generator(weights);
    check_disc(weights);
    return weights;
}

/// Returns the weights, a list for each axis with a number for each frequency. Weights that NumPy
/// draws are first rounded to float32. Throws: FileError, FormatError.
std::vector<std::vector<double>> weights_of(const RandomWeights& weights) {
    const Shape shape = matrix_shape(weights);
    const std::vector<double> matrix = matrix_of(weights, shape);
    std::vector of_axes(weights.axes, std::vector<double>(weights.frequencies));
    const std::size_t axes = of_axes.size(), frequencies = of_axes.front().size();
    for (std::size_t a = 0; a < axes; ++a) {
        for (std::size_t k = 0; k < frequencies; ++k) {
            of_axes[a][k] = matrix[weights.is_axis_first ? a * frequencies + k : k * axes + a];
        }
    }
    return of_axes;
}

/// Returns the phases, or zeros if there are none. Phases that NumPy draws are first rounded to
/// float32. Throws: FileError, FormatError.
std::vector<double> phases_of(const RandomWeights& weights) {
    if (weights.phase_list) return finite_elements(*weights.phase_list, "phases");
    if (!weights.phase_initializer) return std::vector<double>(weights.frequencies);
    if (const auto* numpy = std::get_if<numpy::Generator>(&weights.generator)) {
        return drawn_by_numpy(weights, *numpy).phases;
    }
    const Shape shape = matrix_shape(weights);
    const std::int64_t before =
        weights.skip + (weights.matrix ? 0 : draws_of(weights.initializer, shape[0], shape[1]));
    return elements_of(
        tensor_from_draw(*weights.phase_initializer, 1, weights.frequencies, weights.seed, before,
                         std::get<torch::CodePath>(weights.generator)),
        0, weights.frequencies);
}

constexpr std::array parameters{
    with_default(d_parameter, "256"),
    points_parameter,
    height_parameter,
    width_parameter,
    depth_parameter,
    with_default(coords_parameter, "linspace:0:1"),
    point_axes_parameter,
    init_parameter,
    seed_parameter,
    any_rng_parameter,
    skip_parameter,
    in_disc_parameter,
    weight_scale_parameter,
    weight_order_parameter,
    weights_parameter,
    phase_init_parameter,
    phases_parameter,
    with_default(freq_scale_parameter, "2*pi"),
    ParameterSpec{.name = "function",
                  .type = ParameterType::word,
                  .default_value = "both",
                  .choices = "both sin cos",
                  .summary = "the functions of each frequency"},
    first_parameter,
    keep_channels_parameter,
    view_parameter,
    ParameterSpec{.name = "layout",
                  .type = ParameterType::word,
                  .default_value = "halves",
                  .choices = "halves interleaved",
                  .summary = "all of one function, then the other; or by turns"},
    ParameterSpec{.name = "raw",
                  .type = ParameterType::word,
                  .default_value = "none",
                  .choices = "none before after",
                  .summary = "add the coordinates as channels, before or after all others"},
    rare_arith_parameter("the exact formula, or float32 arithmetic, in the order of the formula"),
};

/// The channels, as given by the parameters.
struct Channels {
    numerics::ChannelLayout layout;
    std::int64_t first_raw;  ///< the column of the first coordinate; -1 if there is none
};

Channels channels_of(const Parameters& p, std::int64_t frequencies, std::int64_t axes) {
    const Function first = p.word("first") == "sin" ? Function::sin : Function::cos;
    const std::string& functions = p.word("function");
    numerics::ChannelLayout layout =
        functions == "sin"             ? numerics::only(Function::sin, frequencies)
        : functions == "cos"           ? numerics::only(Function::cos, frequencies)
        : p.word("layout") == "halves" ? numerics::halves(2 * frequencies, first)
                                       : numerics::interleaved(2 * frequencies, first);
    if (p.word("raw") == "none") return {std::move(layout), -1};
    const bool is_before = p.word("raw") == "before";
    const std::int64_t first_raw = is_before ? 0 : layout.channels;
    layout.channels += axes;
    if (is_before) {
        for (numerics::ChannelRun& run : layout.runs) run.first_channel += axes;
    }
    return {std::move(layout), first_raw};
}

/// Returns the number of channels of a frequency.
std::int64_t functions_of(const Parameters& p) { return p.word("function") == "both" ? 2 : 1; }

/// Returns the number of frequencies that --d asks for; 0 if the file of --weights gives it.
std::int64_t frequencies_of(const Parameters& p) {
    if (p.has("weights") && !p.given("d")) return 0;
    const std::int64_t d = p.integer("d");
    if (functions_of(p) == 2 && d % 2 == 1) {
        throw UsageError(
            fmt::format("--d {}: must be even, for a sine and a cosine of each frequency; use {}, "
                        "or --function sin or cos",
                        d, d + 1));
    }
    return d / functions_of(p);
}

/// The axes of the points and the number of points.
struct Points {
    std::vector<PointAxis> axes;
    std::vector<std::int64_t> extents;  ///< of a grid; empty for points of a file
    std::int64_t count;
};

Points grid_points(const Parameters& p) {
    Points points{{}, {}, point_count(p)};
    std::int64_t stride = points.count;
    for (const char axis : axes_of(p)) {
        points.extents.push_back(extent(p, axis));
        stride /= points.extents.back();
        points.axes.push_back({grid_coordinates(p.word("coords"), points.extents.back()), stride});
    }
    // The rows of the matrix follow the order of --axes.
    std::vector<PointAxis> in_order;
    for (const char axis : p.word("axes")) {
        in_order.push_back(points.axes[axes_of(p).find(axis)]);
    }
    points.axes = std::move(in_order);
    return points;
}

Points file_points(const PointsFile& file) {
    Points points{{}, {}, file.points()};
    for (std::vector<double>& axis : read_points(file)) {
        points.axes.push_back({Coordinates(Positions(std::move(axis))), 1});
    }
    return points;
}

constexpr std::string_view angle_options = "--weights, --freq-scale, the coordinates";

Rows encoding_rows(const Points& points, const RandomWeights& weights, double factor, bool is_exact,
                   const Channels& channels, DType dtype) {
    std::vector<WaveAxis> axes;
    std::vector<std::vector<double>> of_axes = weights_of(weights);
    for (std::size_t a = 0; a < of_axes.size(); ++a) {
        axes.push_back({points.axes[a], numerics::exactly(std::move(of_axes[a]))});
    }
    if (weights.has_phases()) {
        const PointAxis one{Coordinates(Positions(1, 0, 1)), 1};
        axes.push_back({one, numerics::exactly(phases_of(weights))});
    }
    if (const double angle = numerics::largest_angle_of(axes, factor);
        !(angle <= numerics::largest_angle)) {
        throw UsageError(fmt::format("{}: an angle would be {} radians; they end at 2^100",
                                     angle_options, shortest(angle)));
    }
    if (!is_exact) check_float32(numerics::largest_angle_of(axes, 1), angle_options);
    Rows rows =
        is_exact
            ? numerics::plane_wave_rows(std::move(axes), factor, channels.layout, dtype)
            : numerics::float32_wave_rows(
                  numerics::projected_angles(std::move(axes), to_float32("freq-scale", factor)),
                  channels.layout, 1, dtype);
    if (channels.first_raw < 0) return rows;
    for (std::size_t a = 0; a < points.axes.size(); ++a) {
        check_holds(dtype, points.axes[a].coordinates.largest(), "the largest coordinate");
        rows = with_coordinates(rows, points.axes[a],
                                channels.first_raw + static_cast<std::int64_t>(a));
    }
    return rows;
}

/// Returns the terms of the angle of a point in frequency k: the coordinates with their weights,
/// and the phase.
std::vector<WeightedTerm> terms_of(const Points& points, const RandomWeights& weights,
                                   std::int64_t point, std::int64_t k) {
    const std::vector<std::vector<double>> of_axes = weights_of(weights);
    std::vector<WeightedTerm> terms;
    for (std::size_t a = 0; a < points.axes.size(); ++a) {
        const PointAxis& axis = points.axes[a];
        terms.push_back({coordinate_term(axis.coordinates, axis.index(point)), of_axes[a][k]});
    }
    if (weights.has_phases()) terms.push_back({number_term(1), phases_of(weights)[k]});
    return terms;
}

Cell cell_of(const Points& points, const RandomWeights& weights, double factor,
             const Channels& channels, std::span<const std::int64_t> index) {
    const std::int64_t raw = index[1] - channels.first_raw;
    if (channels.first_raw >= 0 && raw >= 0 && raw < std::ssize(points.axes)) {
        const PointAxis& axis = points.axes[raw];
        return {.value = coordinate_term(axis.coordinates, axis.index(index[0])),
                .note = "The channel is the coordinate itself, by --raw."};
    }
    // All channels but the raw coordinates hold a function.
    const auto [function, k] = content_of(channels.layout, index[1]).value();
    Cell cell = wave_cell_of_sum(function, factor, terms_of(points, weights, index[0], k));
    cell.pair = k;
    cell.partner = channel_with(channels.layout, {other(function), k});
    return cell;
}

/// Returns the rows of a table whose columns are `lists`.
Rows rows_of(const std::vector<std::vector<double>>& lists, DType dtype) {
    double largest = 0;
    for (const std::vector<double>& list : lists) {
        for (const double number : list) largest = std::max(largest, std::fabs(number));
    }
    check_holds(dtype, largest, "the largest number");
    const std::int64_t columns = std::ssize(lists.front());
    return rounded({[lists](RowRange range, std::span<double> out) {
                        for (std::int64_t i = 0; i < range.count; ++i) {
                            const std::vector<double>& list = lists[range.first + i];
                            std::ranges::copy(list, out.begin());
                            out = out.subspan(list.size());
                        }
                    },
                    std::ssize(lists), columns},
                   dtype);
}

Plan weights_plan(Parameters p, const RandomWeights& weights) {
    const std::int64_t axes = weights.axes, frequencies = weights.frequencies;
    return {
        .parameters = std::move(p),
        .shape = {axes, frequencies},
        .axes = {{.kind = AxisKind::frequency, .name = "axis", .label = "Axis"}, frequency_axis()},
        .make_rows = [weights](DType dtype) { return rows_of(weights_of(weights), dtype); }};
}

Plan phases_plan(Parameters p, const RandomWeights& weights) {
    return {.parameters = std::move(p),
            .shape = {weights.frequencies},
            .axes = {frequency_axis()},
            .make_rows = [weights](DType dtype) {
                // In a table with one axis, each element is a row.
                std::vector<std::vector<double>> lists;
                for (const double phase : phases_of(weights)) lists.push_back({phase});
                return rows_of(lists, dtype);
            }};
}

/// Fills in --d from the file of the weights, and clears parameters that have no effect.
Parameters resolve_weights(Parameters p, const RandomWeights& weights) {
    p.resolve("d", weights.frequencies * functions_of(p));
    if (weights.matrix) {
        p = without(std::move(p), {"init", "weight-scale", "in-disc"},
                    "cannot be used with --weights");
    }
    if (weights.phase_list) {
        p = without(std::move(p), {"phase-init"}, "cannot be used with --phases");
    }
    return p;
}

Plan plan(Parameters p, std::string_view table) {
    const bool has_file = p.has("points");
    p = has_file ? without_grid(std::move(p)) : resolve_axes(std::move(p));
    std::optional<PointsFile> file;
    if (has_file) file = open_points(p.word("points"));
    const std::int64_t axes = file ? file->axes() : std::ssize(axes_of(p));
    const RandomWeights weights = random_weights_of(p, axes, frequencies_of(p));
    p = resolve_weights(std::move(p), weights);
    if (p.integer("d") > most_channels) {
        throw UsageError(fmt::format("--weights {}: {} channels; they end at 2^20",
                                     p.word("weights"), p.integer("d")));
    }
    if (table == "weights") return weights_plan(std::move(p), weights);
    if (table == "phases") return phases_plan(std::move(p), weights);
    const Channels channels = channels_of(p, weights.frequencies, axes);
    const std::int64_t count = file ? file->points() : point_count(p);
    std::vector<std::int64_t> extents;
    if (!file) extents = grid_points(p).extents;
    const Parameters resolved = p;
    const auto cell = [=](std::span<const std::int64_t> index) {
        return cell_of(file ? file_points(*file) : grid_points(resolved), weights,
                       resolved.real("freq-scale"), channels, index);
    };
    return {.parameters = std::move(p),
            .shape = {count, channels.layout.channels},
            .axes = {point_axis(std::move(extents)), channel_axis()},
            .make_rows =
                [=](DType dtype) {
                    return encoding_rows(file ? file_points(*file) : grid_points(resolved), weights,
                                         resolved.real("freq-scale"), is_exact(resolved), channels,
                                         dtype);
                },
            .pairs = [layout = channels.layout] { return numerics::pairs_of(layout); },
            .cell = cell};
}

constexpr std::array tables{
    TableSpec{.name = "encoding",
              .summary = "the encoding, (points, features)",
              .title = "Random Fourier Features (d={d}, seed={seed})",
              .value_label = "Positional Encoding Values",
              .promises = "bounded"},
    TableSpec{.name = "weights",
              .summary = "the matrix, (axes, frequencies)",
              .title = "Weights of Random Fourier Features (seed={seed})",
              .value_label = "Weights",
              .idle_parameters = "coords freq-scale first layout raw keep-channels view arith"},
    TableSpec{.name = "phases",
              .summary = "the phases, (frequencies)",
              .title = "Phases of Random Fourier Features (seed={seed})",
              .value_label = "Phases",
              .idle_parameters = "coords freq-scale first layout raw keep-channels view arith"}};

}  // namespace

/// x_a is the point's coordinate on axis a, as in fourier: column a of the array in --points, or a
/// coordinate of a grid by --coords. The axes are in the order of --axes or of the file's columns.
/// W is drawn once, as a tensor (axes, frequencies) or, with --weight-order ka, (frequencies,
/// axes), and multiplied by --weight-scale in float32. With --in-disc each vector of two normals,
/// of length r, is first shortened to the length exp(-r^2 / 4) in float32. The phases b are drawn
/// after W. The draws have the same bits as PyTorch's generator, as in learned. --raw adds a
/// channel for each axis.
///
/// Tables: encoding (points, features), axes (point, channel); weights (axes, frequencies); phases
/// (frequencies). Points of a grid run along x fastest, t slowest.
/// Correctly rounded from the exact sum of the products, with W and b as drawn or read, and
/// freq-scale as the nearest double; --arith float32 rounds every product and sum. Kept in memory:
/// W, eight bytes for each coordinate of a file, and up to 16 MiB for each axis.
extern constinit const Encoding random_fourier{
    .name = "random-fourier",
    .summary = "sines and cosines of random projections: SAM, EDM, score_sde and others",
    .formula =
        "PE[point, (f, k)] = f(freq-scale * (sum_a x_a * W[a, k] + b[k])),  f = sin, cos\n"
        "W: drawn by --init, times --weight-scale, or from --weights; b: 0, or by --phase-init, or "
        "from --phases\n"
        "x_a: the point's coordinate on axis a, from a file or by --coords",
    .source = "Rahimi and Recht 2007, NIPS; Tancik et al. 2020, arXiv:2006.10739, equation 5",
    .examples =
        "random-fourier --height 16 --width 16 --coords center:1 --axes xy --png sam.png\n"
        "random-fourier --axes x --width 100 --d 128 --weight-scale 16 --first cos\n"
        "random-fourier --axes x --width 4 --d 8 --table weights --seed 7",
    .parameters = parameters,
    .tables = tables,
    .presets = random_fourier_presets,
    .plan = plan};

}  // namespace pegen::encodings
