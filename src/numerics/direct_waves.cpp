#include "numerics/direct_waves.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/clones.h"
#include "core/double_double.h"
#include "core/dtype.h"
#include "core/quick_rounding.h"
#include "numerics/floating_point.h"

namespace pegen::numerics {
namespace {

/// Types of arrays that do not overlap each other, so that the compiler may compute many elements
/// at once.
using In = const double* __restrict;
using Out = double* __restrict;

/// Adding this double to a number below 2^51 rounds it to a whole number, which is then in the last
/// bits of the sum.
constexpr double to_whole = 0x1.8p52;

/// Sets high[i] + low[i] to the product of a position and a factor, to within 2^-102 of itself.
PEGEN_CLONES void set_products(In x, In factor_high, In factor_low, std::size_t count, Out high,
                               Out low) {
    for (std::size_t i = 0; i < count; ++i) {
        high[i] = x[i] * factor_high[i];
        low[i] = std::fma(x[i], factor_high[i], -high[i]) + x[i] * factor_low[i];
    }
}

/// Returns the value at `x` of the polynomial with these coefficients, the highest power's first.
template <class... Coefficients>
[[gnu::always_inline]] inline double series(double x, double highest, Coefficients... others) {
    double sum = highest;
    ((sum = std::fma(x, sum, others)), ...);
    return sum;
}

/// Changes the sign of `value` if bit 1 of `quarters` is set.
[[gnu::always_inline]] inline double with_sign(double value, std::uint64_t quarters) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ (quarters & 2) << 62);
}

/// 2^n as a product, since it may be less than the smallest double, or more than the largest.
struct PowerOf2 {
    double one, other;
};

/// Precondition: n is a whole number, |n| < 2000.
[[gnu::always_inline]] inline PowerOf2 power_of_2(double n) {
    const double half = std::fma(n, 0.5, to_whole), other = n - (half - to_whole) + to_whole;
    const auto power = [](double whole) {
        return std::bit_cast<double>((std::bit_cast<std::uint64_t>(whole) << 52) +
                                     std::bit_cast<std::uint64_t>(1.0));
    };
    return {power(half), power(other)};
}

/// Computes sines and cosines of angles up to 2^26, and bounds of the errors of the sines; the
/// cosines are off by at most 2^-51. docs/numerics.md derives the bounds. An angle is a sum of
/// products: number s of wave i is  x[s * size + i] * factor[s * size + i],  where all waves share
/// x[s * size] if they are at one position.
template <std::size_t summands, bool are_at_one_position>
PEGEN_CLONES void evaluate(In x, In factor_high, In factor_low, std::size_t size, std::size_t count,
                           Out sines, Out cosines, Out sine_errors, Out cosine_errors) {
    constexpr double quarter = 0x1.921fb54442d18p+0, quarter_rest = 0x1.1a62633145c07p-54;
    for (std::size_t i = 0; i < count; ++i) {
        double high = 0, low = 0, magnitude = 0;
        for (std::size_t s = 0; s < summands; ++s) {
            const std::size_t at = s * size + i;
            const double position = are_at_one_position ? x[s * size] : x[at];
            const double product = position * factor_high[at];
            const double rest =
                std::fma(position, factor_high[at], -product) + position * factor_low[at];
            const double sum = high + product, seen = sum - high;
            low += s == 0 ? rest : ((high - (sum - seen)) + (product - seen)) + rest;
            high = sum;
            magnitude += std::fabs(product);
        }
        const double turned = std::fma(high, 1 / quarter, to_whole), n = turned - to_whole;
        const double r = std::fma(-n, quarter_rest, std::fma(-n, quarter, high)) + low;
        const double r2 = r * r;
        // The terms of the series, up to r^17 and r^16.
        const double odd = series(r2, 1.0 / 355687428096000, -1.0 / 1307674368000, 1.0 / 6227020800,
                                  -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6);
        const double even = series(r2, 1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600,
                                   -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24);
        const double sine = std::fma(r * r2, odd, r);
        const double less = 1 - 0.5 * r2;
        const double cosine = less + std::fma(r2 * r2, even, (1 - less) - 0.5 * r2);
        const auto quarters = std::bit_cast<std::uint64_t>(turned);
        const bool is_odd = (quarters & 1) != 0;
        // Adding 0 turns -0 into 0.
        sines[i] = with_sign(is_odd ? cosine : sine, quarters) + 0.0;
        cosines[i] = with_sign(is_odd ? sine : cosine, quarters + 1);
        // Near 0 the error is relative to the sine itself, whose neighbours are closer there.
        sine_errors[i] = n == 0 ? std::fabs(sines[i]) * 0x1p-50 + magnitude * 0x1p-95 : 0x1p-51;
        cosine_errors[i] = 0x1p-51;
    }
}

