#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "encodings/cell.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/initializer.h"
#include "encodings/parameters/position_files.h"
#include "encodings/parameters/window.h"
#include "files/array_file.h"
#include "numerics/ziv_loop.h"
#include "rows/arranged.h"
#include "rows/grid_rows.h"

namespace pegen::encodings {
namespace {

using numerics::Real;

constexpr ParameterSpec rare(ParameterSpec spec) {
    spec.is_rare = true;
    return spec;
}

constexpr std::array parameters{
    window_height_parameter,
    window_width_parameter,
    window_depth_parameter,
    ParameterSpec{.name = "spacing",
                  .type = ParameterType::word,
                  .default_value = "log2",
                  .choices = "log2 log linear",
                  .summary = "coordinates of an offset r: sign(r) log2(1 + 8 |r| / (P - 1)) / 3, "
                             "sign(r) ln(1 + |r|), or r",
                  .is_rare = true},
    ParameterSpec{.name = "pretrained-window",
                  .aliases = "pretrained-window-size",
                  .type = ParameterType::text,
                  .default_value = "0",
                  .summary = "window size in pretraining, HxW, DxHxW or N, by which offsets are "
                             "divided; 0 for the present window"},
    ParameterSpec{.name = "points",
                  .type = ParameterType::path,
                  .summary = "NPY file: the coordinates of the tokens (tokens, axes), instead of a "
                             "window, for --table bias",
                  .role = Role::tokens,
                  .is_rare = true},
    rare(heads_parameter),
    ParameterSpec{.name = "weights",
                  .type = ParameterType::path,
                  .summary = "NPZ or safetensors file: the layers of the network",
                  .is_rare = true},
    ParameterSpec{.name = "module",
                  .type = ParameterType::text,
                  .summary = "name in front of the names of the layers, such as "
                             "layers.0.blocks.0.attn",
                  .is_rare = true},
    ParameterSpec{.name = "layers",
                  .type = ParameterType::text,
                  .default_value = "cpb_mlp.0,cpb_mlp.2",
                  .summary = "names of the layers in the file, linear ones and normalizations, in "
                             "the order of the network",
                  .is_rare = true},
    ParameterSpec{.name = "activation",
                  .type = ParameterType::word,
                  .default_value = "relu",
                  .choices = "relu silu gelu",
                  .summary = "function before each linear layer but the first",
                  .is_rare = true},
    ParameterSpec{.name = "negative-slope",
                  .default_value = "0",
                  .range = {.lowest = 0},
                  .summary = "slope of relu for negative numbers, as of a leaky ReLU",
                  .is_rare = true},
    ParameterSpec{.name = "sigmoid",
                  .default_value = "16",
                  .range = {.lowest = 0},
                  .summary = "X sigmoid(x) of the network's x; 0 for x itself",
                  .is_rare = true},
    ParameterSpec{.name = "units",
                  .type = ParameterType::integers,
                  .default_value = "512",
                  .range = {.lowest = 1, .highest = 1 << 16},
                  .summary = "units of each hidden layer, without --weights",
                  .is_rare = true},
    ParameterSpec{.name = "norm",
                  .type = ParameterType::flag,
                  .summary = "hidden layers are normalized, without --weights",
                  .is_rare = true},
    ParameterSpec{.name = "last-bias",
                  .type = ParameterType::flag,
                  .summary = "the last layer has a bias, too, without --weights",
                  .is_rare = true},
    rare(seed_parameter),
    rare(rng_parameter),
};

/// The axes of a window, slowest first.
constexpr std::array<const char*, 3> axis_names{"depth", "height", "width"};

/// Returns the number of axes that images do not have: 0 with --depth, else 1.
std::size_t missing_axes(const Parameters& p) { return p.has("depth") ? 0 : 1; }

/// The coordinates of the offsets in a window, which are numbered row by row.
struct Coordinates {
    std::vector<std::int64_t> offsets{};  ///< number of offsets along each axis, slowest first
    std::string spacing{};
    /// For --spacing log2, for each axis: the extent of the window, or of --pretrained-window, less
    /// 1.
    std::vector<std::int64_t> divisors{};

    /// Returns the coordinate along an axis of the offset number `place` of that axis.
    Real along(std::int64_t axis, std::int64_t place) const;
    /// Returns the same in doubles, off by at most 2^-48 of itself.
    double near(std::int64_t axis, std::int64_t place) const;
    Real of(std::int64_t offset, std::int64_t axis) const {
        return along(axis, index_of(offset, offsets)[axis]);
    }

