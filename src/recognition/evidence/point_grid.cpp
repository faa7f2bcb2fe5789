#include "recognition/evidence/point_grid.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <span>

namespace pegen::evidence {
namespace {

using Extents = std::vector<std::int64_t>;

std::int64_t stride_in(const Extents& extents, std::size_t axis) {
    return std::accumulate(extents.begin() + static_cast<std::ptrdiff_t>(axis) + 1, extents.end(),
                           std::int64_t{1}, std::multiplies<>());
}

/// The rows in memory from the row of point 0 on.
struct Points {
    const Sample& sample;
    std::int64_t first_row;
    double tolerance;  ///< values that differ by less are the same

    std::int64_t count() const { return sample.leading - first_row; }
    std::int64_t columns() const { return sample.extents.back(); }
    double value(std::int64_t point, std::int64_t column) const {
        return sample.values[(first_row + point) * columns() + column];
    }
};

/// Returns the distance between the points that are looked at: about a thousand, at all indices.
std::int64_t step_among(std::int64_t points, std::int64_t period) {
    constexpr std::int64_t enough = 1000;
    std::int64_t step = 1 + points / enough;
    while (std::gcd(step, period) != 1) ++step;
    return step;
}

/// True if the column depends only on the index point / stride % extent.
bool depends_on(const Points& points, std::int64_t column, std::int64_t stride,
                std::int64_t extent) {
    const std::int64_t step = step_among(points.count(), stride * extent);
    for (std::int64_t point = 0; point < points.count(); point += step) {
        const double expected = points.value(point / stride % extent * stride, column);
        if (!(std::fabs(points.value(point, column) - expected) <= points.tolerance)) return false;
    }
    return true;
}

std::int64_t constant_columns(const Points& points) {
    std::int64_t count = 0;
    for (std::int64_t column = 0; column < points.columns(); ++column) {
        count += depends_on(points, column, points.count(), 1) ? 1 : 0;
    }
    return count;
}

/// Returns the axis on which the column depends; none if it depends on more than one axis.
std::optional<int> axis_of(const Points& points, std::int64_t column, const Extents& extents) {
    if (depends_on(points, column, points.count(), 1)) return PointGrid::no_axis;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        if (extents[axis] > 1 &&
            depends_on(points, column, stride_in(extents, axis), extents[axis])) {
            return static_cast<int>(axis);
        }
    }
    return std::nullopt;
}

std::optional<PointGrid> grid_of(const Points& points, Extents extents) {
    // A few columns are enough to refuse nearly every wrong grid.
    constexpr std::int64_t probes = 5;
    const std::int64_t step = std::max<std::int64_t>(1, points.columns() / probes);
    for (std::int64_t column = 0; column < points.columns(); column += step) {
        if (!axis_of(points, column, extents)) return std::nullopt;
    }
    PointGrid grid{points.first_row, std::move(extents), {}};
    for (std::int64_t column = 0; column < points.columns(); ++column) {
        const std::optional<int> axis = axis_of(points, column, grid.extents);
        if (!axis) return std::nullopt;
        grid.axis_of_column.push_back(*axis);
    }
    for (std::size_t axis = 0; axis < grid.extents.size(); ++axis) {
        const bool has_one_index = grid.extents[axis] == 1;
        const int columns_of = has_one_index ? PointGrid::no_axis : static_cast<int>(axis);
        if (std::ranges::count(grid.axis_of_column, columns_of) < (has_one_index ? 2 : 1)) {
            return std::nullopt;
        }
    }
    return grid;
}

/// Returns two tolerances: 0 plus noise, for tables in which equal angles have equal sines, and the
/// error of float32 code that computes the same sine in different ways.
std::vector<double> tolerances(const Sample& sample) {
    const double largest = largest_magnitude(std::span(sample.values).first(sample.extents.back()));
    return {2 * sample.noise, 2 * sample.noise + largest * 0x1p-22};
}

Extents divisors(std::int64_t number) {
    Extents found;
    for (std::int64_t divisor = 1; divisor <= number / divisor; ++divisor) {
        if (number % divisor != 0) continue;
        found.push_back(divisor);
        if (divisor != number / divisor) found.push_back(number / divisor);
    }
    std::ranges::sort(found);
    return found;
}

/// Returns the extents of all grids with this many points. Grids with extent 1 along an axis come
/// last.
std::vector<Extents> possible_extents(std::int64_t points) {
    std::vector<Extents> found = grids_of(points, 2, 1);
    std::ranges::move(grids_of(points, 3, 1), std::back_inserter(found));
    std::stable_partition(found.begin(), found.end(), [](const Extents& extents) {
        return std::ranges::count(extents, 1) == 0;
    });
    return found;
}

/// True if the points in memory show the faster axes beginning again.
bool is_shown(const Points& points, const Extents& extents) {
    const std::int64_t stride = stride_in(extents, 0);
    return extents.front() == 1 ? points.count() >= stride : points.count() >= 2 * stride;
}

}  // namespace

