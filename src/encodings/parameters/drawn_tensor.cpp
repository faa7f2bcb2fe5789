#include "encodings/parameters/drawn_tensor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>
#include <set>

#include "core/error.h"
#include "core/parallel.h"
#include "core/to_size.h"
#include "encodings/parameters/fitted_initializer.h"
#include "encodings/parameters/initializer.h"
#include "evidence/distribution.h"

namespace pegen::encodings {
namespace {

using Kind = Initializer::Kind;
using torch::window_size;

constexpr std::int64_t window = window_size;

std::int64_t size_of(const DrawnTensor& tensor) { return tensor.rows * tensor.columns; }

double element(const DrawnTensor& tensor, std::int64_t i) {
    const std::int64_t place = i - tensor.first;
    const bool is_there = place >= 0 && place < std::ssize(tensor.values);
    return is_there ? tensor.values[to_size(place)] : std::nan("");
}

/// Sixteen elements that PyTorch makes of sixteen draws that follow each other; NaN for those that
/// are not known.
struct Block {
    std::array<double, window> values;
    std::int64_t first_draw_of_normals;
    std::int64_t first_draw_of_uniforms;
};

/// How many elements are known at least, of a tensor and of its block.
constexpr std::ptrdiff_t fewest_known = 6;

bool is_known(double value) { return std::isfinite(value); }

/// Returns the first block of which all elements are known or, if there is none, that of which most
/// are.
std::optional<Block> find_block(const DrawnTensor& tensor) {
    const std::int64_t size = size_of(tensor);
    const std::int64_t before_normals = torch::draws_of_normal_fills(tensor.before, size);
    const std::int64_t before_uniforms = tensor.is_later ? tensor.before * size : before_normals;
    std::optional<Block> best;
    std::ptrdiff_t most_known = fewest_known - 1;
    const auto try_block = [&](std::int64_t first, std::int64_t normal_draw) {
        Block block{{}, before_normals + normal_draw, before_uniforms + first};
        for (std::int64_t i = 0; i < window; ++i) {
            block.values[to_size(i)] = element(tensor, first + i);
        }
        const std::ptrdiff_t known = std::ranges::count_if(block.values, is_known);
        if (known <= most_known) return;
        most_known = known;
        best = block;
    };
    // The last elements of a tensor whose size is no multiple of 16 are drawn again, all 16.
    const std::int64_t blocks_end = size % window == 0 ? size : size - window;
    const std::int64_t values_end = tensor.first + std::ssize(tensor.values);
    std::int64_t first = tensor.first / window * window;
    for (; first < values_end && first + window <= blocks_end && most_known < window;
         first += window) {
        try_block(first, first);
    }
    if (most_known < window) {
        try_block(size - window, size % window == 0 ? size - window : size);
    }
    return best;
}

/// Whether values are affine in other ones, more and more of both.
class AffineTest {
  public:
    void add(double x, double v) {
        count_ += 1;
        const double dx = x - mean_x_, dv = v - mean_v_;
        mean_x_ += dx / count_;
        mean_v_ += dv / count_;
        xx_ += dx * (x - mean_x_);
        vv_ += dv * (v - mean_v_);
        xv_ += dx * (v - mean_v_);
    }

    /// True if the correlation is 0.99 at least, or if there are too few points to tell.
    bool holds() const {
        constexpr double fewest = 3;
        return count_ < fewest || (xv_ > 0 && xv_ * xv_ > 0.98 * xx_ * vv_);
    }