  private:
    std::int64_t distance(std::int64_t axis, std::int64_t place) const {
        return place - (offsets[axis] - 1) / 2;
    }
};

/// Returns the coordinate of a distance r by --spacing log or linear.
Real coordinate_of(const Real& r, std::string_view spacing) {
    if (spacing == "linear") return r;
    return r < 0.0 ? -log1p(-r) : log1p(r);
}

/// Returns the divisor: the pretrained extent less 1, or the window's own extent less 1 if
/// `pretrained` is 0. Throws: UsageError if the divisor would be 0.
std::int64_t divisor(const char* name, std::int64_t window, std::int64_t pretrained) {
    if (pretrained > 0 ? pretrained > 1 : window > 1) {
        return (pretrained > 0 ? pretrained : window) - 1;
    }
    throw UsageError(
        pretrained > 0
            ? fmt::format("--pretrained-window: its {} of 1 would divide by 1 - 1; use at least 2",
                          name)
            : fmt::format("--{} 1: offsets are divided by {} - 1; use at least 2, or "
                          "--pretrained-window",
                          name, name));
}

std::vector<std::int64_t> divisors_of(const Parameters& p) {
    const std::string& text = p.word("pretrained-window");
    const std::vector<std::string_view> extents = fields(text, 'x');
    const std::size_t axes = axis_names.size() - missing_axes(p);
    if (extents.size() != 1 && extents.size() != axes) {
        refuse(
            "pretrained-window", text,
            axes == 3 ? "must be DxHxW or N, such as 8x12x12" : "must be HxW or N, such as 12x12");
    }
    const auto read = [&](std::string_view extent) {
        const std::int64_t number = parse_integer(extent, "--pretrained-window");
        if (!Range{.lowest = 0, .highest = any_window.highest}.contains(
                static_cast<double>(number))) {
            refuse("pretrained-window", text, "extents must be between 0 and 16384");
        }
        return number;
    };
    std::vector<std::int64_t> divisors;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        const char* const name = axis_names[axis + missing_axes(p)];
        divisors.push_back(
            divisor(name, p.integer(name), read(extents[extents.size() == 1 ? 0 : axis])));
    }
    return divisors;
}

Coordinates coordinates_of(const Parameters& p) {
    Coordinates coordinates{.spacing = p.word("spacing")};
    for (std::size_t axis = missing_axes(p); axis < axis_names.size(); ++axis) {
        coordinates.offsets.push_back(2 * p.integer(axis_names[axis]) - 1);
    }
    if (coordinates.spacing == "log2") {
        coordinates.divisors = divisors_of(p);
    } else if (p.given("pretrained-window")) {
        throw UsageError(
            fmt::format("--pretrained-window {}: --spacing {} divides by no window; "
                        "leave it out",
                        p.word("pretrained-window"), coordinates.spacing));
    }
    return coordinates;
}

Real Coordinates::along(std::int64_t axis, std::int64_t place) const {
    const std::int64_t r = distance(axis, place);
    if (spacing != "log2") return coordinate_of(static_cast<double>(r), spacing);
    const Real length = static_cast<double>(std::abs(r));
    const Real value = log2(1.0 + 8.0 * length / static_cast<double>(divisors[axis])) / 3.0;
    return r < 0 ? -value : value;
}

double Coordinates::near(std::int64_t axis, std::int64_t place) const {
    const auto r = static_cast<double>(distance(axis, place));
    if (spacing == "linear") return r;
    const double factor = spacing == "log2" ? 8 / static_cast<double>(divisors[axis]) : 1;
    const double divisor = spacing == "log2" ? 3 * std::numbers::ln2 : 1;
    return std::copysign(std::log1p(factor * std::fabs(r)) / divisor, r);
}

Plan coordinate_plan(Parameters p) {
    constexpr std::array<const char*, 3> names{"dt", "dy", "dx"};
    constexpr std::array<const char*, 3> labels{"Offset of Frames", "Offset of Rows",
                                                "Offset of Columns"};
    const Coordinates coordinates = coordinates_of(p);
    std::vector<Axis> axes;
    Axis of_coordinates{.kind = AxisKind::channel, .name = "coordinate", .label = "Coordinate"};
    for (std::size_t axis = missing_axes(p); axis < names.size(); ++axis) {
        axes.push_back({.kind = AxisKind::pixel, .name = names[axis], .label = labels[axis]});
        of_coordinates.index_names.emplace_back(names[axis] + 1);
    }
    axes.push_back(of_coordinates);
    std::vector<std::int64_t> shape = coordinates.offsets;
    shape.push_back(std::ssize(shape));
    return {.parameters = std::move(p),
            .shape = Shape(shape),
            .axes = axes,
            .make_rows = [=](DType dtype) {
                const std::int64_t columns = std::ssize(coordinates.offsets);
                std::vector<Rows> of_axes;
                for (std::int64_t axis = 0; axis < columns; ++axis) {
                    of_axes.push_back(numerics::real_rows(
                        [=](std::int64_t place, std::int64_t column) {
                            return column == axis ? coordinates.along(axis, place) : Real(0);
                        },
                        [=](std::int64_t place, std::int64_t column) {
                            return column == axis ? coordinates.near(axis, place) : 0;
                        },
                        coordinates.offsets[axis], columns, dtype));
                }
                return rows::point_rows(of_axes);
            }};
}

/// A linear layer, or the normalization of each output of the layer before, which has no `rows`.
struct Layer {
    std::int64_t rows;              ///< outputs of a linear layer; 0 for a normalization
    std::int64_t columns;           ///< inputs
    std::vector<double> weights{};  ///< (rows, columns), or (columns) of a normalization
    std::vector<double> bias{};     ///< one for each output, or none

