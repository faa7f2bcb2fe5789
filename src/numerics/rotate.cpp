#include "numerics/rotate.h"

#include <cassert>
#include <type_traits>
#include <utility>

#include "core/clones.h"
#include "numerics/certain.h"

namespace pegen::numerics {
namespace {

// How far values of scale 1 may be off, derived in docs/numerics.md.
constexpr double error_of_doubles = 0x1p-50;
constexpr double error_of_double_doubles = 0x1p-90;

/// A value rounded at both ends of what it may be.
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

/// For T double in double-doubles, else in doubles.
template <class T>
[[gnu::always_inline]] inline std::pair<Ends<T>, Ends<T>> evaluate(RotationArrays<const double> a,
                                                                   RotationArrays<const double> b,
                                                                   std::size_t k, double error) {
    if constexpr (std::is_same_v<T, double>) {
        const auto [sin, cos] = product(a[k], b[k]);
        return {ends(sin, error), ends(cos, error)};
    } else {
        const double a_sin = a.sin_high[k], a_cos = a.cos_high[k];
        const double b_sin = b.sin_high[k], b_cos = b.cos_high[k];
        return {ends<T>(a_sin * b_cos + a_cos * b_sin, error),
                ends<T>(a_cos * b_cos - a_sin * b_sin, error)};
    }
}

/// sin and cos of frequency k go to out[k] and cos[k], or where `is_interleaved` to out[2 k] and
/// out[2 k + 1].
template <class T, bool is_interleaved>
PEGEN_CLONES bool rotate_all(const Rotations& base, const Rotations& step, double error,
                             T* __restrict out, [[maybe_unused]] T* __restrict cos) {
    const auto a = base.arrays(), b = step.arrays();
    unsigned uncertain = 0;
    for (std::size_t k = 0, size = base.size(); k < size; ++k) {
        const auto [s, c] = evaluate<T>(a, b, k, error);
        uncertain |=
            static_cast<unsigned>(s.low != s.high) | static_cast<unsigned>(c.low != c.high);
        if constexpr (is_interleaved) {
            out[2 * k] = s.high;
            out[2 * k + 1] = c.high;
        } else {
            out[k] = s.high;
            cos[k] = c.high;
        }
    }
    return uncertain == 0;
}

}  // namespace

template <class T>
bool rotate(const Rotations& base, const Rotations& step, double scale, Channels<T> channels) {
    assert(channels.stride == 1 || (channels.stride == 2 && channels.cos == channels.sin + 1));
    const double error =
        std::fabs(scale) * (std::is_same_v<T, double> ? error_of_double_doubles : error_of_doubles);
    const auto kernel = channels.stride == 1 ? rotate_all<T, false> : rotate_all<T, true>;
    return kernel(base, step, error, channels.sin, channels.cos);
}

template bool rotate(const Rotations&, const Rotations&, double, Channels<float>);
template bool rotate(const Rotations&, const Rotations&, double, Channels<double>);
template bool rotate(const Rotations&, const Rotations&, double, Channels<float16>);
template bool rotate(const Rotations&, const Rotations&, double, Channels<bfloat16>);

Estimate estimate(const Rotations& base, const Rotations& step, std::size_t k, double scale) {
    const auto [sin, cos] = product(base[k], step[k]);
    return {sin, cos, std::fabs(scale) * error_of_double_doubles};
}

}  // namespace pegen::numerics
