#include "encodings/parameters/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

#include "core/error.h"
#include "core/number.h"
#include "draws/tensorflow/fill.h"

namespace pegen::encodings {

using Kind = Initializer::Kind;

Generator generator_of(const Parameters& parameters) {
    const std::string& rng = parameters.word("rng");
    if (rng.starts_with("torch")) return code_path(parameters);
    if (rng == "jax") return jax::Counting::elements;
    if (rng == "jax-legacy") return jax::Counting::halves;
    if (rng == "tensorflow") return Stateless{};
    const std::int64_t seed = parameters.integer("seed");
    const bool is_legacy = rng == "numpy-legacy";
    if (seed < 0 || (is_legacy && seed > numpy::largest_legacy_seed)) {
        throw UsageError(fmt::format("--seed {}: NumPy's seeds are {}", seed,
                                     is_legacy ? "from 0 to 2^32 - 1" : "not negative"));
    }
    return is_legacy ? numpy::Generator::legacy : numpy::Generator::modern;
}

void check_draws(const Generator& generator, const Initializer& initializer, std::int64_t count) {
    constexpr std::int64_t most_halves = 0xffffffff;
    const auto* counting = std::get_if<jax::Counting>(&generator);
    if (counting && *counting == jax::Counting::halves && count > most_halves) {
        throw UsageError(fmt::format("--rng jax-legacy: {} values; they end at 2^32 - 1", count));
    }
    const bool is_numpy = std::holds_alternative<numpy::Generator>(generator);
    if (is_numpy &&
        (initializer.kind == Kind::trunc_normal || initializer.kind == Kind::xavier_uniform)) {
        throw UsageError(
            "--rng numpy: NumPy draws normal, uniform and constant values only; use --rng torch");
    }
    if (std::holds_alternative<Stateless>(generator) && initializer.kind == Kind::trunc_normal) {
        const double mean = initializer.numbers[0], std = initializer.numbers[1];
        const std::vector bounds{mean - 2 * std, mean + 2 * std};
        if (!std::ranges::equal(bounds, std::span(initializer.numbers).last(2))) {
            throw UsageError(fmt::format(
                "--rng tensorflow: TensorFlow cuts normals off at two deviations; use "
                "trunc-normal:{},{},{},{}",
                shortest(mean), shortest(std), shortest(bounds[0]), shortest(bounds[1])));
        }
    }
}

std::vector<double> drawn_by_numpy(const Initializer& initializer, numpy::Stream& stream,
                                   std::int64_t count) {
    const std::vector<double>& x = initializer.numbers;
    if (initializer.kind == Kind::constant) return std::vector<double>(count, x[0]);
    std::vector<double> values(count);
    if (initializer.kind == Kind::normal) {
        std::ranges::generate(values, [&] { return x[0] + x[1] * stream.normal(); });
    } else {
        const double width = x[1] - x[0];
        std::ranges::generate(values, [&] { return x[0] + width * stream.unit(); });
    }
    return values;
}

namespace {

TensorFill jax_tensor(const Initializer& initializer, std::int64_t rows, std::int64_t columns,
                      std::int64_t seed, jax::Counting counting) {
    const jax::Draw draw{jax::key_of(seed), rows * columns, counting};
    const std::vector<double>& x = initializer.numbers;
    switch (initializer.kind) {
        case Kind::normal:
            return jax::normal_fill(draw, x[0], x[1]);
        case Kind::uniform:
            return jax::uniform_fill(draw, x[0], x[1]);
        case Kind::trunc_normal:
            return jax::truncated_normal_fill(draw, x[0], x[1], x[2], x[3]);
        case Kind::constant:
            return constant_fill(x[0]);
        case Kind::xavier_uniform:
            break;
    }
    return jax::glorot_uniform_fill(draw, rows, columns);
}

TensorFill tensorflow_tensor(const Initializer& initializer, std::int64_t rows,
                             std::int64_t columns, std::int64_t seed) {
    const tensorflow::Draw draw = tensorflow::draw_of(seed, 0);
    const std::vector<double>& x = initializer.numbers;
    switch (initializer.kind) {
        case Kind::normal:
            return tensorflow::normal_fill(draw, x[0], x[1]);
        case Kind::uniform:
            return tensorflow::uniform_fill(draw, x[0], x[1]);
        case Kind::trunc_normal:
            return tensorflow::truncated_normal_fill(draw, x[0], x[1]);
        case Kind::constant:
            return constant_fill(x[0]);
        case Kind::xavier_uniform:
            break;
    }
    return tensorflow::glorot_uniform_fill(draw, rows, columns);
}

}  // namespace

std::string_view library_without_state(const Generator& generator) {
    if (std::holds_alternative<jax::Counting>(generator)) return "JAX";
    return std::holds_alternative<Stateless>(generator) ? "TensorFlow" : "";
}

TensorFill stateless_tensor(const Initializer& initializer, std::int64_t rows, std::int64_t columns,
                            std::int64_t seed, const Generator& generator) {
    const auto* counting = std::get_if<jax::Counting>(&generator);
    return counting ? jax_tensor(initializer, rows, columns, seed, *counting)
                    : tensorflow_tensor(initializer, rows, columns, seed);
}

}  // namespace pegen::encodings
