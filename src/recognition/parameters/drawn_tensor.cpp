#include "recognition/parameters/drawn_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numbers>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "draws/torch/fill.h"
#include "encodings/parameters/initializer.h"
#include "numerics/remembered.h"
#include "numerics/rounding.h"
#include "recognition/evidence/distribution.h"
#include "recognition/evidence/precision.h"
#include "recognition/evidence/simple_number.h"

namespace pegen::recognition {
namespace {

using evidence::window_size;

using Kind = encodings::Initializer::Kind;

// Fits of an initializer to values and the draws they were made from: normal draws of mean 0 and
// standard deviation 1, or units, uniform draws in [0, 1). Unknown values are NaN. The fits return
// texts for --init, cheapest first; only a comparison with the values decides which text is right,
// if any.

/// The tensor that the values belong to.
struct FitContext {
    std::int64_t rows;
    std::int64_t columns;
    evidence::Precision precision;  ///< of the values
    double noise;                   ///< of the values, beyond their rounding
};

double density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }

double below(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

/// Returns the number below which a standard normal variable lies with this probability; NaN if the
/// probability is NaN, as it may be for huge values.
double quantile(double probability) {
    if (std::isnan(probability)) return probability;
    constexpr double least = 0x1p-26;
    const double p = std::clamp(probability, least, 1 - least);
    double z =
        std::numbers::sqrt2 * static_cast<double>(torch::erfinv(
                                  static_cast<float>(std::clamp(2 * p - 1, -0.999999, 0.999999)),
                                  torch::CodePath::vectors));
    for (int step = 0; step < 3; ++step) z -= (below(z) - p) / density(z);
    return z;
}

/// A number of an initializer as a user may have typed it.
struct CandidateNumber {
    std::string text;
    double bits;
};

constexpr std::size_t most_texts = 64;

/// Returns the texts that a measured number of --init may have, for rows of `d` channels: simple
/// numbers, 1/sqrt(d), and the nearest float32 numbers.
std::vector<CandidateNumber> candidate_numbers(const Measured& number, std::int64_t d) {
    std::vector<CandidateNumber> candidates;
    for (const SimpleNumber& simple : evidence::simple_numbers(number, 5)) {
        candidates.push_back({simple.text, simple.bits});
    }
    const double of_channels = 1 / std::sqrt(static_cast<double>(d));
    if (std::fabs(number.value - of_channels) <= number.error) {
        candidates.push_back({"1/sqrt(d)", 4});
    }
    // Whatever formula it came from, the code drew with some float32 number.
    constexpr double bits_of_float = 32;
    const auto nearest = static_cast<float>(number.value);
    for (const float neighbour :
         {nearest, std::nextafterf(nearest, -1e30F), std::nextafterf(nearest, 1e30F)}) {
        if (std::fabs(static_cast<double>(neighbour) - number.value) <= number.error) {
            candidates.push_back({fmt::format("{}", neighbour), bits_of_float});
        }
    }
    std::ranges::stable_sort(candidates, {}, &CandidateNumber::bits);
    return candidates;
}

/// Returns the texts "prefixA,B,C" for the cheapest choices of one number from each list.
std::vector<std::string> cheapest_texts(std::string_view prefix,
                                        const std::vector<std::vector<CandidateNumber>>& numbers) {
    std::vector<CandidateNumber> texts{{std::string(prefix), 0}};
    for (const std::vector<CandidateNumber>& choices : numbers) {
        std::vector<CandidateNumber> longer;
        for (const CandidateNumber& text : texts) {
            for (const CandidateNumber& choice : choices) {
                const char* const comma = text.text.ends_with(':') ? "" : ",";
                longer.push_back({text.text + comma + choice.text, text.bits + choice.bits});
            }
        }
        std::ranges::stable_sort(longer, {}, &CandidateNumber::bits);
        if (longer.size() > most_texts) longer.resize(most_texts);
        texts = std::move(longer);
    }
    std::vector<std::string> result;
    for (CandidateNumber& text : texts) result.push_back(std::move(text.text));
    return result;
}

/// The line values = shift + factor * draws.
struct Line {
    Measured shift;
    Measured factor;
};

/// Returns how far the value may be from its line, apart from the errors of the line.
double allowed_rest(double value, const FitContext& context) {
    return 3 * unit_of(value, context.precision);
}

/// Returns the least-squares line; none if the values are not on a rising line.
std::optional<Line> fit_line_of_all(std::span<const double> values, std::span<const double> draws,
                                    const FitContext& context) {
    double count = 0, mean_v = 0, mean_x = 0, xx = 0, xv = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) continue;
        count += 1;
        const double v = values[i] - mean_v, x = draws[i] - mean_x;
        mean_v += v / count;
        mean_x += x / count;
        xx += x * (draws[i] - mean_x);
        xv += x * (values[i] - mean_v);
    }
    if (count < 3 || !(xx > 0) || !(xv > 0)) return std::nullopt;
    const double factor = xv / xx, shift = mean_v - factor * mean_x;
    double largest = 0;
    for (const double value : values) {
        if (!std::isnan(value)) largest = std::max(largest, unit_of(value, context.precision));
    }
    // The error of the line, due to the rounding of the values, is included.
    const double slack = context.noise + 0x1p-22 * std::fabs(shift) + 0x1p-21 * factor +
                         6 * largest / std::sqrt(count);
    double squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) continue;
        const double rest = std::fabs(values[i] - shift - factor * draws[i]);
        if (rest > allowed_rest(values[i], context) + slack) return std::nullopt;
        squares += rest * rest;
    }
    // The error is six standard errors plus the rounding of PyTorch's parameters to float32.
    const double error = 6 * std::max(std::sqrt(squares / count), largest / 8) / std::sqrt(count);
    const double deviation = std::sqrt(xx / count);
    return Line{{shift, error * (1 + std::fabs(mean_x) / deviation) + 0x1p-23 * std::fabs(shift)},
                {factor, error / deviation + 0x1p-23 * factor}};
}

