#include "encodings/parameters/initializer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string>

#include "core/error.h"
#include "core/expression.h"
#include "core/names.h"
#include "core/number.h"
#include "core/shape.h"
#include "draws/tensorflow/fill.h"

namespace pegen::encodings {
namespace {

using Kind = Initializer::Kind;

struct KindInfo {
    std::string_view name;
    Kind kind;
    std::string_view numbers;  ///< as messages show the form
    std::size_t count;
};

constexpr std::array kinds{KindInfo{"normal", Kind::normal, ":MEAN,STD", 2},
                           KindInfo{"uniform", Kind::uniform, ":LOW,HIGH", 2},
                           KindInfo{"trunc-normal", Kind::trunc_normal, ":MEAN,STD,LOW,HIGH", 4},
                           KindInfo{"constant", Kind::constant, ":X", 1},
                           KindInfo{"xavier-uniform", Kind::xavier_uniform, "", 0}};

const KindInfo& find_kind(std::string_view text, std::string_view option) {
    const std::string name = hyphenated(text.substr(0, text.find(':')));
    const auto found = std::ranges::find(kinds, name, &KindInfo::name);
    if (found == kinds.end()) {
        std::vector<std::string_view> names;
        names.reserve(kinds.size());
        for (const KindInfo& kind : kinds) names.push_back(kind.name);
        refuse(option, text,
               fmt::format("must begin with one of {}{}", joined(names, ", "),
                           did_you_mean(name, names)));
    }
    return *found;
}

[[noreturn]] void refuse_form(std::string_view text, const KindInfo& kind,
                              std::string_view option) {
    refuse(option, text, fmt::format("must have the form {}{}", kind.name, kind.numbers));
}

/// Reads the numbers after the colon of --init.
std::vector<double> parse_numbers(std::string_view text, const KindInfo& kind, std::int64_t d,
                                  std::string_view option) {
    const auto number_of = [d](std::string_view name) {
        return name == "d" ? std::optional(static_cast<double>(d)) : std::nullopt;
    };
    const std::string what = fmt::format("--{}", option);
    std::vector<double> numbers;
    const std::size_t colon = text.find(':');
    if (colon != std::string_view::npos) {
        for (const std::string_view number : fields_outside(text.substr(colon + 1), ',')) {
            if (number.empty()) refuse_form(text, kind, option);
            numbers.push_back(is_expression(number) ? evaluate(number, what, number_of)
                                                    : parse_real(number, what));
        }
    }
    if (numbers.size() != kind.count) refuse_form(text, kind, option);
    return numbers;
}

/// Checks the numbers. Throws: UsageError for numbers that PyTorch refuses or turns into NaN.
void check_numbers(const Initializer& initializer, std::string_view text, std::string_view option) {
    constexpr double most = 1e37;
    const std::vector<double>& x = initializer.numbers;
    for (const double number : x) {
        if (std::fabs(number) > most) refuse(option, text, "numbers end at 1e37");
    }
    const bool is_truncated = initializer.kind == Kind::trunc_normal;
    if (initializer.kind == Kind::normal && x[1] < 0)
        refuse(option, text, "STD must be at least 0");
    if (is_truncated && !(x[1] > 0)) refuse(option, text, "STD must be greater than 0");
    const bool has_ends = is_truncated || initializer.kind == Kind::uniform;
    if (has_ends && x[x.size() - 2] > x.back())
        refuse(option, text, "LOW must not be greater than HIGH");
}

/// Returns the upper end of the interval of xavier_uniform_ with gain 1.
double xavier_bound(std::int64_t len, std::int64_t d) {
    return std::sqrt(3.0) * std::sqrt(2.0 / (static_cast<double>(len) + static_cast<double>(d)));
}

/// What was drawn before a tensor. A tensor of normals uses `normal_fills`, any other `draws`.
struct DrawnBefore {
    std::int64_t normal_fills;
    std::int64_t draws;
};

TensorFill tensor_after(const Initializer& initializer, const Shape& shape, std::int64_t seed,
                        DrawnBefore before, torch::CodePath path) {
    auto draws = std::make_shared<torch::Draws>(seed);
    const std::vector<double>& x = initializer.numbers;
    switch (initializer.kind) {
        case Kind::normal:
            return torch::normal_fill(std::move(draws), before.normal_fills, shape.size(), x[0],
                                      x[1], path);
        case Kind::uniform:
            return torch::uniform_fill(std::move(draws), before.draws, x[0], x[1], path);
        case Kind::trunc_normal:
            return torch::truncated_normal_fill(std::move(draws), before.draws, x[0], x[1], x[2],
                                                x[3], path);
        case Kind::constant:
            return constant_fill(x[0]);
        case Kind::xavier_uniform:
            break;
    }
    const double bound = xavier_bound(shape[0], shape[1]);
    return torch::uniform_fill(std::move(draws), before.draws, -bound, bound, path);
}

}  // namespace

Initializer parse_initializer(std::string_view text, std::int64_t d, std::string_view option) {
    const KindInfo& kind = find_kind(text, option);
    Initializer initializer{kind.kind, parse_numbers(text, kind, d, option)};
    check_numbers(initializer, text, option);
    return initializer;
}

TensorFill constant_fill(double value) {
    return [=](std::int64_t, std::int64_t count, const TakeFloats& take) {
        std::array<float, floats_at_once> values;
        values.fill(static_cast<float>(value));
        for (std::int64_t left = count; left > 0; left -= std::ssize(values)) {
            take(std::span(values).first(
                static_cast<std::size_t>(std::min<std::int64_t>(left, std::ssize(values)))));
        }
    };
}

double largest_value(const Initializer& initializer) {
    const std::vector<double>& x = initializer.numbers;
    if (initializer.kind == Kind::xavier_uniform) return std::sqrt(3.0);
    // A normal number from 53 random bits has at most the magnitude sqrt(2 log 2^53) = 8.6.
    if (initializer.kind == Kind::normal) return std::fabs(x[0]) + 9 * x[1];
    return std::max(std::fabs(x.back()), std::fabs(x[x.size() == 1 ? 0 : x.size() - 2]));
}

torch::CodePath code_path(const Parameters& parameters) {
    return parameters.word("rng") == "torch" ? torch::CodePath::vectors : torch::CodePath::scalar;
}

TensorFill initialized_tensor(const Initializer& initializer, std::int64_t len, std::int64_t d,
                              std::int64_t seed, std::int64_t burn, torch::CodePath path) {
    return tensor_after(initializer, {len, d}, seed,
                        {burn, torch::draws_of_normal_fills(burn, len * d)}, path);
}

TensorFill later_tensor(const Initializer& initializer, std::int64_t len, std::int64_t d,
                        std::int64_t seed, std::int64_t before, torch::CodePath path) {
    return tensor_after(initializer, {len, d}, seed, {before, before * len * d}, path);
}

TensorFill tensor_from_draw(const Initializer& initializer, std::int64_t rows, std::int64_t columns,
                            std::int64_t seed, std::int64_t first_draw, torch::CodePath path) {
    if (initializer.kind != Kind::normal) {
        return tensor_after(initializer, {rows, columns}, seed, {0, first_draw}, path);
    }
    return torch::normal_fill_from(std::make_shared<torch::Draws>(seed), first_draw, rows * columns,
                                   initializer.numbers[0], initializer.numbers[1], path);
}

std::int64_t draws_of(const Initializer& initializer, std::int64_t rows, std::int64_t columns) {
    if (initializer.kind == Kind::constant) return 0;
    if (initializer.kind == Kind::normal) return torch::draws_of_normal_fills(1, rows * columns);
    return rows * columns;
}

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
