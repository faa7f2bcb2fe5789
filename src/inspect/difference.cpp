#include "inspect/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <concepts>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/dtype.h"
#include "core/parallel.h"
#include "formats/write.h"
#include "inspect/cell_text.h"
#include "inspect/change.h"
#include "inspect/comparison.h"
#include "inspect/wide.h"

namespace pegen {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Returns the number of a float of type T in the ascending order of all floats, without gaps: +0
/// and -0 have the same number, NaN comes after infinity.
template <class T>
std::int64_t rank_of(double value) {
    using Bits =
        std::conditional_t<sizeof(T) == 2, std::uint16_t,
                           std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
    const Bits bits = std::bit_cast<Bits>(round_to<T>(std::fabs(value)));
    const auto magnitude = static_cast<std::int64_t>(bits);
    return std::signbit(value) && !std::isnan(value) ? -magnitude : magnitude;
}

/// Returns the number of bits of the significand.
int precision(DType dtype) {
    switch (dtype) {
        case DType::float64:
            return 53;
        case DType::float32:
            return 24;
        case DType::float16:
            return 11;
        default:
            return 8;
    }
}

std::optional<DType> narrower_float(DType a, DType b) {
    if (!is_floating(a) && !is_floating(b)) return {};
    if (!is_floating(a)) return b;
    if (!is_floating(b)) return a;
    return precision(a) < precision(b) ? a : b;
}

std::uint64_t ulps_between(double a, double b, DType dtype) {
    return with_element_type(dtype, [&]<class T>(std::type_identity<T>) -> std::uint64_t {
        if constexpr (std::integral<T>) {
            return 0;
        } else {
            const auto from = static_cast<std::uint64_t>(rank_of<T>(a));
            const auto to = static_cast<std::uint64_t>(rank_of<T>(b));
            const bool is_upwards = rank_of<T>(a) < rank_of<T>(b);
            return is_upwards ? to - from : from - to;
        }
    });
}

bool is_nan(double value) { return std::isnan(value); }
bool is_nan(Wide) { return false; }

bool are_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
bool are_same(Wide a, Wide b) { return a == b; }

double distance(double a, double b) {
    return std::isfinite(a) && std::isfinite(b) ? std::fabs(a - b) : infinity;
}
double distance(Wide a, Wide b) { return static_cast<double>(a < b ? b - a : a - b); }

/// The largest value so far, and the first element that has this value.
template <class T>
struct Largest {
    T value{};
    std::int64_t element = -1;

    void offer(T other, std::int64_t at) {
        if (element >= 0 && !(other > value)) return;
        value = other;
        element = at;
    }
};

struct Part {
    std::int64_t differing = 0;
    std::int64_t beyond = 0;
    Largest<double> distance;
    double finite_distance = 0;
    double float32_units = 0;
    Largest<std::uint64_t> ulps;

    void add(const Part& later) {
        differing += later.differing;
        beyond += later.beyond;
        finite_distance = std::max(finite_distance, later.finite_distance);
        float32_units = std::max(float32_units, later.float32_units);
        if (later.distance.element >= 0)
            distance.offer(later.distance.value, later.distance.element);
        if (later.ulps.element >= 0) ulps.offer(later.ulps.value, later.ulps.element);
    }
};

/// The positions that the elements belong to.
struct Places {
    Axis axis{};
    std::int64_t stride = 1;  ///< elements from one index of the axis to the next
    std::int64_t extent = 1;

    double position_of(std::int64_t element) const {
        return std::fabs(position_at(axis, element / stride % extent).value_or(0));
    }
};

Places places_of(const Table& a, const Table& b, std::optional<int> asked_for) {
    if (a.shape.size() == 0 || a.shape.rank() == 0) return {};
    std::optional<int> number = asked_for;
    if (!number) number = find_axis(b.axes, AxisKind::position);
    if (!number) number = find_axis(a.axes, AxisKind::position);
    const std::size_t axis = number.value_or(0);
    const Table& knowing = b.axes[axis].kind == AxisKind::other ? a : b;
    return {knowing.axes[axis], strides_of(a.shape.extents())[axis], a.shape.extents()[axis]};
}

/// Two tables and the data needed to compare them.
struct Pair {
    const Table& a;
    const Table& b;
    const Tolerance& tolerance;
    std::optional<DType> ulp_dtype = narrower_float(a.dtype, b.dtype);
    std::int64_t columns = a.shape.columns();
    Places places = places_of(a, b, tolerance.position_axis);