/// The share of a tensor's values that may be spoiled: one in so many.
constexpr std::int64_t one_in = 8;

/// Returns the least-squares line without some values that are spoiled; none if most of the values
/// are not on a rising line.
std::optional<Line> fit_line(std::span<const double> values, std::span<const double> draws,
                             const FitContext& context) {
    if (const auto line = fit_line_of_all(values, draws, context)) return line;
    constexpr std::size_t length = window_size;  // some parts have no spoiled value
    for (std::size_t first = 0; first + length <= values.size(); first += length) {
        const auto line =
            fit_line_of_all(values.subspan(first, length), draws.subspan(first, length), context);
        if (!line) continue;
        std::vector<double> kept(values.begin(), values.end());
        std::int64_t spoiled = 0;
        for (std::size_t i = 0; i < kept.size(); ++i) {
            const double rest = kept[i] - line->shift.value - line->factor.value * draws[i];
            const double slack =
                line->shift.error + line->factor.error * std::fabs(draws[i]) + context.noise;
            if (!(std::fabs(rest) > allowed_rest(kept[i], context) + slack)) continue;
            kept[i] = std::nan("");
            ++spoiled;
        }
        if (one_in * spoiled <= std::ssize(kept)) return fit_line_of_all(kept, draws, context);
    }
    return std::nullopt;
}

/// Returns texts "normal:MEAN,STD"; none if the values are not an affine function of the normals.
std::vector<std::string> fitted_normals(std::span<const double> values,
                                        std::span<const double> normals,
                                        const FitContext& context) {
    const std::optional<Line> line = fit_line(values, normals, context);
    if (!line) return {};
    return cheapest_texts("normal:", {candidate_numbers(line->shift, context.columns),
                                      candidate_numbers(line->factor, context.columns)});
}

