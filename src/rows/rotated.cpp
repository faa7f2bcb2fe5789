#include "rows/rotated.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "core/clones.h"
#include "core/dtype.h"
#include "core/quick_rounding.h"
#include "numerics/floating_point.h"
#include "rows/arithmetic.h"
#include "rows/kept.h"

namespace pegen::rows {
namespace {

constexpr std::int64_t most_kept_angles = std::int64_t{1} << 24;

/// Returns the number of rows whose angles stay in the cache.
std::int64_t rows_in_cache(std::int64_t pairs) {
    return rows_holding(std::int64_t{1} << 14, pairs);
}

/// Changes a rotation, given as (cos, sin) times a factor, into the one that undoes it.
void invert(std::span<double> cos, std::span<double> sin) {
    for (std::size_t m = 0; m < cos.size(); ++m) {
        const double square = cos[m] * cos[m] + sin[m] * sin[m];
        // Without a factor the square is 1 but for rounding, and dividing by it would round once
        // more.
        const bool has_factor = std::fabs(square - 1) > 0x1p-50;
        cos[m] /= has_factor ? square : 1;
        sin[m] /= has_factor ? -square : -1;
    }
}

/// Returns rows that hold the cosines of a position, then its sines, by which channels are
/// multiplied.
Rows angles_of(const Rotation& rotation) {
    RowSource fill = [=](RowRange range, std::span<std::byte> out) {
        const std::int64_t pairs = rotation.cos.columns();
        const std::int64_t most_rows = std::min(range.count, rows_in_cache(pairs));
        std::vector<double> cos(most_rows * pairs), sin(cos.size());
        auto* place = reinterpret_cast<double*>(out.data());
        for (std::int64_t done = 0; done < range.count; done += most_rows) {
            const RowRange some{range.first + done, std::min(most_rows, range.count - done)};
            const std::size_t count = some.count * pairs;
            rotation.cos(some, std::as_writable_bytes(std::span(cos).first(count)));
            rotation.sin(some, std::as_writable_bytes(std::span(sin).first(count)));
            if (rotation.is_inverse) invert(std::span(cos).first(count), sin);
            for (std::size_t first = 0; first < count; first += pairs) {
                place = std::copy_n(cos.data() + first, pairs, place);
                place = std::copy_n(sin.data() + first, pairs, place);
            }
        }
    };
    return {std::move(fill), rotation.cos.count(), 2 * rotation.cos.columns(), DType::float64};
}

template <class T>
struct TurnedPair {
    T a, b;
    std::uint32_t doubt;
};

template <auto rounding, class T>
auto turned(T a, T b, double cos, double sin) {
    const double x = widen(a);
    const double y = widen(b);
    const auto first = rounding(x * cos - y * sin), second = rounding(x * sin + y * cos);
    return TurnedPair<T>{first.value, second.value, first.doubt | second.doubt};
}

/// Turns the pairs of rows that are `columns` channels wide. Returns 0 if no value is in doubt.
template <auto rounding, class T>
PEGEN_CLONES std::uint32_t turn_halves(const T* row, std::size_t rows, std::size_t columns,
                                       const double* angles, std::size_t pairs, T* out) {
    std::uint32_t doubt = 0;
    for (; rows > 0; --rows, row += columns, out += columns, angles += 2 * pairs) {
        T* __restrict const first = out;
        T* __restrict const second = out + pairs;
        for (std::size_t m = 0; m < pairs; ++m) {
            const auto pair =
                turned<rounding>(row[m], row[pairs + m], angles[m], angles[pairs + m]);
            first[m] = pair.a;
            second[m] = pair.b;
            doubt |= pair.doubt;
        }
    }
    return doubt;
}

template <auto rounding, class T>
PEGEN_CLONES std::uint32_t turn_neighbours(const T* row, std::size_t rows, std::size_t columns,
                                           const double* angles, std::size_t pairs,
                                           T* __restrict out) {
    std::uint32_t doubt = 0;
    for (; rows > 0; --rows, row += columns, out += columns, angles += 2 * pairs) {
        for (std::size_t m = 0; m < pairs; ++m) {
            const auto pair =
                turned<rounding>(row[2 * m], row[2 * m + 1], angles[m], angles[pairs + m]);
            out[2 * m] = pair.a;
            out[2 * m + 1] = pair.b;
            doubt |= pair.doubt;
        }
    }
    return doubt;
}

/// Writes the rows to `out` with their pairs turned.
template <class T>
void turn(Pairing pairing, std::span<const T> rows, std::size_t columns, const double* angles,
          std::size_t pairs, T* out) {
    const bool is_half = pairing == Pairing::half;
    const auto exact =
        is_half ? turn_halves<rounded_surely<T>, T> : turn_neighbours<rounded_surely<T>, T>;
    if constexpr (sizeof(T) == 2) {
        const auto quick =
            is_half ? turn_halves<rounded_quickly<T>, T> : turn_neighbours<rounded_quickly<T>, T>;
        for (std::size_t first = 0; first < rows.size(); first += columns, angles += 2 * pairs) {
            const T* row = rows.data() + first;
            const std::uint32_t doubt = quick(row, 1, columns, angles, pairs, out + first);
            if (doubt != 0) exact(row, 1, columns, angles, pairs, out + first);
        }
    } else {
        exact(rows.data(), rows.size() / columns, columns, angles, pairs, out);
    }
    if (columns == 2 * pairs) return;
    for (std::size_t first = 2 * pairs; first < rows.size(); first += columns) {
        std::copy_n(rows.data() + first, columns - 2 * pairs, out + first);
    }
}

/// Returns the rows of `x` in its own dtype, turned on their way from a buffer that stays in the
/// cache.
Rows turned_rows(const Rows& x, const Rotation& rotation) {
    constexpr auto value_bytes = static_cast<std::int64_t>(sizeof(double));
    const auto angles =
        std::make_shared<const AxisTable>(angles_of(rotation), most_kept_angles * value_bytes);
    return rows_like(x, [=, pairs = rotation.cos.columns(), pairing = rotation.pairing](
                            RowRange range, std::span<std::byte> out) {
        if (out.empty()) return;
        AxisReader reader(*angles);
        const std::int64_t positions = angles->rows(), columns = x.columns();
        const std::int64_t most_rows =
            std::min({range.count, positions, rows_in_cache(pairs), rows_in_cache(columns)});
        const std::size_t row_bytes = x.bytes_per_row();
        std::vector<std::byte> buffer(most_rows * row_bytes);
        const std::int64_t end = range.first + range.count;
        for (std::int64_t row = range.first; row < end;) {
            const std::int64_t position = row % positions;
            const std::int64_t count = std::min({end - row, positions - position, most_rows});
            const std::span<std::byte> rows = std::span(buffer).first(count * row_bytes);
            x({row, count}, rows);
            const auto* some = reinterpret_cast<const double*>(reader.rows({position, count}));
            numerics::with_floating_type(x.dtype(), [&]<class T>(std::type_identity<T>) {
                turn(pairing,
                     std::span(reinterpret_cast<const T*>(rows.data()), rows.size() / sizeof(T)),
                     columns, some, pairs, reinterpret_cast<T*>(out.data()));
            });
            out = out.subspan(rows.size());
            row += count;
        }
    });
}

}  // namespace

Rows rotated(const Rows& x, const Rotation& rotation, DType dtype) {
    if (dtype == x.dtype()) return turned_rows(x, rotation);
    return rounded(turned_rows(as_float64(x), rotation), dtype);
}

}  // namespace pegen::rows