    bool allows(double apart, double reference, std::uint64_t ulps, double position) const {
        if (apart == infinity) return false;
        if (tolerance.ulps && ulp_dtype && ulps <= *tolerance.ulps) return true;
        return apart <= tolerance.absolute + tolerance.relative * std::fabs(reference) +
                            tolerance.position * position * 0x1p-23;
    }
};

template <class Number>
Part part_of(const Pair& pair, std::span<const Number> a, std::span<const Number> b,
             std::int64_t first_element) {
    Part part;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (are_same(a[i], b[i])) continue;
        const std::int64_t element = first_element + static_cast<std::int64_t>(i);
        const double apart = distance(a[i], b[i]);
        std::uint64_t ulps = 0;
        if (pair.ulp_dtype) {
            ulps =
                ulps_between(static_cast<double>(a[i]), static_cast<double>(b[i]), *pair.ulp_dtype);
            if (!is_nan(a[i]) && !is_nan(b[i])) part.ulps.offer(ulps, element);
        }
        part.distance.offer(apart, element);
        if (apart < infinity) part.finite_distance = std::max(part.finite_distance, apart);
        ++part.differing;
        const double position = pair.places.position_of(element);
        part.float32_units = std::max(part.float32_units, apart / (position * 0x1p-23));
        if (!pair.allows(apart, static_cast<double>(b[i]), ulps, position)) ++part.beyond;
    }
    return part;
}

/// The elements of a tile, and buffers for them as numbers.
struct Elements {
    std::vector<std::byte> bytes;
    std::vector<double> reals;
    std::vector<Wide> integers;

    void fill(const Table& table, RowRange range) {
        bytes.resize(range.count * row_bytes(table));
        table.rows(range, bytes);
    }
    std::span<const double> as_reals(DType dtype) {
        reals.resize(bytes.size() / info(dtype).size);
        load(bytes, dtype, reals);
        return reals;
    }
    std::span<const Wide> as_integers(DType dtype) {
        integers.clear();
        with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
            if constexpr (std::integral<T>) {
                for (std::size_t offset = 0; offset < bytes.size(); offset += sizeof(T)) {
                    T element;
                    std::memcpy(&element, bytes.data() + offset, sizeof element);
                    integers.push_back(element);
                }
            }
        });
        return integers;
    }
};

struct Product {
    Elements a;
    Elements b;
    Part part;
};

void compare_tile(const Pair& pair, RowRange range, Product& product) {
    const DType a = pair.a.dtype, b = pair.b.dtype;
    product.a.fill(pair.a, range);
    product.b.fill(pair.b, range);
    product.part = {};
    if (a == b && product.a.bytes == product.b.bytes) return;
    const std::int64_t first = range.first * pair.columns;
    if (is_floating(a) || is_floating(b)) {
        product.part = part_of(pair, product.a.as_reals(a), product.b.as_reals(b), first);
    } else {
        product.part = part_of(pair, product.a.as_integers(a), product.b.as_integers(b), first);
    }
}

std::optional<Place> place_of(const Pair& pair, std::int64_t element) {
    if (element < 0) return {};
    return Place{index_of(element, pair.a.shape.extents()), element_text(pair.a, element),
                 element_text(pair.b, element)};
}

/// Returns the tiles of the table with the wider elements: the same rows are read from both tables.
Tiles common_tiles(const Table& a, const Table& b) {
    return tiles_of(row_bytes(a) > row_bytes(b) ? a : b);
}

}  // namespace

Difference difference_of(const Table& a, const Table& b, const Tolerance& tolerance,
                         const Progress& progress) {
    assert(a.shape == b.shape);
    const Pair pair{a, b, tolerance};
    const Tiles tiles = common_tiles(a, b);
    std::vector<Product> products(thread_count());
    Part all;
    parallel_in_order(
        a.shape.size() > 0 ? tiles.count() : 0,
        [&](std::int64_t tile, int worker) { compare_tile(pair, tiles[tile], products[worker]); },
        [&](std::int64_t tile, int worker) {
            all.add(products[worker].part);
            progress(tiles[tile].first + tiles[tile].count, tiles.rows);
        });
    return {.values = a.shape.size(),
            .differing = all.differing,
            .beyond = all.beyond,
            .largest = all.distance.value,
            .largest_place = place_of(pair, all.distance.element),
            .largest_finite = all.finite_distance,
            .float32_units = all.float32_units,
            .ulp_dtype = pair.ulp_dtype,
            .largest_ulps = all.ulps.value,
            .ulps_place = place_of(pair, all.ulps.element)};
}