/// Returns texts "uniform:LOW,HIGH", and "xavier-uniform" if its bounds agree; none if the values
/// are not an affine function of the units.
std::vector<std::string> fitted_uniforms(std::span<const double> values,
                                         std::span<const double> units, const FitContext& context) {
    const std::optional<Line> line = fit_line(values, units, context);
    if (!line) return {};
    const Measured low = line->shift;
    const Measured high{low.value + line->factor.value, low.error + line->factor.error};
    std::vector<std::string> texts = cheapest_texts(
        "uniform:",
        {candidate_numbers(low, context.columns), candidate_numbers(high, context.columns)});
    const double bound = std::sqrt(6 / static_cast<double>(context.rows + context.columns));
    const bool is_xavier = std::fabs(low.value + bound) <= low.error + 0x1p-23 * bound &&
                           std::fabs(high.value - bound) <= high.error + 0x1p-23 * bound;
    if (is_xavier) texts.insert(texts.begin(), "xavier-uniform");
    return texts;
}

/// Returns texts "trunc-normal:MEAN,STD,LOW,HIGH" with ends that have no effect, such as PyTorch's
/// default ends -2 and 2 beside a small deviation, or with ends at some deviations from the mean;
/// none if no such distribution has these values.
std::vector<std::string> fitted_truncated_normals(std::span<const double> values,
                                                  std::span<const double> units,
                                                  const FitContext& context) {
    constexpr double out_of_sight = 9;
    for (const double end : {out_of_sight, 2.0, 1.0, 3.0}) {
        std::vector<double> normals, near(values.begin(), values.end());
        for (std::size_t i = 0; i < units.size(); ++i) {
            normals.push_back(quantile(below(-end) + units[i] * (below(end) - below(-end))));
            // The tails have larger errors in float32 code.
            constexpr double farthest = 1.5;
            if (!(std::fabs(normals[i]) < farthest)) near[i] = std::nan("");
        }
        const std::optional<Line> line = fit_line(near, normals, context);
        if (!line) continue;
        const Measured &mean = line->shift, &deviation = line->factor;
        const auto end_text = [&](double sign) {
            if (end != out_of_sight) {
                return candidate_numbers(
                    {mean.value + sign * end * deviation.value, mean.error + end * deviation.error},
                    context.columns);
            }
            // Ends beyond six deviations have no effect in float32.
            const double beyond = 6 * deviation.value + std::fabs(mean.value);
            return std::vector{CandidateNumber{
                fmt::format("{}", sign * (beyond <= 2 ? 2 : std::ceil(beyond))), 0}};
        };
        return cheapest_texts("trunc-normal:", {candidate_numbers(mean, context.columns),
                                                candidate_numbers(deviation, context.columns),
                                                end_text(-1), end_text(1)});
    }
    return {};
}

constexpr std::int64_t window = window_size;

std::int64_t size_of(const DrawnTensor& tensor) { return tensor.rows * tensor.columns; }

double element(const DrawnTensor& tensor, std::int64_t i) {
    const std::int64_t place = i - tensor.first;
    const bool is_there = place >= 0 && place < std::ssize(tensor.values);
    return is_there ? tensor.values[place] : std::nan("");
}

/// Sixteen elements that PyTorch makes from sixteen consecutive draws; NaN for unknown elements.
struct Block {
    std::array<double, window> values;
    std::int64_t first_draw_of_normals;
    std::int64_t first_draw_of_uniforms;
};

/// The least number of known elements, in a tensor and in its block.
constexpr std::ptrdiff_t fewest_known = 6;

bool is_known(double value) { return std::isfinite(value); }