/// Computes shares[i] * exp(-(high[i] + low[i])), high[i] >= -700, each to within 2^-49 of itself.
/// A result below 2^-1022 may be 0.
PEGEN_CLONES void decay(In high, In low, In shares, std::size_t count, Out weights) {
    constexpr double ln2 = 0x1.62e42fefa39efp-1, ln2_rest = 0x1.abc9e3b39803fp-56;
    for (std::size_t i = 0; i < count; ++i) {
        // Beyond, the result is 0, whatever `low` is.
        const bool is_zero = high[i] > 800;
        const double exponent = is_zero ? -800 : -high[i], rest = is_zero ? 0 : low[i];
        const double sum = std::fma(exponent, 1 / ln2, to_whole), n = sum - to_whole;
        const double r = std::fma(-n, ln2_rest, std::fma(-n, ln2, exponent)) - rest;
        // The terms of the series, up to r^13.
        const double power_of_e = series(r, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800,
                                         1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                                         1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0);
        const auto [one, other] = power_of_2(n);
        weights[i] = shares[i] * power_of_e * one * other;
    }
}

/// Multiplies each wave by its weight.
PEGEN_CLONES void weigh(In weights, std::size_t count, Out waves, Out errors) {
    for (std::size_t i = 0; i < count; ++i) {
        waves[i] = weights[i] == 0 ? 0.0 : weights[i] * waves[i];  // 0, not -0
        errors[i] = weights[i] * errors[i] + std::fabs(waves[i]) * 0x1p-48;
    }
}

/// Rounds the lower end of what each value may be to `out`. Returns bits that are all 0 if every
/// upper end is rounded to the same number as the lower end.
PEGEN_CLONES std::uint32_t round_all(In values, In errors, std::size_t count,
                                     float* __restrict out) {
    std::uint32_t doubts = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto lower = static_cast<float>(values[i] - errors[i]);
        const auto upper = static_cast<float>(values[i] + errors[i]);
        doubts |= std::bit_cast<std::uint32_t>(lower) ^ std::bit_cast<std::uint32_t>(upper);
        out[i] = lower;
    }
    return doubts;
}

template <class T>
PEGEN_CLONES std::uint32_t round_ends(In values, In errors, std::size_t count, T* __restrict out) {
    std::uint32_t doubts = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const T lower = round_to<T>(values[i] - errors[i]),
                upper = round_to<T>(values[i] + errors[i]);
        doubts |= std::bit_cast<std::uint16_t>(lower) ^ std::bit_cast<std::uint16_t>(upper);
        out[i] = lower;
    }
    return doubts;
}

/// Rounds by way of a float. Returns bits that are all 0 if no value is in doubt.
template <class T>
PEGEN_CLONES std::uint32_t round_quickly(In values, std::size_t count, T* __restrict out) {
    // 2^27 times the largest error of all, as in docs/numerics.md.
    constexpr std::uint32_t least =
        std::max(upper_bits<T>.smallest(), std::bit_cast<std::uint32_t>(0x1p-20F));
    std::uint32_t doubts = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto [value, doubt] = rounded_quickly_from<T>(least, values[i]);
        doubts |= doubt;
        out[i] = value;
    }
    return doubts;
}

template <class T>
std::uint32_t round_all(In values, In errors, std::size_t count, T* out) {
    constexpr std::size_t block = 64;
    std::uint32_t doubts = 0;
    for (std::size_t i = 0; i < count; i += block) {
        const std::size_t now = std::min(block, count - i);
        if (round_quickly(values + i, now, out + i) == 0) continue;
        doubts |= round_ends(values + i, errors + i, now, out + i);
    }
    return doubts;
}

// The same for float64, in double-doubles.

/// Adds the products of positions and factors to the angles high[i] + low[i], and their magnitudes
/// to `magnitudes`.
PEGEN_CLONES void add_products(In x, In factor_high, In factor_low, std::size_t count, Out high,
                               Out low, Out magnitudes) {
    for (std::size_t i = 0; i < count; ++i) {
        const double product = x[i] * factor_high[i];
        const double rest = std::fma(x[i], factor_high[i], -product) + x[i] * factor_low[i];
        const DoubleDouble both = sum(high[i], product);
        high[i] = both.high;
        low[i] = both.low + (low[i] + rest);
        magnitudes[i] += std::fabs(product);
    }
}

