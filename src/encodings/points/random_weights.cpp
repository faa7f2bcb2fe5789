#include "encodings/points/random_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/number.h"
#include "core/to_size.h"
#include "files/array_file.h"
#include "numerics/float32_angles.h"

namespace pegen::encodings {
namespace {

constexpr std::int64_t fewest_of_a_block = 16;

Shape matrix_shape(const RandomWeights& weights) {
    return weights.is_axis_first ? Shape{weights.axes, weights.frequencies}
                                 : Shape{weights.frequencies, weights.axes};
}

ArrayFile open_floats(std::string_view path, std::string_view what) {
    ArrayFile file{std::string(path), read_array(path)};
    if (is_floating(file.table.dtype)) return file;
    throw FormatError(
        path, fmt::format("dtype {}: {} must be floats", info(file.table.dtype).name, what));
}

/// Opens the matrix, and lets it say how many frequencies there are if nobody else did.
ArrayFile open_matrix(std::string_view path, RandomWeights& weights) {
    ArrayFile file = open_floats(path, "weights");
    const Shape& shape = file.table.shape;
    // One axis needs no second one in the file.
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
    ArrayFile file = open_floats(path, "phases");
    if (file.table.shape.size() == weights.frequencies) return file;
    throw FormatError(path, fmt::format("shape {}: needs a phase for each of the {} frequencies",
                                        to_string(file.table.shape), weights.frequencies));
}

std::vector<double> numbers_in(const ArrayFile& file) {
    std::vector<double> numbers = read_rows(file.table, {0, file.table.shape.rows()});
    for (const double number : numbers) {
        if (!std::isfinite(number)) {
            throw FormatError(file.path,
                              fmt::format("{}: numbers must be finite", shortest(number)));
        }
    }
    return numbers;
}

std::vector<double> drawn(const TensorFill& fill, std::int64_t count) {
    std::vector<double> numbers;
    fill(0, count, [&](std::span<const float> values) {
        numbers.insert(numbers.end(), values.begin(), values.end());
    });
    return numbers;
}

std::vector<double> rounded_to_float32(std::vector<double> numbers) {
    for (double& number : numbers) number = static_cast<float>(number);
    return numbers;
}

/// The matrix and the phases that NumPy draws, one after the other.
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
    return drawn(!library_without_state(weights.generator).empty()
                     ? stateless_tensor(weights.initializer, shape[0], shape[1], weights.seed,
                                        weights.generator)
                     : tensor_from_draw(weights.initializer, shape[0], shape[1], weights.seed,
                                        weights.skip, std::get<torch::CodePath>(weights.generator)),
                 shape.size());
}

/// Makes the length r of a vector of two normals exp(-r^2 / 4), in float32, as StyleGAN3 does: its
/// square is then uniform.
void shorten(double& x, double& y) {
    const auto a = static_cast<float>(x), b = static_cast<float>(y);
    const float length = std::sqrt(a * a + b * b);
    const float divisor =
        length * numerics::float32_pow(numerics::float32_exp(length * length), 0.25F);
    x = a / divisor;
    y = b / divisor;
}

std::vector<double> matrix_of(const RandomWeights& weights, const Shape& shape) {
    if (weights.matrix) return numbers_in(*weights.matrix);
    std::vector<double> matrix = drawn_matrix(weights, shape);
    const std::size_t frequencies = to_size(weights.frequencies);
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

/// Half of a pair of normals would be left for the phases, as PyTorch's generator keeps it.
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

}  // namespace

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

std::vector<std::vector<double>> weights_of(const RandomWeights& weights) {
    const Shape shape = matrix_shape(weights);
    const std::vector<double> matrix = matrix_of(weights, shape);
    std::vector of_axes(to_size(weights.axes), std::vector<double>(to_size(weights.frequencies)));
    const std::size_t axes = of_axes.size(), frequencies = of_axes.front().size();
    for (std::size_t a = 0; a < axes; ++a) {
        for (std::size_t k = 0; k < frequencies; ++k) {
            of_axes[a][k] = matrix[weights.is_axis_first ? a * frequencies + k : k * axes + a];
        }
    }
    return of_axes;
}

std::vector<double> phases_of(const RandomWeights& weights) {
    if (weights.phase_list) return numbers_in(*weights.phase_list);
    if (!weights.phase_initializer) return std::vector<double>(to_size(weights.frequencies));
    if (const auto* numpy = std::get_if<numpy::Generator>(&weights.generator)) {
        return drawn_by_numpy(weights, *numpy).phases;
    }
    const Shape shape = matrix_shape(weights);
    const std::int64_t before =
        weights.skip + (weights.matrix ? 0 : draws_of(weights.initializer, shape[0], shape[1]));
    return drawn(tensor_from_draw(*weights.phase_initializer, 1, weights.frequencies, weights.seed,
                                  before, std::get<torch::CodePath>(weights.generator)),
                 weights.frequencies);
}

}  // namespace pegen::encodings
