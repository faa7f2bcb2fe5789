#include "numerics/rotate.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <type_traits>

#include "core/clones.h"
#include "core/quick_rounding.h"
#include "numerics/rounding.h"

namespace pegen::numerics {
namespace {

// The largest errors of values of scale 1, derived in docs/numerics.md.
constexpr double error_of_doubles = 0x1p-50;
constexpr double error_of_double_doubles = 0x1p-90;

/// Returns `high`, the rounded upper end of an interval, in doubt if the rounded lower end is
/// another number.
template <class T>
RoundedValue<T> rounded_with(T low, T high) {
    return {high, static_cast<std::uint32_t>(low != high)};
}

/// The way of rounding a value that is known to within an error. A value is in doubt unless it is
/// certainly the exact one rounded once.
///     ends: by rounding both ends of the interval in which the exact value lies
///     quick: by way of a float; for 16 bits only, and with more values in doubt
enum class Test { ends, quick };

/// The error of a value, as the two tests need it.
struct Tolerance {
    double error;
    std::uint32_t least;  ///< for Test::quick: the bits of the smallest float that is not in doubt
};

/// Evaluates one value: if T is double, in double-doubles, else in doubles.
template <class T, Test test, Function function>
[[gnu::always_inline]] inline RoundedValue<T> evaluate(RotationArrays<const double> a,
                                                       RotationArrays<const double> b,
                                                       std::size_t k, Tolerance tolerance) {
    if constexpr (std::is_same_v<T, double>) {
        const auto [high, low] =
            function == Function::sin ? sin_of_sum(a[k], b[k]) : cos_of_sum(a[k], b[k]);
        return rounded_with(high + (low - tolerance.error), high + (low + tolerance.error));
    } else {
        const double a_sin = a.sin_high[k], a_cos = a.cos_high[k];
        const double b_sin = b.sin_high[k], b_cos = b.cos_high[k];
        const double value = function == Function::sin ? a_sin * b_cos + a_cos * b_sin
                                                       : a_cos * b_cos - a_sin * b_sin;
        if constexpr (test == Test::quick) return rounded_quickly_from<T>(tolerance.least, value);
        return rounded_with(round_to<T>(value - tolerance.error),
                            round_to<T>(value + tolerance.error));
    }
}

/// The output of the kernel: one value for each frequency, two values into separate arrays, or two
/// values into neighbouring elements of one array.
enum class Form { single, separate, pairs };

/// A range of the frequencies that the rotations have.
struct FrequencyRange {
    std::size_t first;
    std::size_t count;
};

/// Evaluates the values of a range of frequencies. Returns true if no value is in doubt. The
/// parameters are Rotations, not their arrays: too many pointers would have to be checked for
/// aliases, and the loop would not be vectorised.
template <class T, Test test, Form form, Function first, Function second>
PEGEN_CLONES bool rotate_all(const Rotations& base, const Rotations& step, FrequencyRange range,
                             Tolerance tolerance, T* __restrict out,
                             [[maybe_unused]] T* __restrict second_out) {
    const auto a = base.arrays().from(range.first), b = step.arrays().from(range.first);
    std::uint32_t doubt = 0;
    for (std::size_t k = 0, size = range.count; k < size; ++k) {
        const auto x = evaluate<T, test, first>(a, b, k, tolerance);
        const auto y = second == first ? x : evaluate<T, test, second>(a, b, k, tolerance);
        doubt |= x.doubt | y.doubt;
        if constexpr (form == Form::pairs) {
            out[2 * k] = x.value;
            out[2 * k + 1] = y.value;
        } else {
            out[k] = x.value;
            if constexpr (form == Form::separate) second_out[k] = y.value;
        }
    }
    return doubt == 0;
}

template <class T>
using Kernel = bool (*)(const Rotations&, const Rotations&, FrequencyRange, Tolerance, T*, T*);

template <Test test, class T>
Kernel<T> kernel_for(const Channels<T>& channels) {
    constexpr Function sin = Function::sin, cos = Function::cos;
    const auto& [first, second, stride] = channels;
    const bool is_sin = first.function == sin;
    if (!second.out) {
        return is_sin ? rotate_all<T, test, Form::single, sin, sin>
                      : rotate_all<T, test, Form::single, cos, cos>;
    }
    const bool are_equal = first.function == second.function;
    if (stride == 2 && are_equal) {
        return is_sin ? rotate_all<T, test, Form::pairs, sin, sin>
                      : rotate_all<T, test, Form::pairs, cos, cos>;
    }
    if (stride == 2) {
        return is_sin ? rotate_all<T, test, Form::pairs, sin, cos>
                      : rotate_all<T, test, Form::pairs, cos, sin>;
    }
    if (are_equal) {
        return is_sin ? rotate_all<T, test, Form::separate, sin, sin>
                      : rotate_all<T, test, Form::separate, cos, cos>;
    }
    return is_sin ? rotate_all<T, test, Form::separate, sin, cos>
                  : rotate_all<T, test, Form::separate, cos, sin>;
}

/// Returns the bits of the smallest float that the quick test trusts, 2^27 times the error: a
/// midpoint that is next to a larger float, but not equal to it, is further away from it than the
/// error.
template <class T>
std::uint32_t least_float(double error) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(error * 0x1p27));
    return std::clamp(bits, upper_bits<T>.smallest(), upper_bits<T>.overflow());
}

/// Evaluates a block of frequencies at a time by the quick test; blocks with a value in doubt again
/// by both ends.
template <class T>
bool rotate_blocks(const Rotations& base, const Rotations& step, double error,
                   const Channels<T>& channels) {
    constexpr std::size_t block = 64;
    const Kernel<T> quick = kernel_for<Test::quick>(channels);
    const Kernel<T> sure = kernel_for<Test::ends>(channels);
    const Tolerance tolerance{error, least_float<T>(error)};
    bool is_certain = true;
    for (std::size_t k = 0; k < base.size(); k += block) {
        const FrequencyRange range{k, std::min(block, base.size() - k)};
        T* const out = channels.first.out + k * channels.stride;
        T* const second_out =
            channels.second.out ? channels.second.out + k * channels.stride : nullptr;
        is_certain &= quick(base, step, range, tolerance, out, second_out) ||
                      sure(base, step, range, tolerance, out, second_out);
    }
    return is_certain;
}

}  // namespace

template <class T>
bool rotate(const Rotations& base, const Rotations& step, double scale,
            const Channels<T>& channels) {
    assert(channels.stride == 1 ||
           (channels.stride == 2 && channels.second.out == channels.first.out + 1));
    const double error =
        std::fabs(scale) * (std::is_same_v<T, double> ? error_of_double_doubles : error_of_doubles);
    if constexpr (sizeof(T) == 2) return rotate_blocks(base, step, error, channels);
    return kernel_for<Test::ends>(channels)(base, step, {0, base.size()}, {error, 0},
                                            channels.first.out, channels.second.out);
}

template bool rotate(const Rotations&, const Rotations&, double, const Channels<float>&);
template bool rotate(const Rotations&, const Rotations&, double, const Channels<double>&);
template bool rotate(const Rotations&, const Rotations&, double, const Channels<float16>&);
template bool rotate(const Rotations&, const Rotations&, double, const Channels<bfloat16>&);

Estimate estimate(Function function, const Rotations& base, const Rotations& step, std::size_t k,
                  double scale) {
    return {function == Function::sin ? sin_of_sum(base[k], step[k]) : cos_of_sum(base[k], step[k]),
            std::fabs(scale) * error_of_double_doubles};
}

}  // namespace pegen::numerics