/// A number to 159 bits, and its inverse.
struct Unit {
    double high, low, lowest;
    double inverse;
};
constexpr Unit angle_step{0x1.921fb54442d18p-6, 0x1.1a62633145c07p-60, -0x1.f1976b7ed8fbcp-116,
                          0x1.45f306dc9c883p+5};  // pi / 128
constexpr Unit log_step{0x1.62e42fefa39efp-7, 0x1.abc9e3b39803fp-62, 0x1.7b57a079a1934p-117,
                        0x1.71547652b82fep+6};  // ln 2 / 64

constexpr DoubleDouble sixth{0x1.5555555555555p-3, 0x1.5555555555555p-57};

/// A sum  number * unit + rest  with |rest| <= unit / 2 or little more; the number is in the last
/// bits of `turned`, too.
struct Reduced {
    double turned, number;
    DoubleDouble rest;
};

[[gnu::always_inline]] inline Reduced reduced(double high, double low, const Unit& unit) {
    const double turned = std::fma(high, unit.inverse, to_whole), number = turned - to_whole;
    const double first = number * unit.high, second = number * unit.low;
    const double first_rest = std::fma(number, unit.high, -first);
    const double second_rest = std::fma(number, unit.low, -second) + number * unit.lowest;
    const DoubleDouble difference = sum(high, -first), a = sum(low, -first_rest),
                       b = sum(a.high, -second);
    const DoubleDouble rest = sum(difference.high, b.high);
    const double lows = rest.low + difference.low + ((a.low + b.low) - second_rest);
    return {turned, number, sum(rest.high, lows)};
}

/// Returns a + small, where `small` is so much less than a that a double is enough for it.
[[gnu::always_inline]] inline DoubleDouble plus_small(DoubleDouble a, double small) {
    const DoubleDouble both = sum_ordered(a.high, small);
    return {both.high, both.low + a.low};
}

/// Returns a + b. Precondition: |a| >= |b|.
[[gnu::always_inline]] inline DoubleDouble plus(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble high = sum_ordered(a.high, b.high);
    return sum_ordered(high.high, high.low + (a.low + b.low));
}

/// Functions at the multiples of a unit.
struct Multiples {
    std::array<double, 256> sine_high, sine_low;   ///< sin(k pi / 128)
    std::array<double, 64> power_high, power_low;  ///< 2^(k / 64)
};

const Multiples& multiples() {
    static const Multiples made = [] {
        const Precision precision(Precision::usual);
        Multiples all;
        for (std::size_t k = 0; k < all.sine_high.size(); ++k) {
            const DoubleDouble sine =
                nearest_double_double(sin(Real(static_cast<double>(k)) * pi() / 128.0));
            const bool is_zero = k % 128 == 0;  // MPFR's pi is not quite pi
            all.sine_high[k] = is_zero ? 0 : sine.high;
            all.sine_low[k] = is_zero ? 0 : sine.low;
        }
        for (std::size_t k = 0; k < all.power_high.size(); ++k) {
            const DoubleDouble power =
                nearest_double_double(pow(Real(2), Real(static_cast<double>(k)) / 64.0));
            all.power_high[k] = power.high;
            all.power_low[k] = power.low;
        }
        return all;
    }();
    return made;
}