    double bias_of(std::int64_t output) const { return bias.empty() ? 0 : bias[output]; }
};

/// What computes a bias for each head from the coordinates of an offset.
struct Network {
    std::vector<Layer> layers;
    std::string activation;
    double negative_slope;
    double sigmoid;
};

double magnitude(double x) { return std::fabs(x); }
double magnitude(const Real& x) { return std::fabs(nearest_double(x)); }

/// A number, computed in doubles or in Reals, that is off by about error * 2^-p, p being the bits
/// of its type. Operations add the errors of their operands and their own.
template <class Number>
struct Near {
    Number value;
    double error = 0;

    Near(double exact) : value(exact) {}  // NOLINT: formulas mix the two
    Near(Number rounded, double from_operands)
        : value(std::move(rounded)), error(from_operands + magnitude(value)) {}

    friend Near operator+(const Near& a, const Near& b) {
        return {a.value + b.value, a.error + b.error};
    }
    friend Near operator-(const Near& a, const Near& b) {
        return {a.value - b.value, a.error + b.error};
    }
    friend Near operator*(const Near& a, const Near& b) {
        return {a.value * b.value, a.error * magnitude(b.value) + magnitude(a.value) * b.error};
    }
    friend Near operator/(const Near& a, const Near& b) {
        Number quotient = a.value / b.value;
        const double operands = (a.error + magnitude(quotient) * b.error) / magnitude(b.value);
        return {std::move(quotient), operands};
    }
    friend Near sqrt(const Near& a) {
        using std::sqrt;
        Number root = sqrt(a.value);
        const double operand = a.error / (2 * magnitude(root));
        return {std::move(root), operand};
    }
    friend Near erf(const Near& a) {
        using std::erf;
        return {erf(a.value), 1.13 * a.error + magnitude(a.value)};  // |erf'| < 1.13
    }
    /// Precondition: a is about 0 or less.
    friend Near exp(const Near& a) {
        using std::exp;
        Number power = exp(a.value);
        // Powers below the normal doubles have errors of their own.
        const double operand = magnitude(power) * (a.error + 1) + 0x1p-1000;
        return {std::move(power), operand};
    }
};

template <class Number>
using Nears = std::vector<Near<Number>>;

template <class Number>
Nears<Number> product(const Layer& layer, const Nears<Number>& x) {
    Nears<Number> y;
    for (std::int64_t i = 0; i < layer.rows; ++i) {
        y.emplace_back(layer.bias_of(i));
        for (std::int64_t j = 0; j < layer.columns; ++j) {
            y.back() = y.back() + layer.weights[i * layer.columns + j] * x[j];
        }
    }
    return y;
}

/// Returns the numbers less their mean, over their standard deviation, weighted: torch.nn.LayerNorm
/// with its eps of 1e-5.
template <class Number>
Nears<Number> normalized(const Layer& layer, Nears<Number> x) {
    const auto count = static_cast<double>(layer.columns);
    Near<Number> sum = 0, squares = 0;
    for (const Near<Number>& number : x) sum = sum + number;
    for (Near<Number>& number : x) {
        number = number - sum / count;
        squares = squares + number * number;
    }
    const Near<Number> deviation = sqrt(squares / count + 1e-5);
    for (std::int64_t i = 0; i < layer.columns; ++i) {
        x[i] = x[i] / deviation * layer.weights[i] + layer.bias_of(i);
    }
    return x;
}

template <class Number>
Near<Number> sigmoid(const Near<Number>& x) {
    if (!(x.value < 0)) return 1.0 / (1.0 + exp(0.0 - x));
    const Near<Number> power = exp(x);
    return power / (1.0 + power);
}

/// Returns the bias of each head from the coordinates of an offset.
template <class Number>
Nears<Number> outputs(const Network& network, Nears<Number> x) {
    const auto activated = [&](const Near<Number>& number) {
        if (network.activation == "silu") return number * sigmoid(number);
        if (network.activation == "gelu") {
            return 0.5 * number * (1.0 + erf(number / sqrt(Near<Number>(2.0))));
        }
        return number.value < 0 ? network.negative_slope * number : number;
    };
    for (const Layer& layer : network.layers) {
        if (layer.rows == 0) {
            x = normalized(layer, std::move(x));
            continue;
        }
        if (&layer != &network.layers.front()) std::ranges::transform(x, x.begin(), activated);
        x = product(layer, x);
    }
    if (network.sigmoid == 0) return x;
    for (Near<Number>& number : x) number = network.sigmoid * sigmoid(number);
    return x;
}

/// Returns the biases of the heads, each a double whose rounding to `dtype` is the exact one's.
std::vector<double> biases_of(const Network& network, const std::vector<Real>& coordinates,
                              DType dtype) {
    Nears<double> inputs;
    for (const Real& x : coordinates) {
        const double rounded = nearest_double(x);
        inputs.emplace_back(rounded, std::fabs(rounded));  // half of it, in units of 2^-52
    }
    const Nears<double> near = outputs(network, std::move(inputs));
    const auto exactly = [&] {
        Nears<Real> exact;
        for (const Real& x : coordinates) exact.emplace_back(x, 8 * magnitude(x));
        return outputs(network, std::move(exact));
    };
    Nears<Real> usual;
    std::vector<double> biases;
    for (std::size_t head = 0; head < near.size(); ++head) {
        const auto& [value, error] = near[head];
        if (!std::isfinite(error)) {
            throw UsageError("--weights: the network's numbers are beyond the largest double");
        }
        // Twice the error, for what it leaves out: products of errors.
        const double bound = error * 0x1p-52;
        if (numerics::are_rounded_alike(value - bound, value + bound, dtype)) {
            biases.push_back(value);
            continue;
        }
        if (usual.empty()) usual = exactly();
        biases.push_back(
            numerics::ziv_loop(dtype, numerics::Midpoints::possible, [&]() -> numerics::Enclosure {
                const bool is_usual = numerics::Precision::bits() == numerics::Precision::usual;
                const Near<Real> at = is_usual ? usual[head] : exactly()[head];
                return {at.value, numerics::rounding_errors(at.error)};
            }));
    }
    return biases;
}

/// The layers of a network, not yet read or drawn.
struct Layers {
    std::int64_t inputs;     ///< the last coordinates of an offset: x, y and x, or t, y and x
    std::int64_t heads = 0;  ///< outputs of the last layer
    std::int64_t weights = 0;
    std::function<std::vector<Layer>()> values{};
};

/// Opens an array of the file of --weights.
ArrayFile open_part(const Archive& archive, const std::string& name, const Shape& needed) {
    ArrayFile array = with_floats(array_in(archive, name), "weights");
    if (array.table.shape == needed) return array;
    throw FormatError(array.path, fmt::format("shape {}: must be {}", to_string(array.table.shape),
                                              to_string(needed)));
}

/// Returns the number of coordinates that a network reads.
std::int64_t coordinates_read(const Parameters& p) {
    return std::ssize(axis_names) - static_cast<std::int64_t>(missing_axes(p));
}

/// True if a network may read the coordinate along x alone.
bool is_line(const Parameters& p) {
    return !p.has("points") && p.integer("height") == 1 && !p.has("depth");
}

/// Opens the layers in the file of --weights, for this number of inputs. The first one may have a
/// single input if the window has one row.
Layers open_layers(const Parameters& p, std::int64_t inputs) {
    struct Arrays {
        Layer layer;
        ArrayFile weights;
        std::optional<ArrayFile> bias{};
    };
    const Archive archive = open_archive(p.word("weights"), Pipes::refused);
    const auto has = [&](const std::string& name) {
        return std::ranges::count(archive.members, name, &ArchiveMember::name) > 0;
    };
    std::vector<Arrays> all;
    Layers layers{.inputs = inputs};
    for (const std::string_view layer : fields(p.word("layers"), ',')) {
        const std::string name =
            (p.has("module") ? p.word("module") + "." : "") + std::string(layer);
        const std::string of_weights = name + (has(name + ".gamma") ? ".gamma" : ".weight");
        const Shape shape = array_in(archive, of_weights).table.shape;
        const std::int64_t rows = shape.rank() == 2 ? std::max<std::int64_t>(shape[0], 1) : 0;
        if (all.empty() && rows > 0 && shape[1] == 1 && is_line(p)) layers.inputs = 1;
        const std::int64_t columns = all.empty() ? layers.inputs : layers.heads;
        Arrays arrays{.layer = {rows, columns},
                      .weights = open_part(archive, of_weights,
                                           rows > 0 ? Shape{rows, columns} : Shape{columns})};
        if (has(name + ".bias")) {
            arrays.bias = open_part(archive, name + ".bias", {rows > 0 ? rows : columns});
        }
        all.push_back(std::move(arrays));
        if (rows > 0) layers.heads = rows;
        layers.weights += shape.size();
    }
    if (all.front().layer.rows == 0 || all.back().layer.rows == 0) {
        throw UsageError(fmt::format("--layers {}: the first and the last one must be linear",
                                     p.word("layers")));
    }
    layers.values = [all = std::move(all)] {
        std::vector<Layer> read;
        for (const auto& [layer, weights, bias] : all) {
            read.push_back(layer);
            read.back().weights = finite_elements(weights, "weights");
            if (bias) read.back().bias = finite_elements(*bias, "weights");
        }
        return read;
    };
    return layers;
}

/// Returns the layers that torch.nn.Linear draws, one after the other.
Layers drawn_layers(const Parameters& p, std::int64_t inputs) {
    for (const char* name : {"module", "layers"}) {
        if (p.given(name)) {
            throw UsageError(fmt::format("--{} {}: needs --weights FILE", name, p.word(name)));
        }
    }
    std::vector<std::int64_t> widths = p.integers("units");
    Layers layers{.inputs = is_line(p) ? 1 : inputs, .heads = p.integer("heads")};
    widths.insert(widths.begin(), layers.inputs);
    widths.push_back(layers.heads);
    for (std::size_t k = 1; k < widths.size(); ++k) layers.weights += widths[k - 1] * widths[k];
    layers.values = [=, seed = p.integer("seed"), path = code_path(p), has_norm = p.flag("norm"),
                     has_last_bias = p.flag("last-bias")] {
        std::vector<Layer> drawn;
        std::int64_t first = 0;
        const auto next = [&](std::int64_t rows, std::int64_t columns, std::int64_t fan_in) {
            const double bound = 1 / std::sqrt(static_cast<double>(fan_in));
            const Initializer uniform{Initializer::Kind::uniform, {-bound, bound}};
            const std::int64_t from = std::exchange(first, first + rows * columns);
            return elements_of(tensor_from_draw(uniform, rows, columns, seed, from, path), 0,
                               rows * columns);
        };
        for (std::size_t k = 1; k < widths.size(); ++k) {
            const std::int64_t rows = widths[k], columns = widths[k - 1];
            const bool is_last = k + 1 == widths.size();
            drawn.push_back({rows, columns, next(rows, columns, columns)});
            if (!is_last || has_last_bias) drawn.back().bias = next(1, rows, columns);
            if (has_norm && !is_last) drawn.push_back({0, rows, std::vector(rows, 1.0)});
        }
        return drawn;
    };
    return layers;
}

/// Fills in --heads for layers of a file. Throws: UsageError if the file has another number of
/// heads, or a parameter of drawn layers is given.
Parameters resolve_layers(Parameters p, const Layers& layers) {
    p = without(std::move(p), {"units", "norm", "last-bias", "seed", "rng"},
                "nothing is drawn, --weights has the layers");
    if (!p.given("heads")) p.resolve("heads", layers.heads);
    if (p.integer("heads") != layers.heads) {
        throw UsageError(
            fmt::format("--heads {}: --weights has a last layer of {} heads; leave "
                        "--heads out",
                        p.integer("heads"), layers.heads));
    }
    return p;
}

/// The coordinates that a network reads of offset number `offset`, of `count` offsets.
struct Inputs {
    std::int64_t count;
    std::function<std::vector<Real>(std::int64_t offset)> of;
};

/// Returns the biases (offset, head) of all offsets.
std::vector<double> all_biases(const Network& network, const Inputs& inputs, std::int64_t heads,
                               DType dtype) {
    std::vector<double> biases(inputs.count * heads);
    std::atomic<std::int64_t> done = 0;
    parallel_for(inputs.count, [&](std::int64_t offset) {
        std::ranges::copy(biases_of(network, inputs.of(offset), dtype),
                          biases.begin() + offset * heads);
        report(++done, inputs.count);
    });
    const auto [lowest, highest] = std::ranges::minmax(biases);
    check_holds(dtype, std::max(-lowest, highest), "the largest bias");
    return biases;
}

/// Returns the formula of a bias, with the coordinates that the network reads.
std::string formula_of(const Network& network, const std::vector<Real>& coordinates) {
    std::vector<double> numbers;
    for (const Real& x : coordinates) numbers.push_back(nearest_double(x));
    const std::string output = fmt::format("network({})", joined(numbers, ", "));
    return network.sigmoid == 0 ? output
                                : fmt::format("{} / (1 + exp(-{}))", network.sigmoid, output);
}

/// The pairs of tokens.
struct Pairs {
    std::vector<Axis> axes;  ///< of the queries and of the keys
    std::int64_t queries;
    std::int64_t keys;
    /// Returns the number of a pair's offset.
    std::function<std::int64_t(std::int64_t query, std::int64_t key)> offset_of;
    /// Returns the rows (head, query, key) of a line for each head with the biases of all offsets.
    std::function<Rows(const Rows& lines)> rows;
};

/// Returns the plan of the biases of all pairs, (heads, queries, keys).
Plan network_plan(Parameters p, const Layers& layers, const Inputs& inputs, const Pairs& pairs) {
    constexpr std::int64_t most = 1 << 26;
    if (layers.weights > most || inputs.count > most / layers.heads) {
        throw UsageError(
            fmt::format("--units, --heads, {}: at most 2^26 weights, and as many biases of all "
                        "offsets and heads",
                        p.has("points") ? "--points" : "--height, --width"));
    }
    if (p.has("weights")) p = resolve_layers(std::move(p), layers);
    const Network network{.layers = {},
                          .activation = p.word("activation"),
                          .negative_slope = p.real("negative-slope"),
                          .sigmoid = p.real("sigmoid")};
    const auto whole_network = [=] {
        Network with_values = network;
        with_values.layers = layers.values();
        return with_values;
    };
    return {.parameters = std::move(p),
            .shape = {layers.heads, pairs.queries, pairs.keys},
            .axes = {head_axis(), pairs.axes[0], pairs.axes[1]},
            .make_rows =
                [=](DType dtype) {
                    const RealRows biases = rows::kept_rows(
                        all_biases(whole_network(), inputs, layers.heads, dtype), layers.heads);
                    return pairs.rows(rows::transposed(rounded(biases, dtype)));
                },
            .cell =
                [=](std::span<const std::int64_t> at) {
                    const std::int64_t offset = pairs.offset_of(at[1], at[2]);
                    const auto held = [=, head = at[0]](DType dtype) {
                        const double bias =
                            biases_of(whole_network(), inputs.of(offset), dtype)[head];
                        check_holds(dtype, bias, "the bias");
                        return bias;
                    };
                    return Cell{.value = {.text = formula_of(network, inputs.of(offset))},
                                .held = held};
                },
            .terms = static_cast<double>(inputs.count) * static_cast<double>(layers.weights)};
}

Layers layers_of(const Parameters& p, std::int64_t inputs) {
    return p.has("weights") ? open_layers(p, inputs) : drawn_layers(p, inputs);
}

/// Plans the biases of tokens at given points; each pair has an offset of its own.
Plan point_plan(Parameters p) {
    p = without(std::move(p), {"height", "width", "depth", "pretrained-window"},
                "cannot be used with --points");
    if (!p.given("spacing")) p.resolve("spacing", std::string("linear"));
    const std::string& spacing = p.word("spacing");
    if (spacing == "log2")
        throw UsageError("--spacing log2: divides by a window; --points has none");
    const PointsFile file = open_points(p.word("points"));
    const std::int64_t tokens = file.points();
    const auto points = std::make_shared<const std::vector<std::vector<double>>>(read_points(file));
    const Inputs inputs{tokens * tokens, [=](std::int64_t pair) {
                            std::vector<Real> x;
                            for (const std::vector<double>& axis : *points) {
                                const Real r = Real(axis[pair / tokens]) - axis[pair % tokens];
                                x.push_back(coordinate_of(r, spacing));
                            }
                            return x;
                        }};
    const rows::AttentionSize size{tokens, tokens};
    const Layers layers = layers_of(p, file.axes());
    return network_plan(
        std::move(p), layers, inputs,
        {.axes = {query_axis(size), key_axis(size)},
         .queries = tokens,
         .keys = tokens,
         .offset_of = [=](std::int64_t query, std::int64_t key) { return query * tokens + key; },
         .rows = [=](const Rows& lines) { return rows::reshaped(lines, tokens); }});
}

Plan window_plan(Parameters p, const Window& window) {
    const Layers layers = layers_of(p, coordinates_read(p));
    // A window of one row has no divisor along y, and a network of one input needs none.
    if (layers.inputs == 1 && p.word("spacing") == "log2") {
        throw UsageError("--height 1: a network of one input needs --spacing log or linear");
    }
    const Coordinates coordinates = coordinates_of(p);
    const Inputs inputs{window.offsets(), [=, count = layers.inputs](std::int64_t offset) {
                            const std::int64_t axes = std::ssize(coordinates.offsets);
                            std::vector<Real> x;
                            for (std::int64_t axis = axes - count; axis < axes; ++axis) {
                                x.push_back(coordinates.of(offset, axis));
                            }
                            return x;
                        }};
    Plan plan = network_plan(
        std::move(p), layers, inputs,
        {.axes = {window_axis(AxisKind::query, window), window_axis(AxisKind::key, window)},
         .queries = window.queries(),
         .keys = window.keys(),
         .offset_of = [=](std::int64_t query,
                          std::int64_t key) { return offset_index(window, query, key); },
         .rows = [=](const Rows& lines) { return by_offset(lines, window); }});
    plan.cell = [=, of_network = std::move(plan.cell)](std::span<const std::int64_t> at) {
        Cell cell = of_network(at);
        cell.note = offset_cell(window, at[1], at[2]).note;
        return cell;
    };
    return plan;
}

Plan plan(Parameters p, std::string_view table) {
    if (table == "bias" && p.has("points")) return point_plan(std::move(p));
    if (table == "coords") return coordinate_plan(std::move(p));
    const Window window{.height = p.integer("height"),
                        .width = p.integer("width"),
                        .depth = p.has("depth") ? p.integer("depth") : 1};
    return table == "bias" ? window_plan(std::move(p), window)
                           : plan_offset_indices(std::move(p), window);
}

constexpr std::array tables{
    TableSpec{.name = "coords",
              .summary = "the coordinates of each offset, (2 height - 1, 2 width - 1, 2), or with "
                         "--depth (2 depth - 1, 2 height - 1, 2 width - 1, 3)",
              .title = "Log-Spaced Coordinates (window {height} \u00d7 {width})",
              .value_label = "Coordinate",
              .idle_parameters =
                  "points heads weights module layers activation negative-slope sigmoid "
                  "units norm last-bias seed rng"},
    TableSpec{.name = "index",
              .summary = "the offset of each pair of tokens, (tokens, tokens), whole numbers",
              .title = "Relative Position Index (window {height} \u00d7 {width})",
              .value_label = "Offset",
              .dtype = DType::int64,
              .idle_parameters =
                  "points heads weights module layers activation negative-slope sigmoid "
                  "units norm last-bias seed rng",
              .promises = "relative"},
    TableSpec{.name = "bias",
              .summary = "the bias of each pair by the network, (heads, tokens, tokens)",
              .title = "Continuous Position Bias (window {height} \u00d7 {width})",
              .value_label = "Bias",
              .is_initial = true,
              .promises = "relative"},
};

constexpr std::array swin_v2_presets{
    PresetSpec{.name = "crossformer",
               .aliases = "dynamic-pos-bias",
               .settings = "--spacing linear --sigmoid 0 --units 6,6,6 --norm --last-bias "
                           "--heads 3 --layers pos_proj,pos1.0,pos1.2,pos2.0,pos2.2,pos3.0,pos3.2",
               .summary = "CrossFormer's DynamicPosBias: offsets as they are, normalized layers",
               .source = "cheerss/CrossFormer, models/crossformer.py, DynamicPosBias",
               .note = "--table bias. Each block has its own: --module layers.0.blocks.0.attn.pos. "
                       "Its network has dim / 16 units. residual is False in all models."},
    PresetSpec{.name = "dynamic-position-bias",
               .aliases = "x-transformers-dynamic",
               .settings = "--height 1 --width 64 --spacing linear --activation silu --sigmoid 0 "
                           "--units 128,128 --last-bias --layers mlp.0.0,mlp.1.0,mlp.2",
               .summary = "x-transformers' DynamicPositionBias: a network of the distance",
               .source = "lucidrains/x-transformers, x_transformers/x_transformers.py, "
                         "DynamicPositionBias",
               .note = "--table bias; --width is the length. With log_distance it has --spacing "
                       "log, with norm --layers mlp.0.0,mlp.0.1,mlp.1.0,mlp.1.1,mlp.2. dim is a "
                       "quarter of the model's."},
    PresetSpec{.name = "lucidrains-cpb",
               .aliases = "phenaki-cpb continuous-position-bias",
               .settings = "--spacing log --negative-slope 0.1 --sigmoid 0 --units 512,512 "
                           "--last-bias --layers net.0.0,net.1.0,net.2",
               .summary = "ContinuousPositionBias of Phenaki and MaskGIT by lucidrains",
               .source = "lucidrains/phenaki-pytorch, phenaki_pytorch/attention.py, "
                         "ContinuousPositionBias",
               .note = "--table bias; of video with --depth."},
};

}  // namespace