Table subtracted(const Table& a, const Table& b) {
    assert(a.shape == b.shape);
    Table table = b;
    table.dtype = DType::float64;
    table.provenance = {};
    table.sibling = nullptr;
    table.rows = rows_like(table, [a, b](RowRange range, std::span<std::byte> out) {
        std::vector<double> values = read_rows(a, range);
        const std::vector<double> others = read_rows(b, range);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = are_same(values[i], others[i]) ? 0 : values[i] - others[i];
        }
        store(values, DType::float64, out);
    });
    return table;
}

namespace {

bool are_transposed(const Shape& a, const Shape& b) {
    return std::ranges::equal(a.extents(), std::vector(b.extents().rbegin(), b.extents().rend()));
}

/// Returns the first rows of a matrix as rows of a sequence, whatever they are in an encoding.
PositionTable first_rows(Table table) {
    constexpr std::int64_t most = 64;
    table.shape = {std::min(table.shape[0], most), table.shape[1]};
    table.axes = {Axis{.name = "row"}, Axis{.kind = AxisKind::channel, .name = "channel"}};
    return read_positions(table);
}

/// Finds the shift of the rows and the order of the channels that make the first rows of two
/// matrices alike, but for errors that float32 code may have there.
std::optional<Rearrangement> rearrangement_of(const Table& a, const Table& b) {
    constexpr std::int64_t most_columns = 1 << 12;
    constexpr Closeness closeness{.position = 0x1p-22, .relative = 1e-4};
    if (a.shape[1] > most_columns || a.shape.size() == 0 || b.shape.size() == 0) return {};
    return compare(first_rows(a), first_rows(b), closeness).rearrangement;
}

/// Returns "B has 2 more rows" or the like; "" if both have the same number of rows.
std::string count_of_rows(std::int64_t a, std::int64_t b) {
    if (a == b) return "";
    const std::int64_t more = std::abs(a - b);
    return fmt::format("{} has {} more row{}", a > b ? 'A' : 'B', more, more == 1 ? "" : "s");
}

/// Returns how all values of A were changed, as a sentence; "" if no way is found.
std::string change_text(const Table& a, const Table& b) {
    constexpr std::int64_t enough = 1 << 16;
    const RowRange rows{0, std::min(a.shape.rows(), rows_holding(enough, a.shape.columns()))};
    const std::vector<double> given = read_rows(a, rows), made = read_rows(b, rows);
    const std::string change = change_or_noise_of({made, given, a.shape.columns()});
    return change.empty() ? "" : fmt::format("A is B, but {}, judging by the first rows.", change);
}

}  // namespace

std::string reason_of(const Table& a, const Table& b) {
    if (a.shape != b.shape && a.shape.rank() > 1 && are_transposed(a.shape, b.shape)) {
        return "The shapes are transposed of each other: save array.T of one of them.";
    }
    const bool are_matrices = a.shape.rank() == 2 && b.shape.rank() == 2;
    if (!are_matrices || a.shape[1] != b.shape[1]) return "";
    const std::optional<Rearrangement> found = rearrangement_of(a, b);
    const std::string count = count_of_rows(a.shape[0], b.shape[0]);
    if (!found && count.empty()) return change_text(a, b);
    if (!found) return count + ".";
    const std::string order = order_text(*found, "channels");
    if (found->shift == 0 && order.empty() && found->zeros.empty()) {
        return count.empty() ? "" : count + "; the first rows are equal.";
    }
    const std::string rows =
        found->shift == 0
            ? "A is B"
            : fmt::format("{}ow r of A is row r {} {} of B", count.empty() ? "R" : "r",
                          found->shift > 0 ? '+' : '-', std::abs(found->shift));
    return fmt::format("{}{}{}{}{}, judging by the first rows.", count, count.empty() ? "" : "; ",
                       rows, order, exceptions_text(*found, "one of them"));
}

}  // namespace pegen
