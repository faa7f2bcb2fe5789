#include "rows/rotated.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/clones.h"
#include "core/element.h"
#include "core/to_size.h"
#include "numerics/floating_type.h"
#include "rows/as_float64.h"
#include "rows/axis_table.h"

namespace pegen::rows {
namespace {

constexpr std::int64_t most_kept_angles = std::int64_t{1} << 24;

/// As many rows as hold angles that stay in the cache.
std::int64_t rows_in_cache(std::int64_t pairs) {
    return rows_holding(std::int64_t{1} << 14, pairs);
}

/// Turns a rotation by (cos, sin), times a factor, into the one that undoes it.
void invert(std::span<double> cos, std::span<double> sin) {
    for (std::size_t m = 0; m < cos.size(); ++m) {
        const double square = cos[m] * cos[m] + sin[m] * sin[m];
        // Without a factor it is 1 but for rounding, and dividing would round once more.
        const bool has_factor = std::fabs(square - 1) > 0x1p-50;
        cos[m] /= has_factor ? square : 1;
        sin[m] /= has_factor ? -square : -1;
    }
}

/// Returns rows of the cosines of a position, then its sines: what is multiplied with.
RowSource angles_of(const Rotation& rotation) {
    return [=](RowRange range, std::span<std::byte> out) {
        const std::size_t pairs = to_size(rotation.pairs);
        const std::int64_t most_rows = std::min(range.count, rows_in_cache(rotation.pairs));
        std::vector<double> cos(to_size(most_rows) * pairs), sin(cos.size());
        auto* place = reinterpret_cast<double*>(out.data());
        for (std::int64_t done = 0; done < range.count; done += most_rows) {
            const RowRange some{range.first + done, std::min(most_rows, range.count - done)};
            const std::size_t count = to_size(some.count) * pairs;
            rotation.cos(some, std::as_writable_bytes(std::span(cos).first(count)));
            rotation.sin(some, std::as_writable_bytes(std::span(sin).first(count)));
            if (rotation.is_inverse) invert(std::span(cos).first(count), sin);
            for (std::size_t first = 0; first < count; first += pairs) {
                place = std::copy_n(cos.data() + first, pairs, place);
                place = std::copy_n(sin.data() + first, pairs, place);
            }
        }
    };
}

template <class T>
struct Pair {
    T a, b;
};

template <class T>
Pair<T> turned(T a, T b, double cos, double sin) {
    const double x = widen(a);
    const double y = widen(b);
    return {round_to<T>(x * cos - y * sin), round_to<T>(x * sin + y * cos)};
}

/// Turns `rows` rows of `columns` channels in their place.
template <class T>
PEGEN_CLONES void turn_halves(T* row, std::size_t rows, std::size_t columns, const double* angles,
                              std::size_t pairs) {
    for (; rows > 0; --rows, row += columns, angles += 2 * pairs) {
        T* __restrict const first = row;
        T* __restrict const second = row + pairs;
        for (std::size_t m = 0; m < pairs; ++m) {
            const auto [a, b] = turned(first[m], second[m], angles[m], angles[pairs + m]);
            first[m] = a;
            second[m] = b;
        }
    }
}

template <class T>
PEGEN_CLONES void turn_neighbours(T* row, std::size_t rows, std::size_t columns,
                                  const double* angles, std::size_t pairs) {
    for (; rows > 0; --rows, row += columns, angles += 2 * pairs) {
        T* __restrict const place = row;
        for (std::size_t m = 0; m < pairs; ++m) {
            const auto [a, b] =
                turned(place[2 * m], place[2 * m + 1], angles[m], angles[pairs + m]);
            place[2 * m] = a;
            place[2 * m + 1] = b;
        }
    }
}

template <class T>
void turn(Pairing pairing, std::span<T> rows, std::size_t columns, const double* angles,
          std::size_t pairs) {
    const auto turn_rows = pairing == Pairing::half ? turn_halves<T> : turn_neighbours<T>;
    turn_rows(rows.data(), rows.size() / columns, columns, angles, pairs);
}

/// The rows of `x` in its own dtype, turned where they are read to.
RowSource turned_in_place(const Table& x, const Rotation& rotation) {
    constexpr auto value_bytes = static_cast<std::int64_t>(sizeof(double));
    const auto angles = std::make_shared<const AxisTable>(angles_of(rotation), rotation.positions,
                                                          2 * rotation.pairs * value_bytes,
                                                          most_kept_angles * value_bytes);
    return [=, source = x.rows, dtype = x.dtype, columns = x.shape.columns(),
            positions = rotation.positions, pairs = rotation.pairs,
            pairing = rotation.pairing](RowRange range, std::span<std::byte> out) {
        if (out.empty()) return;
        source(range, out);
        AxisReader reader(*angles);
        const std::int64_t most_rows = rows_in_cache(pairs);
        const std::size_t row_bytes = to_size(columns) * info(dtype).size;
        const std::int64_t end = range.first + range.count;
        for (std::int64_t row = range.first; row < end;) {
            const std::int64_t position = row % positions;
            const std::int64_t count = std::min({end - row, positions - position, most_rows});
            const auto* some = reinterpret_cast<const double*>(reader.rows({position, count}));
            const std::span<std::byte> rows =
                out.subspan(to_size(row - range.first) * row_bytes, to_size(count) * row_bytes);
            numerics::with_floating_type(dtype, [&]<class T>(std::type_identity<T>) {
                turn(pairing, std::span(reinterpret_cast<T*>(rows.data()), rows.size() / sizeof(T)),
                     to_size(columns), some, to_size(pairs));
            });
            row += count;
        }
    };
}

}  // namespace

RowSource rotated(const Table& x, const Rotation& rotation, DType dtype) {
    if (dtype == x.dtype) return turned_in_place(x, rotation);
    return rounded(turned_in_place(as_float64(x), rotation), x.shape.columns(), dtype);
}

}  // namespace pegen::rows