/// dy and dx are query - key. P is the extent of --pretrained-window; by default, the window's own
/// h or w. The network is a chain of --layers, of which the linear ones but the first have the
/// activation of what comes before; a network with one input, for a window of one row, reads s(dx)
/// alone, and a drawn network of such a window has one input.
///
/// Tables: coords (2h - 1, 2w - 1, 2), axes (dy, dx, coordinate): dy from -(h - 1) up, dx from
/// -(w - 1) up, y before x; with --depth D (2D - 1, 2h - 1, 2w - 1, 3), t before y; index (tokens,
/// tokens), axes (query, key), integers, the number of the offset in coords, row by row; bias
/// (heads, tokens, tokens), axes (head, query, key). Correctly rounded: where doubles leave the
/// rounding of a bias in doubt, the network is computed anew with 320 bits, which takes some 0.2
/// microseconds for each weight and offset. The weights are read from --weights, or are the weights
/// of torch.nn.Linear layers after torch.manual_seed(seed), bit for bit. Kept in memory: the
/// weights, and the biases of all offsets and heads.
extern constinit const Encoding swin_v2{
    .name = "swin-v2",
    .summary =
        "log-spaced coordinates of the offsets in a window, and the bias by a network of them: "
        "Swin Transformer V2, CrossFormer",
    .formula =
        "coords[dy + h - 1, dx + w - 1] = (s(dy), s(dx)),  s(r) = sign(r) log2(1 + 8 |r| / (P - "
        "1)) "
        "/ 3\n"
        "P: height for dy and width for dx, of --pretrained-window, else h and w\n"
        "--spacing log: s(r) = sign(r) ln(1 + |r|);  --spacing linear: s(r) = r\n"
        "index[q, k] = (dy + h - 1) (2w - 1) + dx + w - 1,  (dy, dx) = q - k\n"
        "--depth D: coords[dt + D - 1, dy + h - 1, dx + w - 1] = (s(dt), s(dy), s(dx)),\n"
        "index[q, k] = ((dt + D - 1) (2h - 1) + dy + h - 1) (2w - 1) + dx + w - 1\n"
        "bias[:, q, k] = 16 / (1 + exp(-network(s(dy), s(dx))));  --sigmoid X: X in place of 16, "
        "0: network(s(dy), s(dx)), network(s(dt), s(dy), s(dx)) with --depth\n"
        "--points: bias[:, q, k] = likewise of s(p[q] - p[k]),  s linear by default",
    .source =
        "Liu et al. 2022, Swin Transformer V2, arXiv:2111.09883, section 3.3; its code, "
        "microsoft/Swin-Transformer, models/swin_transformer_v2.py, cpb_mlp",
    .examples =
        "swin-v2 --height 2 --width 3\n"
        "swin-v2 --height 16 --width 16 --pretrained-window 8 --npy coords.npy\n"
        "swin-v2 --table bias --heads 3 --png bias.png",
    .parameters = parameters,
    .tables = tables,
    .presets = swin_v2_presets,
    .plan = plan};

}  // namespace pegen::encodings