/// Computes sines and cosines of the angles high[i] + low[i], and bounds of their errors;
/// docs/numerics.md derives the bounds. `sine_high` and `sine_low` are Multiples.
PEGEN_CLONES void evaluate(In high, In low, In magnitudes, In sine_high, In sine_low,
                           std::size_t count, Out sines, Out sine_lows, Out cosines,
                           Out cosine_lows, Out sine_errors, Out cosine_errors) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto [turned, number, r] = reduced(high[i], low[i], angle_step);
        const auto k = std::bit_cast<std::uint64_t>(turned);
        const DoubleDouble sine_of_number{sine_high[k & 255], sine_low[k & 255]};
        const DoubleDouble cosine_of_number{sine_high[(k + 64) & 255], sine_low[(k + 64) & 255]};
        const DoubleDouble r2 = product(r, r);
        // (sin r - r) / r^3 and (cos r - 1 + r^2 / 2) / r^4, for terms up to r^11 and r^10.
        const DoubleDouble odd = plus_small(
            negative(sixth),
            r2.high * series(r2.high, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120));
        const DoubleDouble even =
            plus_small({0.25 * sixth.high, 0.25 * sixth.low},
                       r2.high * series(r2.high, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720));
        const DoubleDouble sine = plus(r, product(r, product(r2, odd)));
        const DoubleDouble less_than_1 =
            plus({-0.5 * r2.high, -0.5 * r2.low}, product(product(r2, r2), even));
        const DoubleDouble more_sine =
            sum_of_products(sine_of_number, less_than_1, cosine_of_number, sine);
        const DoubleDouble more_cosine =
            sum_of_products(cosine_of_number, less_than_1, negative(sine_of_number), sine);
        const DoubleDouble s = sum(sine_of_number.high, more_sine.high);
        const DoubleDouble c = sum(cosine_of_number.high, more_cosine.high);
        sines[i] = s.high + 0.0;  // 0, not -0
        sine_lows[i] = s.low + (sine_of_number.low + more_sine.low);
        cosines[i] = c.high;
        cosine_lows[i] = c.low + (cosine_of_number.low + more_cosine.low);
        const double of_angle = magnitudes[i] * 0x1p-100;
        sine_errors[i] = of_angle + (number == 0 ? std::fabs(s.high) * 0x1p-80 : 0x1p-88);
        cosine_errors[i] = of_angle + 0x1p-88;
    }
}

/// Computes shares[i] * exp(-(high[i] + low[i])), high[i] >= -700, each to within 2^-83 of itself.
/// A result below 2^-900 is off by more. It is 0 only if the share is 0 or high[i] exceeds 746.
PEGEN_CLONES void decay(In high, In low, In share_highs, In share_lows, In power_high, In power_low,
                        std::size_t count, Out weights, Out weight_lows) {
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_zero = high[i] > 746;
        const double exponent = is_zero ? -746 : -high[i], exponent_low = is_zero ? 0 : -low[i];
        const auto [turned, number, r] = reduced(exponent, exponent_low, log_step);
        const auto k = std::bit_cast<std::uint64_t>(turned);
        const DoubleDouble power{power_high[k & 63], power_low[k & 63]};
        // (e^r - 1 - r - r^2 / 2) / r^3, for terms up to r^9.
        const DoubleDouble cubic =
            plus_small(sixth, r.high * series(r.high, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                                              1.0 / 720, 1.0 / 120, 1.0 / 24));
        const DoubleDouble r2 = product(r, r);
        const DoubleDouble square =
            plus({0.5 * r2.high, 0.5 * r2.low}, product(product(r2, r), cubic));
        const DoubleDouble more = product(power, plus(r, square));
        const DoubleDouble weight = product(plus(power, more), {share_highs[i], share_lows[i]});
        const double n = std::fma(number - 31.5, 1.0 / 64, to_whole) - to_whole;  // rounded down
        const auto [one, other] = power_of_2(n);
        // Compilers make a branch of a choice here, but not of a factor.
        const double kept = is_zero || share_highs[i] == 0 ? 0.0 : 1.0;
        weights[i] = std::max(weight.high * one * other, 0x1p-1074) * kept;
        weight_lows[i] = weight.low * one * other * kept;
    }
}

/// Multiplies each wave by its weight.
PEGEN_CLONES void weigh(In weights, In weight_lows, std::size_t count, Out waves, Out wave_lows,
                        Out errors) {
    for (std::size_t i = 0; i < count; ++i) {
        const DoubleDouble value = product({waves[i], wave_lows[i]}, {weights[i], weight_lows[i]});
        const bool is_zero = weights[i] == 0 || (waves[i] == 0 && errors[i] == 0);
        waves[i] = is_zero ? 0.0 : value.high;  // 0, not -0
        wave_lows[i] = is_zero ? 0.0 : value.low;
        const double size = std::fabs(value.high);
        // Products of tiny numbers are not exact.
        errors[i] = is_zero           ? 0
                    : size < 0x1p-900 ? std::numeric_limits<double>::infinity()
                                      : weights[i] * errors[i] + size * 0x1p-82;
    }
}

