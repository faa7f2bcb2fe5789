#include "encodings/points/points_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/number.h"
#include "core/to_size.h"
#include "files/array_file.h"

namespace pegen::encodings {

PointsFile open_points(std::string_view path) {
    constexpr std::int64_t most_coordinates = std::int64_t{1} << 28;
    Table points = read_array(path);
    const auto refuse = [&](std::string_view what, std::string_view rule) {
        throw FormatError(path, fmt::format("{}: {}", what, rule));
    };
    const std::string shape = fmt::format("shape {}", to_string(points.shape));
    if (!is_floating(points.dtype)) {
        refuse(fmt::format("dtype {}", info(points.dtype).name),
               "points must be floats; save points.astype(float)");
    }
    if (points.shape.rank() != 2) {
        refuse(shape, "points must be (points, axes); save points.reshape(-1, axes)");
    }
    if (points.shape.size() == 0) refuse(shape, "needs at least one point with one axis");
    if (points.shape.size() > most_coordinates) refuse(shape, "needs at most 2^28 coordinates");
    return {std::string(path), std::move(points)};
}

namespace {

void check_coordinate(std::string_view path, double value, std::int64_t point, std::size_t axis) {
    if (std::isfinite(value)) return;
    throw FormatError(path, fmt::format("{} on axis {} of point {}: coordinates must be finite",
                                        shortest(value), axis, point));
}

}  // namespace

std::vector<std::vector<double>> read_points(const PointsFile& file) {
    constexpr std::int64_t values_at_once = 1 << 16;
    const Table& table = file.table;
    const std::int64_t points = table.shape[0];
    const std::int64_t at_once = rows_holding(values_at_once, table.shape[1]);
    std::vector axes(to_size(table.shape[1]), std::vector<double>(to_size(points)));
    for (std::int64_t first = 0; first < points; first += at_once) {
        const std::int64_t count = std::min(at_once, points - first);
        const std::vector<double> values = read_rows(table, {first, count});
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t axis = i % axes.size();
            const std::int64_t point = first + static_cast<std::int64_t>(i / axes.size());
            check_coordinate(file.path, values[i], point, axis);
            axes[axis][to_size(point)] = values[i];
        }
    }
    return axes;
}

}  // namespace pegen::encodings
