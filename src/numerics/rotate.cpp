#include "numerics/rotate.h"

#include <cassert>
#include <cmath>
#include <type_traits>
#include <utility>

#include "core/clones.h"
#include "numerics/certain.h"

namespace pegen::numerics {
namespace {

// How far values of scale 1 may be off, derived in docs/numerics.md.
constexpr double error_of_doubles = 0x1p-50;
constexpr double error_of_double_doubles = 0x1p-90;

/// The two ends of the interval in which a value lies, each rounded.
template <class T>
struct Ends {
    T low, high;
};

template <class T>
inline Ends<T> ends(double value, double error) {
    return {round_to<T>(value - error), round_to<T>(value + error)};
}

inline Ends<double> ends(DoubleDouble value, double error) {
    return {value.high + (value.low - error), value.high + (value.low + error)};
}

/// Evaluates one value, for T double in double-doubles, else in doubles.
template <class T, Function function>
[[gnu::always_inline]] inline Ends<T> evaluate(RotationArrays<const double> a,
                                               RotationArrays<const double> b, std::size_t k,
                                               double error) {
    if constexpr (std::is_same_v<T, double>) {
        return ends(function == Function::sin ? sin_of_sum(a[k], b[k]) : cos_of_sum(a[k], b[k]),
                    error);
    } else {
        const double a_sin = a.sin_high[k], a_cos = a.cos_high[k];
        const double b_sin = b.sin_high[k], b_cos = b.cos_high[k];
        return ends<T>(function == Function::sin ? a_sin * b_cos + a_cos * b_sin
                                                 : a_cos * b_cos - a_sin * b_sin,
                       error);
    }
}

/// What the kernel writes: one value for each frequency, two into separate arrays, or two into
/// neighbouring elements of one array.
enum class Form { single, separate, pairs };

template <class T, Form form, Function first, Function second>
PEGEN_CLONES bool rotate_all(const Rotations& base, const Rotations& step, double error,
                             T* __restrict out, [[maybe_unused]] T* __restrict second_out) {
    const auto a = base.arrays(), b = step.arrays();
    unsigned uncertain = 0;
    for (std::size_t k = 0, size = base.size(); k < size; ++k) {
        const Ends<T> x = evaluate<T, first>(a, b, k, error);
        const Ends<T> y = second == first ? x : evaluate<T, second>(a, b, k, error);
        uncertain |=
            static_cast<unsigned>(x.low != x.high) | static_cast<unsigned>(y.low != y.high);
        if constexpr (form == Form::pairs) {
            out[2 * k] = x.high;
            out[2 * k + 1] = y.high;
        } else {
            out[k] = x.high;
            if constexpr (form == Form::separate) second_out[k] = y.high;
        }
    }
    return uncertain == 0;
}

template <class T>
using Kernel = bool (*)(const Rotations&, const Rotations&, double, T*, T*);

template <class T>
Kernel<T> kernel_for(const Channels<T>& channels) {
    constexpr Function sin = Function::sin, cos = Function::cos;
    const auto& [first, second, stride] = channels;
    const bool is_sin = first.function == sin;
    if (!second.out) {
        return is_sin ? rotate_all<T, Form::single, sin, sin>
                      : rotate_all<T, Form::single, cos, cos>;
    }
    const bool are_equal = first.function == second.function;
    if (stride == 2 && are_equal) {
        return is_sin ? rotate_all<T, Form::pairs, sin, sin> : rotate_all<T, Form::pairs, cos, cos>;
    }
    if (stride == 2) {
        return is_sin ? rotate_all<T, Form::pairs, sin, cos> : rotate_all<T, Form::pairs, cos, sin>;
    }
    if (are_equal) {
        return is_sin ? rotate_all<T, Form::separate, sin, sin>
                      : rotate_all<T, Form::separate, cos, cos>;
    }
    return is_sin ? rotate_all<T, Form::separate, sin, cos>
                  : rotate_all<T, Form::separate, cos, sin>;
}

}  // namespace

template <class T>
bool rotate(const Rotations& base, const Rotations& step, double scale,
            const Channels<T>& channels) {
    assert(channels.stride == 1 ||
           (channels.stride == 2 && channels.second.out == channels.first.out + 1));
    const double error =
        std::fabs(scale) * (std::is_same_v<T, double> ? error_of_double_doubles : error_of_doubles);
    return kernel_for(channels)(base, step, error, channels.first.out, channels.second.out);
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