/// Rounds the lower end of what each value may be to `out`. Returns bits that are all 0 if every
/// upper end is rounded to the same number.
PEGEN_CLONES std::uint64_t round_all(In values, In lows, In errors, std::size_t count,
                                     double* __restrict out) {
    std::uint64_t doubts = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double lower = values[i] + (lows[i] - errors[i]);
        const double upper = values[i] + (lows[i] + errors[i]);
        doubts |= std::bit_cast<std::uint64_t>(lower) ^ std::bit_cast<std::uint64_t>(upper);
        out[i] = lower;
    }
    return doubts;
}

/// True if the two functions of each of `waves` waves alternate and fill the row.
bool are_interleaved(const ChannelLayout& layout, std::int64_t waves) {
    if (layout.runs.size() != 2 || layout.channels != 2 * waves) return false;
    const auto alternates = [&](const ChannelRun& run, std::int64_t first) {
        return run.first_channel == first && run.channel_stride == 2 && run.first_frequency == 0 &&
               run.frequency_stride == 1 && run.count == waves;
    };
    return alternates(layout.runs[0], 0) && alternates(layout.runs[1], 1);
}

/// A table of kernels by the number of summands, for waves at positions of their own, then at one.
using Kernel = decltype(&evaluate<1, false>);
constexpr std::size_t most_summands = 4;
constexpr Kernel kernels[2][most_summands] = {
    {evaluate<1, false>, evaluate<2, false>, evaluate<3, false>, evaluate<4, false>},
    {evaluate<1, true>, evaluate<2, true>, evaluate<3, true>, evaluate<4, true>}};

/// The data that rows are made from. Never changed, so threads share it. Arrays have an element for
/// each wave of each row of a batch, row by row.
struct Source {
    DirectWaves waves;
    std::size_t waves_of_row;
    /// Few waves are computed for many rows at once, so that no loop is short.
    std::int64_t rows_of_batch;
    SplitNumbers factors{};  ///< summand by summand
    SplitNumbers rates{};    ///< the factors of the weights' exponents
    SplitNumbers shares{};
    bool are_at_one_position = false;
    bool is_interleaved = false;

    std::size_t size() const { return waves_of_row * rows_of_batch; }
};

void append_repeated(std::vector<double>& all, const std::vector<double>& list,
                     std::int64_t times) {
    for (std::int64_t i = 0; i < times; ++i) all.insert(all.end(), list.begin(), list.end());
}

void append_repeated(SplitNumbers& all, const SplitNumbers& numbers, std::int64_t times) {
    append_repeated(all.high, numbers.high, times);
    append_repeated(all.low, numbers.low, times);
}

Source source_of(DirectWaves waves, std::int64_t points) {
    constexpr std::int64_t many_waves = 64, waves_of_batch = 512;
    const auto count = std::ssize(waves.summands.front().factors.high);
    const std::int64_t rows =
        count >= many_waves ? 1 : std::min(points, rows_holding(waves_of_batch, count));
    const auto has_one_position = [](const WaveProducts& summand) {
        return summand.positions.size() == 1;
    };
    Source source{.waves = std::move(waves),
                  .waves_of_row = static_cast<std::size_t>(count),
                  .rows_of_batch = rows};
    const auto& summands = source.waves.summands;
    source.are_at_one_position = rows == 1 && std::ranges::all_of(summands, has_one_position);
    source.is_interleaved = are_interleaved(source.waves.layout, count);
    for (const WaveProducts& summand : summands) {
        append_repeated(source.factors, summand.factors, rows);
    }
    if (const auto& weights = source.waves.weights) {
        append_repeated(source.rates, weights->exponents.factors, rows);
        append_repeated(source.shares, weights->shares, rows);
    }
    return source;
}

/// The values of a batch, in doubles, or for float64 in double-doubles.
template <class T>
class Batch {
  public:
    explicit Batch(const Source& source)
        : source_(source),
          size_(source.size()),
          doubles_(std::make_unique_for_overwrite<double[]>((arrays + most_summands) * size_)),
          rounded_(std::make_unique_for_overwrite<T[]>(2 * size_)) {}

    /// Computes the waves of some rows, at most source.rows_of_batch.
    void compute(RowRange rows) {
        rows_ = rows;
        count_ = source_.waves_of_row * rows.count;
        if constexpr (is_double) {
            compute_double_doubles();
        } else {
            compute_doubles();
        }
    }