/// Returns the first block, from this place in the values on, whose elements are all known or, if
/// there is none, the block with the most known elements; none if every block has too few.
std::optional<Block> find_block(const DrawnTensor& tensor, std::int64_t from) {
    const std::int64_t size = size_of(tensor);
    const std::int64_t before_normals = torch::draws_of_normal_fills(tensor.before, size);
    const std::int64_t before_uniforms = tensor.is_later ? tensor.before * size : before_normals;
    std::optional<Block> best;
    std::ptrdiff_t most_known = fewest_known - 1;
    const auto try_block = [&](std::int64_t first, std::int64_t normal_draw) {
        Block block{{}, before_normals + normal_draw, before_uniforms + first};
        for (std::int64_t i = 0; i < window; ++i) {
            block.values[i] = element(tensor, first + i);
        }
        const std::ptrdiff_t known = std::ranges::count_if(block.values, is_known);
        if (known <= most_known) return;
        most_known = known;
        best = block;
    };
    // If the size of a tensor is no multiple of 16, PyTorch draws the last 16 elements again.
    const std::int64_t blocks_end = size % window == 0 ? size : size - window;
    const std::int64_t values_end = tensor.first + std::ssize(tensor.values);
    std::int64_t first = (tensor.first + from) / window * window;
    for (; first < values_end && first + window <= blocks_end && most_known < window;
         first += window) {
        try_block(first, first);
    }
    if (most_known < window) {
        try_block(size - window, size % window == 0 ? size - window : size);
    }
    return best;
}

/// A running test whether values are an affine function of other values.
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

    /// True if the correlation is at least 0.99, or if there are too few points to decide.
    bool holds() const {
        constexpr double fewest = 3;
        return count_ < fewest || (xv_ > 0 && xv_ * xv_ > 0.98 * xx_ * vv_);
    }

  private:
    double count_ = 0, mean_x_ = 0, mean_v_ = 0, xx_ = 0, vv_ = 0, xv_ = 0;
};

// Most seeds are refuted by the order of two values and the first bits of few draws. Of values that
// differ by less than twice the noise, the order tells nothing.

/// True if the order of each cosine and sine of one angle is as the angle says: from -3/8 to 1/8 of
/// a turn the cosine is larger. The first three bits of the angle's draw show it.
bool have_order_of_normals(const Block& block, double noise, const evidence::SeedDraws& draws) {
    constexpr std::int64_t half = window / 2;
    for (std::int64_t j = 0; j < half; ++j) {
        const double difference = block.values[j] - block.values[j + half];
        if (!(std::fabs(difference) > 2 * noise)) continue;
        const std::uint32_t eighth = draws.first_bits(0, j + half, 3);
        if ((difference > 0) != (eighth < 1 || eighth >= 5)) return false;
    }
    return true;
}

/// True if the block is an affine function of the normals that PyTorch makes from these draws, two
/// from each pair of draws.
bool is_affine_in_normals(const Block& block, const evidence::SeedDraws& draws) {
    AffineTest test;
    constexpr std::int64_t half = window / 2;
    for (std::int64_t j = 0; j < half; ++j) {
        const double radius = std::sqrt(-2 * std::log1p(-draws.unit(0, j)));
        const double angle = 2 * std::numbers::pi * draws.unit(0, j + half);
        const double first = block.values[j], second = block.values[j + half];
        if (is_known(first)) test.add(radius * std::cos(angle), first);
        if (is_known(second)) test.add(radius * std::sin(angle), second);
        if (!test.holds()) return false;
    }
    return true;
}

/// True if of any two values the larger one does not have the smaller draw, by this many bits of
/// each draw.
bool rises_with(const Block& block, double noise, const evidence::SeedDraws& draws,
                std::size_t window_index, int bits) {
    std::array<std::uint32_t, window> units{};
    for (std::int64_t k = 0; k < window; ++k) {
        units[k] = draws.first_bits(window_index, k, bits);
        for (std::int64_t i = 0; i < k; ++i) {
            const double difference = block.values[k] - block.values[i];
            if (difference > 2 * noise && units[k] < units[i]) return false;
            if (difference < -2 * noise && units[k] > units[i]) return false;
        }
    }
    return true;
}

