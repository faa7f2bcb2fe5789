#include "numerics/angles.h"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "numerics/certain.h"
#include "numerics/floating_point.h"
#include "numerics/floating_rows.h"
#include "numerics/ziv_loop.h"

namespace pegen::numerics {
namespace {

struct Angles {
    Positions positions;
    Frequencies frequencies;
    std::vector<DoubleDouble> nearest;  ///< the double-double nearest to each frequency
    DType dtype;
};

template <class T>
T exact(const Angles& angles, double position, std::size_t k) {
    return round_to<T>(ziv_loop(angles.dtype, Midpoints::possible,
                                [&] { return angles.frequencies.reals()[k] * position; }));
}

template <class T>
T angle(const Angles& angles, double position, std::size_t k) {
    // The frequency is off by 2^-106 of itself, the product by 2^-103, if nothing is subnormal.
    const DoubleDouble near = product(angles.nearest[k], {position, 0});
    const double magnitude = std::fabs(near.high);
    if (magnitude > 0x1p-800 && magnitude < 0x1p800) {
        const Rounded<T> rounded = round_certainly<T>(near, 0x1p-100 * magnitude);
        if (rounded.is_certain) return rounded.value;
    }
    return exact<T>(angles, position, k);
}

template <class T>
void fill(const Angles& angles, RowRange range, std::span<std::byte> out) {
    T* value = reinterpret_cast<T*>(out.data());
    for (std::int64_t row = range.first; row < range.first + range.count; ++row) {
        const double position = angles.positions[row];
        for (std::size_t k = 0; k < angles.nearest.size(); ++k) {
            *value++ = angle<T>(angles, position, k);
        }
    }
}

}  // namespace

Rows angle_rows(Positions positions, Frequencies frequencies, DType dtype) {
    const DefaultFloatingPoint arithmetic;
    std::vector<DoubleDouble> nearest;
    for (const Real& frequency : frequencies.reals()) {
        nearest.push_back(nearest_double_double(frequency));
    }
    const auto angles = std::make_shared<const Angles>(
        Angles{std::move(positions), std::move(frequencies), std::move(nearest), dtype});
    return floating_rows(
        angles->positions.size(), angles->frequencies.size(), dtype,
        [angles]<class T>(std::type_identity<T>, RowRange range, std::span<std::byte> out) {
            fill<T>(*angles, range, out);
        });
}

}  // namespace pegen::numerics