    /// Rounds the values of one function for `count` waves from number `first` on. Where the
    /// rounding is in doubt, rounds the exact value instead.
    void round(Function function, std::size_t first, std::size_t count, T* out) {
        if (are_rounded(function, first, count, out)) return;
        for (std::size_t i = 0; i < count; ++i) {
            if (are_rounded(function, first + i, 1, out + i)) continue;
            const auto row = static_cast<std::int64_t>((first + i) / source_.waves_of_row);
            out[i] = round_to<T>(source_.waves.exact(function, rows_.first + row,
                                                     (first + i) % source_.waves_of_row));
        }
    }

    /// Rounds the values of one function for all waves, and returns them.
    const T* rounded(Function function) {
        T* const out = rounded_.get() + (function == Function::sin ? 0 : size_);
        round(function, 0, count_, out);
        return out;
    }

  private:
    static constexpr bool is_double = std::is_same_v<T, double>;

    enum Array {
        of_rows,  ///< positions, one for each row
        sines,
        cosines,
        sine_errors,
        cosine_errors,
        high,
        low,
        weights,
        sine_lows,  // this one and the next three only in double-doubles
        cosine_lows,
        weight_lows,
        magnitudes,
        positions,  ///< an array for each summand
        arrays
    };

    double* array(Array number) { return doubles_.get() + number * size_; }

    /// Rounds the values. Returns whether no rounding is in doubt.
    bool are_rounded(Function function, std::size_t first, std::size_t count, T* out) {
        const bool is_sine = function == Function::sin;
        const double* const values = array(is_sine ? sines : cosines) + first;
        const double* const errors = array(is_sine ? sine_errors : cosine_errors) + first;
        if constexpr (is_double) {
            const double* const lows = array(is_sine ? sine_lows : cosine_lows) + first;
            return round_all(values, lows, errors, count, out) == 0;
        } else {
            return round_all(values, errors, count, out) == 0;
        }
    }

    /// Sets the position of each wave, or only the first one.
    void set_positions(const std::vector<WavePositions>& lists, bool only_first, double* out) {
        // With one wave in a row, the positions of the rows are those of the waves.
        const bool is_alone = source_.waves_of_row == 1;
        const std::span read(is_alone ? out : array(of_rows), rows_.count);
        for (const auto& [list, stride, count] : lists) {
            if (stride == 1 && rows_.first + rows_.count <= list->size()) {
                list->read(rows_.first, read);
            } else {
                for (std::int64_t i = 0; i < rows_.count; ++i) {
                    read[i] = (*list)[(rows_.first + i) / stride % list->size()];
                }
            }
            if (is_alone) return;
            for (std::int64_t i = 0; i < rows_.count; ++i) {
                std::fill_n(out + i * source_.waves_of_row, only_first ? 1 : count, read[i]);
            }
            out += count;
        }
    }

    void compute_doubles() {
        const auto& summands = source_.waves.summands;
        for (std::size_t s = 0; s < summands.size(); ++s) {
            set_positions(summands[s].positions, source_.are_at_one_position,
                          array(positions) + s * size_);
        }
        kernels[source_.are_at_one_position ? 1 : 0][summands.size() - 1](
            array(positions), source_.factors.high.data(), source_.factors.low.data(), size_,
            count_, array(sines), array(cosines), array(sine_errors), array(cosine_errors));
        if (!source_.waves.weights) return;
        set_exponents();
        decay(array(high), array(low), source_.shares.high.data(), count_, array(weights));
        weigh(array(weights), count_, array(sines), array(sine_errors));
        weigh(array(weights), count_, array(cosines), array(cosine_errors));
    }

    void compute_double_doubles() {
        const Multiples& known = multiples();
        for (const Array total : {high, low, magnitudes}) std::fill_n(array(total), count_, 0.0);
        for (std::size_t s = 0; s < source_.waves.summands.size(); ++s) {
            set_positions(source_.waves.summands[s].positions, false, array(positions));
            add_products(array(positions), source_.factors.high.data() + s * size_,
                         source_.factors.low.data() + s * size_, count_, array(high), array(low),
                         array(magnitudes));
        }
        evaluate(array(high), array(low), array(magnitudes), known.sine_high.data(),
                 known.sine_low.data(), count_, array(sines), array(sine_lows), array(cosines),
                 array(cosine_lows), array(sine_errors), array(cosine_errors));
        if (!source_.waves.weights) return;
        set_exponents();
        decay(array(high), array(low), source_.shares.high.data(), source_.shares.low.data(),
              known.power_high.data(), known.power_low.data(), count_, array(weights),
              array(weight_lows));
        weigh(array(weights), array(weight_lows), count_, array(sines), array(sine_lows),
              array(sine_errors));
        weigh(array(weights), array(weight_lows), count_, array(cosines), array(cosine_lows),
              array(cosine_errors));
    }