std::vector<std::int64_t> likely_seeds(const Block& block, double noise,
                                       std::span<const std::int64_t> seeds) {
    // Equal values agree with the order of any draws.
    std::set<double> different;
    std::ranges::copy_if(block.values, std::inserter(different, different.end()), is_known);
    if (std::ssize(different) < fewest_known) return {};
    std::vector<std::int64_t> first_draws{block.first_draw_of_normals};
    if (block.first_draw_of_uniforms != block.first_draw_of_normals) {
        first_draws.push_back(block.first_draw_of_uniforms);
    }
    // Several recognizers ask for the same block, and no other question takes as long to answer.
    static numerics::Remembered<std::vector<std::int64_t>> remembered;
    std::string key;
    for (const double value : block.values) numerics::append_to_key(key, value);
    for (const std::int64_t draw : first_draws) numerics::append_to_key(key, draw);
    numerics::append_to_key(key, noise);
    for (const std::int64_t seed : seeds) numerics::append_to_key(key, seed);
    if (auto known = remembered.find(key)) return *std::move(known);
    const std::vector<std::int64_t> found =
        evidence::seeds_with(seeds, first_draws, [&](const evidence::SeedDraws& draws) {
            const auto rises = [&](int bits) {
                return rises_with(block, noise, draws, first_draws.size() - 1, bits);
            };
            return (have_order_of_normals(block, noise, draws) &&
                    is_affine_in_normals(block, draws)) ||
                   (rises(4) && rises(12));
        });
    remembered.add(std::move(key), found, found.size() * sizeof(std::int64_t));
    return found;
}

TensorFill tensor_by(const DrawnTensor& tensor, const encodings::Initializer& initializer,
                     std::int64_t seed, torch::CodePath path) {
    const auto make = tensor.is_later ? encodings::later_tensor : encodings::initialized_tensor;
    return make(initializer, tensor.rows, tensor.columns, seed, tensor.before, path);
}

/// Returns the elements that the initializer draws from this seed, beginning with element
/// `tensor.first`, as many as `known` has.
std::vector<double> elements_by(const DrawnTensor& tensor, std::span<const double> known,
                                const encodings::Initializer& initializer, std::int64_t seed,
                                torch::CodePath path) {
    return elements_of(tensor_by(tensor, initializer, seed, path), tensor.first, std::ssize(known));
}

