#include "encodings/parameters/drawn_tensor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "core/parallel.h"
#include "core/to_size.h"
#include "encodings/parameters/fitted_initializer.h"
#include "encodings/parameters/initializer.h"
#include "torch/seed_search.h"

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

/// Sixteen known elements that PyTorch makes of sixteen draws that follow each other.
struct Block {
    std::array<double, window> values;
    std::int64_t first_draw_of_normals;
    std::int64_t first_draw_of_uniforms;
};

bool is_known(const DrawnTensor& tensor, std::int64_t first) {
    for (std::int64_t i = first; i < first + window; ++i) {
        if (!std::isfinite(element(tensor, i))) return false;
    }
    return true;
}

std::optional<Block> find_block(const DrawnTensor& tensor) {
    const std::int64_t size = size_of(tensor);
    const std::int64_t before_normals = torch::draws_of_normal_fills(tensor.before, size);
    const std::int64_t before_uniforms = tensor.is_later ? tensor.before * size : before_normals;
    const auto block_at = [&](std::int64_t first, std::int64_t normal_draw) {
        Block block{{}, before_normals + normal_draw, before_uniforms + first};
        for (std::int64_t i = 0; i < window; ++i) {
            block.values[to_size(i)] = element(tensor, first + i);
        }
        return block;
    };
    // The last elements of a tensor whose size is no multiple of 16 are drawn again, all 16.
    const std::int64_t blocks_end = size % window == 0 ? size : size - window;
    const std::int64_t end = std::min(blocks_end, tensor.first + std::ssize(tensor.values));
    const std::int64_t start = (tensor.first + window - 1) / window * window;
    for (std::int64_t first = start; first + window <= end; first += window) {
        if (is_known(tensor, first)) return block_at(first, first);
    }
    if (!is_known(tensor, size - window)) return std::nullopt;
    return block_at(size - window, size % window == 0 ? size - window : size);
}

/// True if the block is affine in the normals that PyTorch makes of these draws.
bool is_affine_in_normals(const Block& block, std::span<const float> units) {
    std::array<double, window> normals;
    constexpr std::size_t half = window / 2;
    for (std::size_t j = 0; j < half; ++j) {
        const double radius = std::sqrt(-2 * std::log1p(-static_cast<double>(units[j])));
        const double angle = 2 * std::numbers::pi * static_cast<double>(units[j + half]);
        normals[j] = radius * std::cos(angle);
        normals[j + half] = radius * std::sin(angle);
    }
    const auto mean = [](const auto& x) { return std::reduce(x.begin(), x.end()) / window; };
    const double mean_n = mean(normals), mean_v = mean(block.values);
    double nn = 0, vv = 0, nv = 0;
    for (std::size_t j = 0; j < to_size(window); ++j) {
        const double n = normals[j] - mean_n, v = block.values[j] - mean_v;
        nn += n * n;
        vv += v * v;
        nv += n * v;
    }
    return nv > 0 && nv * nv > 0.98 * nn * vv;
}

/// True if the values of the block are in the order of the draws.
class RisesWith {
  public:
    explicit RisesWith(const Block& block) : values_(block.values) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::ranges::sort(order_, {}, [&](std::size_t i) { return values_[i]; });
    }

    bool operator()(std::span<const float> units) const {
        constexpr float slack = 0x1p-12F;
        for (std::size_t i = 0; i + 1 < order_.size(); ++i) {
            const std::size_t a = order_[i], b = order_[i + 1];
            if (values_[a] < values_[b] && units[a] > units[b] + slack) return false;
        }
        return true;
    }

  private:
    std::array<double, window> values_;
    std::array<std::size_t, window> order_{};
};

std::vector<std::int64_t> likely_seeds(const Block& block) {
    if (std::ranges::max(block.values) == std::ranges::min(block.values)) return {};
    std::vector<std::int64_t> first_draws{block.first_draw_of_normals};
    if (block.first_draw_of_uniforms != block.first_draw_of_normals) {
        first_draws.push_back(block.first_draw_of_uniforms);
    }
    const RisesWith rises(block);
    return torch::seeds_with(torch::usual_seeds(), first_draws, [&](std::span<const float> units) {
        return is_affine_in_normals(block, units.first(to_size(window))) ||
               rises(units.last(to_size(window)));
    });
}

torch::TensorFill tensor_by(const DrawnTensor& tensor, const Initializer& initializer,
                            std::int64_t seed, torch::CodePath path) {
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
            const auto made = drawn(parse_initializer(init, tensor.columns));
            const Agreement agreement = agreement_of(tensor, known, made);
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
std::vector<std::int64_t> seeds_of_few(const DrawnTensor& tensor) {
    const std::span<const std::int64_t> seeds = torch::usual_seeds();
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

std::vector<DrawnBy> drawn_by(const DrawnTensor& tensor) {
    constexpr std::ptrdiff_t fewest = 6;
    const auto is_finite = [](double x) { return std::isfinite(x); };
    if (std::ranges::count_if(tensor.values, is_finite) < fewest) return {};
    std::vector<std::int64_t> seeds;
    if (size_of(tensor) < window) {
        seeds = seeds_of_few(tensor);
    } else if (const std::optional<Block> block = find_block(tensor)) {
        seeds = likely_seeds(*block);
    }
    for (const std::int64_t seed : seeds) {
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