    void set_exponents() {
        set_positions(source_.waves.weights->exponents.positions, false, array(positions));
        set_products(array(positions), source_.rates.high.data(), source_.rates.low.data(), count_,
                     array(high), array(low));
    }

    const Source& source_;
    std::size_t size_;
    std::unique_ptr<double[]> doubles_;
    std::unique_ptr<T[]> rounded_;
    RowRange rows_{};
    std::size_t count_ = 0;
};

template <class T>
void interleave(const T* first, const T* second, std::size_t count, T* __restrict out) {
    for (std::size_t i = 0; i < count; ++i) {
        out[2 * i] = first[i];
        out[2 * i + 1] = second[i];
    }
}

/// Puts the values of a run into the channels of some rows, which begin at `out`.
template <class T>
void place(const ChannelRun& run, const T* values, std::size_t waves_of_row, std::int64_t rows,
           std::int64_t channels, T* out) {
    for (std::int64_t i = 0; i < rows; ++i) {
        const T* const from = values + i * waves_of_row + run.first_frequency;
        T* const to = out + i * channels + run.first_channel;
        for (std::int64_t j = 0; j < run.count; ++j) {
            to[j * run.channel_stride] = from[j * run.frequency_stride];
        }
    }
}

/// Fills the rows of a batch, which begin at `out`.
template <class T>
void fill_batch(const Source& source, Batch<T>& batch, std::int64_t rows, T* out) {
    const auto& [channels, runs] = source.waves.layout;
    if (source.is_interleaved) {
        interleave(batch.rounded(runs[0].function), batch.rounded(runs[1].function),
                   source.waves_of_row * rows, out);
        return;
    }
    const T* rounded[2]{};
    for (const ChannelRun& run : runs) {
        if (source.rows_of_batch == 1 && run.channel_stride == 1 && run.frequency_stride == 1) {
            batch.round(run.function, run.first_frequency, run.count, out + run.first_channel);
            continue;
        }
        const T*& values = rounded[run.function == Function::sin ? 0 : 1];
        if (!values) values = batch.rounded(run.function);
        place(run, values, source.waves_of_row, rows, channels, out);
    }
}

template <class T>
void fill(const Source& source, RowRange range, std::span<std::byte> out) {
    const ChannelLayout& layout = source.waves.layout;
    if (has_zeros(layout)) std::ranges::fill(out, std::byte{});
    Batch<T> batch(source);
    T* rows = reinterpret_cast<T*>(out.data());
    for (std::int64_t done = 0; done < range.count; done += source.rows_of_batch) {
        const RowRange some{range.first + done, std::min(source.rows_of_batch, range.count - done)};
        batch.compute(some);
        fill_batch(source, batch, some.count, rows);
        rows += some.count * layout.channels;
    }
}

}  // namespace

SplitNumbers split(const std::vector<Real>& numbers) {
    SplitNumbers halves;
    for (const Real& number : numbers) {
        const DoubleDouble both = nearest_double_double(number);
        halves.high.push_back(both.high);
        halves.low.push_back(both.low);
    }
    return halves;
}

bool is_direct(double largest, std::size_t summands) {
    return largest <= 0x1p26 && summands <= most_summands;
}

bool are_moderate(const std::vector<Real>& numbers) {
    const Real least = 0x1p-400, most = 0x1p400;
    return std::ranges::all_of(numbers, [&](const Real& number) {
        const Real magnitude = abs(number);
        return number == Real(0) || (least < magnitude && magnitude < most);
    });
}

bool are_moderate(const Positions& positions, const std::vector<Real>& factors) {
    return positions.lowest_bit() > -400 && are_moderate(factors);
}

Rows direct_wave_rows(DirectWaves waves, std::int64_t points, DType dtype) {
    const std::int64_t channels = waves.layout.channels;
    auto source = std::make_shared<const Source>(source_of(std::move(waves), points));
    return floating_rows(points, channels, dtype,
                         [source = std::move(source)]<class T>(
                             std::type_identity<T>, RowRange range, std::span<std::byte> out) {
                             fill<T>(*source, range, out);
                         });
}

}  // namespace pegen::numerics