  private:
    double count_ = 0, mean_x_ = 0, mean_v_ = 0, xx_ = 0, vv_ = 0, xv_ = 0;
};

/// True if the block is affine in the normals that PyTorch makes of these draws. Each pair of draws
/// makes two.
bool is_affine_in_normals(const Block& block, const torch::SeedDraws& draws) {
    AffineTest test;
    constexpr std::int64_t half = window / 2;
    for (std::int64_t j = 0; j < half; ++j) {
        const double radius = std::sqrt(-2 * std::log1p(-draws.unit(0, j)));
        const double angle = 2 * std::numbers::pi * draws.unit(0, j + half);
        const double first = block.values[to_size(j)], second = block.values[to_size(j + half)];
        if (is_known(first)) test.add(radius * std::cos(angle), first);
        if (is_known(second)) test.add(radius * std::sin(angle), second);
        if (!test.holds()) return false;
    }
    return true;
}

/// True if the known values of the block are in the order of the draws.
bool rises_with(const Block& block, const torch::SeedDraws& draws, std::size_t window_index) {
    std::array<double, window> units{};
    for (std::int64_t k = 0; k < window; ++k) {
        units[to_size(k)] = draws.unit(window_index, k);
        for (std::int64_t i = 0; i < k; ++i) {
            constexpr double slack = 0x1p-12;
            const double value = block.values[to_size(k)] - block.values[to_size(i)];
            const double unit = units[to_size(k)] - units[to_size(i)];
            if ((value > 0 && unit < -slack) || (value < 0 && unit > slack)) return false;
        }
    }
    return true;
}

std::vector<std::int64_t> likely_seeds(const Block& block, std::span<const std::int64_t> seeds) {
    // Equal values are in the order of any draws.
    std::set<double> different;
    std::ranges::copy_if(block.values, std::inserter(different, different.end()), is_known);
    if (std::ssize(different) < fewest_known) return {};
    std::vector<std::int64_t> first_draws{block.first_draw_of_normals};
    if (block.first_draw_of_uniforms != block.first_draw_of_normals) {
        first_draws.push_back(block.first_draw_of_uniforms);
    }
    return torch::seeds_with(seeds, first_draws, [&](const torch::SeedDraws& draws) {
        return is_affine_in_normals(block, draws) ||
               rises_with(block, draws, first_draws.size() - 1);
    });
}

TensorFill tensor_by(const DrawnTensor& tensor, const Initializer& initializer, std::int64_t seed,
                     torch::CodePath path) {
    const auto make = tensor.is_later ? later_tensor : initialized_tensor;
    return make(initializer, tensor.rows, tensor.columns, seed, tensor.before, path);
}

/// Returns as many elements as `known` has, from the first on.
std::vector<double> elements_by(const DrawnTensor& tensor, std::span<const double> known,
                                const Initializer& initializer, std::int64_t seed,
                                torch::CodePath path) {
    std::vector<double> elements;
    tensor_by(tensor, initializer, seed, path)(
        tensor.first, std::ssize(known), [&](std::span<const float> values) {
            elements.insert(elements.end(), values.begin(), values.end());
        });
    return elements;
}

/// Returns the initializer; nothing for numbers that PyTorch refuses, which a fit may come to.
std::optional<Initializer> parse_fitted(const std::string& text, std::int64_t columns) {
    try {
        return parse_initializer(text, columns);
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

/// How well values made again agree with those known.
struct Agreement {
    bool is_close = true;  ///< all are within one unit in the last place
    std::int64_t equal = 0;
};

Agreement agreement_of(const DrawnTensor& tensor, std::span<const double> known,
                       std::span<const double> made) {
    Agreement agreement;
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (std::isnan(known[i])) continue;
        const double difference = std::fabs(made[i] - known[i]);
        if (difference > 1.01 * unit_of(known[i], tensor.precision) + tensor.noise) {
            return {.is_close = false};
        }
        agreement.equal += difference == 0 ? 1 : 0;
    }
    return agreement;
}

struct Found {
    DrawnBy drawn;
    std::int64_t equal;
};

/// Returns the cheapest initializer that makes the tensor with this seed.
std::optional<Found> fitted(const DrawnTensor& tensor, std::int64_t seed, torch::CodePath path) {
    constexpr std::size_t enough = 2048;
    const auto known = std::span(tensor.values).first(std::min(enough, tensor.values.size()));
    const auto drawn = [&](const Initializer& initializer) {
        return elements_by(tensor, known, initializer, seed, path);
    };
    const FitContext context{.rows = tensor.rows,
                             .columns = tensor.columns,
                             .precision = tensor.precision,
                             .noise = tensor.noise};
    const auto try_all = [&](const std::vector<std::string>& inits) -> std::optional<Found> {
        for (const std::string& init : inits) {
            const std::optional<Initializer> initializer = parse_fitted(init, tensor.columns);
            if (!initializer) continue;
            const Agreement agreement = agreement_of(tensor, known, drawn(*initializer));
            if (!agreement.is_close) continue;
            const bool is_scalar = path == torch::CodePath::scalar;
            return Found{{init, seed, is_scalar ? "torch-scalar" : "torch"}, agreement.equal};
        }
        return std::nullopt;
    };
    const auto normal = fitted_normals(known, drawn({Kind::normal, {0, 1}}), context);
    if (!normal.empty()) return try_all(normal);
    const std::vector<double> units = drawn({Kind::uniform, {0, 1}});
    const auto uniform = fitted_uniforms(known, units, context);
    if (!uniform.empty()) return try_all(uniform);
    return try_all(fitted_truncated_normals(known, units, context));
}

std::vector<DrawnBy> drawn_after(const DrawnTensor& tensor, std::int64_t seed) {
    const auto vectors = fitted(tensor, seed, torch::CodePath::vectors);
    const auto scalar = fitted(tensor, seed, torch::CodePath::scalar);
    if (!vectors && !scalar) return {};
    if (!scalar || (vectors && vectors->equal >= scalar->equal)) return {vectors->drawn};
    return {scalar->drawn};
}

/// A tensor of less than 16 elements is drawn whole for every seed.
std::vector<std::int64_t> seeds_of_few(const DrawnTensor& tensor,
                                       std::span<const std::int64_t> seeds) {
    std::vector<char> passes(seeds.size());
    const FitContext context{.rows = tensor.rows,
                             .columns = tensor.columns,
                             .precision = tensor.precision,
                             .noise = tensor.noise};
    constexpr std::int64_t part = 64;
    const std::int64_t count = std::ssize(seeds);
    parallel_for((count + part - 1) / part, [&](std::int64_t item) {
        for (std::int64_t i = item * part; i < std::min(count, (item + 1) * part); ++i) {
            const auto drawn = [&](Kind kind) {
                return elements_by(tensor, tensor.values, {kind, {0, 1}}, seeds[to_size(i)],
                                   torch::CodePath::vectors);
            };
            passes[to_size(i)] = is_affine(tensor.values, drawn(Kind::normal), context) ||
                                 is_rising(tensor.values, drawn(Kind::uniform));
        }
    });
    std::vector<std::int64_t> found;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        if (passes[i]) found.push_back(seeds[i]);
    }
    return found;
}

}  // namespace

std::vector<DrawnBy> drawn_by(const DrawnTensor& tensor, std::span<const std::int64_t> usual) {
    // The numbers of float32 have no more digits.
    constexpr int most_digits = 24;
    if (tensor.precision.digits > most_digits) return {};
    const auto seeds = tensor.noise > 0 ? torch::popular_seeds() : usual;
    if (std::ranges::count_if(tensor.values, is_known) < fewest_known ||
        !evidence::may_be_draws(tensor.values, tensor.columns, tensor.precision)) {
        return {};
    }
    std::vector<std::int64_t> likely;
    if (size_of(tensor) < window) {
        likely = seeds_of_few(tensor, seeds);
    } else if (const std::optional<Block> block = find_block(tensor)) {
        likely = likely_seeds(*block, seeds);
    }
    for (const std::int64_t seed : likely) {
        std::vector<DrawnBy> found = drawn_after(tensor, seed);
        if (!found.empty()) return found;
    }
    return {};
}

std::vector<evidence::Setting> settings_of(const DrawnBy& drawn, std::string_view default_init) {
    std::vector<evidence::Setting> settings;
    if (drawn.init != default_init) settings.push_back({"init", drawn.init});
    if (drawn.seed != 0) settings.push_back({"seed", std::to_string(drawn.seed)});
    if (drawn.rng != "torch") settings.push_back({"rng", std::string(drawn.rng)});
    return settings;
}

}  // namespace pegen::encodings