/// Returns the initializer; none if PyTorch refuses its numbers, which may happen for fitted
/// numbers.
std::optional<encodings::Initializer> parse_fitted(const std::string& text, std::int64_t columns) {
    try {
        return encodings::parse_initializer(text, columns);
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

/// The agreement of recomputed values with the known ones.
struct Agreement {
    std::int64_t off = 0;     ///< values that differ by more than one unit in the last place
    std::int64_t beside = 0;  ///< values of 16 bits that differ by one unit
    std::int64_t equal = 0;
};

Agreement agreement_of(const DrawnTensor& tensor, std::span<const double> known,
                       std::span<const double> made) {
    Agreement agreement;
    // A float32 number that is right, or off by its last digit, rounds to the same one of 16 bits.
    const DType format = tensor.precision.dtype;
    const bool has_16_bits = info(format).size == 2;
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (std::isnan(known[i])) continue;
        const double own = has_16_bits ? numerics::rounded(made[i], format) : made[i];
        const double difference = std::fabs(own - known[i]);
        const double most = 1.01 * unit_of(known[i], tensor.precision) + tensor.noise;
        agreement.off += difference > most ? 1 : 0;
        agreement.beside += has_16_bits && difference > tensor.noise && difference <= most ? 1 : 0;
        agreement.equal += difference == 0 ? 1 : 0;
    }
    return agreement;
}

struct Found {
    DrawnBy drawn;
    std::int64_t equal;
};

/// Returns the cheapest initializer that makes the tensor from this seed, apart from spoiled
/// values; none if no initializer does.
std::optional<Found> fitted(const DrawnTensor& tensor, std::int64_t seed, torch::CodePath path) {
    constexpr std::size_t enough = 2048;
    const auto known = std::span(tensor.values).first(std::min(enough, tensor.values.size()));
    const auto drawn = [&](const encodings::Initializer& initializer) {
        return elements_by(tensor, known, initializer, seed, path);
    };
    const FitContext context{.rows = tensor.rows,
                             .columns = tensor.columns,
                             .precision = tensor.precision,
                             .noise = tensor.noise};
    const auto try_all = [&](const std::vector<std::string>& inits) {
        std::optional<Found> best;
        std::int64_t least = std::ssize(known) / one_in + 1;
        for (const std::string& init : inits) {
            const std::optional<encodings::Initializer> initializer =
                parse_fitted(init, tensor.columns);
            if (!initializer) continue;
            const Agreement agreement = agreement_of(tensor, known, drawn(*initializer));
            constexpr std::int64_t hardly_any = 100;  // one in so many
            const bool is_beside = hardly_any * agreement.beside > std::ssize(known);
            if (is_beside || agreement.off >= least) continue;
            least = agreement.off;
            const bool is_scalar = path == torch::CodePath::scalar;
            best = Found{{init, seed, is_scalar ? "torch-scalar" : "torch"}, agreement.equal};
            if (least == 0) break;
        }
        return best;
    };
    const auto normal = fitted_normals(known, drawn({Kind::normal, {0, 1}}), context);
    if (!normal.empty()) return try_all(normal);
    const std::vector<double> units = drawn({Kind::uniform, {0, 1}});
    const auto uniform = fitted_uniforms(known, units, context);
    if (!uniform.empty()) return try_all(uniform);
    return try_all(fitted_truncated_normals(known, units, context));
}

std::optional<DrawnBy> drawn_after(const DrawnTensor& tensor, std::int64_t seed) {
    const auto vectors = fitted(tensor, seed, torch::CodePath::vectors);
    const auto scalar = fitted(tensor, seed, torch::CodePath::scalar);
    if (!vectors && !scalar) return {};
    const bool is_by_vectors = !scalar || (vectors && vectors->equal >= scalar->equal);
    return (is_by_vectors ? vectors : scalar)->drawn;
}

}  // namespace

std::optional<DrawnBy> drawn_by(const DrawnTensor& tensor, std::span<const std::int64_t> usual) {
    // Float32 numbers have at most this many binary digits.
    constexpr int most_digits = 24;
    if (tensor.precision.digits > most_digits) return {};
    const auto seeds = tensor.noise > 0 ? evidence::popular_seeds() : usual;
    if (std::ranges::count_if(tensor.values, is_known) < fewest_known || size_of(tensor) < window ||
        !evidence::may_be_draws(tensor.values, tensor.columns, tensor.precision)) {
        return {};
    }
    // If a block has a spoiled value, no seed makes it.
    constexpr std::int64_t parts = 3;
    const std::int64_t length = std::ssize(tensor.values) / parts;
    for (std::int64_t part = 0; part < (length > window ? parts : 1); ++part) {
        const std::optional<Block> block = find_block(tensor, part * length);
        if (!block) return {};
        for (const std::int64_t seed : likely_seeds(*block, tensor.noise, seeds)) {
            if (auto found = drawn_after(tensor, seed)) return found;
        }
    }
    return {};
}

std::vector<Setting> settings_of(const DrawnBy& drawn, std::string_view default_init) {
    std::vector<Setting> settings;
    if (drawn.init != default_init) settings.push_back({"init", drawn.init});
    if (drawn.seed != 0) settings.push_back({"seed", std::to_string(drawn.seed)});
    if (drawn.rng != "torch") settings.push_back({"rng", std::string(drawn.rng)});
    return settings;
}

}  // namespace pegen::recognition