std::int64_t PointGrid::stride(std::size_t axis) const { return stride_in(extents, axis); }

std::vector<std::int64_t> PointGrid::line(std::size_t axis, const Sample& sample) const {
    std::vector<std::int64_t> rows;
    const std::int64_t step = stride(axis);
    for (std::int64_t i = 0; i < extents[axis] && first_row + i * step < sample.leading; ++i) {
        rows.push_back(first_row + i * step);
    }
    return rows;
}

std::vector<Extents> grids_of(std::int64_t points, std::size_t axes, std::int64_t least) {
    if (axes == 1) return {{points}};
    std::vector<Extents> grids;
    for (const std::int64_t first : divisors(points)) {
        for (const Extents& rest : grids_of(points / first, axes - 1, least)) {
            grids.push_back({first});
            grids.back().insert(grids.back().end(), rest.begin(), rest.end());
        }
    }
    std::erase_if(grids, [=](const Extents& grid) { return std::ranges::min(grid) < least; });
    return grids;
}

std::int64_t leading_zero_rows(const Sample& sample) {
    const auto first = std::ranges::find_if(sample.values, [](double value) { return value != 0; });
    return first == sample.values.end() ? sample.leading
                                        : (first - sample.values.begin()) / sample.extents.back();
}

std::optional<PointGrid> point_grid(const Sample& sample, std::int64_t first_row,
                                    std::vector<std::int64_t> extents) {
    if (first_row >= sample.leading) return std::nullopt;
    for (const double tolerance : tolerances(sample)) {
        const Points points{sample, first_row, tolerance};
        if (!is_shown(points, extents)) return std::nullopt;
        if (auto grid = grid_of(points, extents)) return grid;
    }
    return std::nullopt;
}

std::vector<PointGrid> point_grids(const Sample& sample, std::int64_t first_row) {
    constexpr std::int64_t most_points = std::int64_t{1} << 32;
    const std::int64_t count = sample.extents.front() - first_row;
    if (count < 2 || count > most_points || first_row >= sample.leading) return {};
    // A table of a grid fits one or two grids; a table with few different values may fit many.
    constexpr std::size_t most_grids = 6;
    const std::vector<Extents> possible = possible_extents(count);
    std::vector<PointGrid> found;
    for (const double tolerance : tolerances(sample)) {
        const Points points{sample, first_row, tolerance};
        const std::int64_t constant = constant_columns(points);
        if (constant == points.columns()) return {};
        for (const Extents& extents : possible) {
            if (found.size() == most_grids) break;
            if (constant < 2 * std::ranges::count(extents, 1)) continue;
            if (!is_shown(points, extents)) continue;
            if (auto grid = grid_of(points, extents)) found.push_back(std::move(*grid));
        }
        if (!found.empty()) break;
    }
    return found;
}

}  // namespace pegen::evidence
