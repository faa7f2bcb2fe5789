#include "encodings/parameters/points_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace pegen::encodings {

PointsFile open_points(std::string_view path) {
    constexpr std::int64_t most_coordinates = std::int64_t{1} << 28;
    PointsFile file{with_numbers({std::string(path), read_array(path)}, "points")};
    if (file.table.shape.rank() == 1) {
        file.table.shape = {file.table.shape[0], 1};
        file.table.axes.push_back({.name = "axis1"});
    }
    const Shape& shape = file.table.shape;
    const auto refuse = [&](std::string_view rule) {
        throw FormatError(path, fmt::format("shape {}: {}", to_string(shape), rule));
    };
    if (shape.rank() != 2) refuse("points must be (points, axes); save points.reshape(-1, axes)");
    if (shape.size() == 0) refuse("needs at least one point with one axis");
    if (shape.size() > most_coordinates) refuse("needs at most 2^28 coordinates");
    return file;
}

std::vector<std::vector<double>> read_points(const PointsFile& file) {
    constexpr std::int64_t values_at_once = 1 << 16;
    const Table& table = file.table;
    const std::int64_t points = table.shape[0];
    const std::int64_t at_once = rows_holding(values_at_once, table.shape[1]);
    std::vector axes(table.shape[1], std::vector<double>(points));
    for (std::int64_t first = 0; first < points; first += at_once) {
        const std::int64_t count = std::min(at_once, points - first);
        const std::vector<double> values = read_rows(table, {first, count});
        check_finite(file, values, first * table.shape[1], "points");
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t axis = i % axes.size();
            axes[axis][first + i / axes.size()] = values[i];
        }
    }
    return axes;
}

Parameters with_points(Parameters p, const PointsFile& file,
                       std::initializer_list<std::string_view> of_grid) {
    constexpr std::string_view reason = "cannot be used with --points";
    p = without(std::move(p), {"height", "width", "depth"}, reason);
    p = without(std::move(p), of_grid, reason);
    for (const char* name : {"height", "width", "depth"}) p.resolve(name, {});
    const std::string shape = to_string(file.table.shape);
    if (file.axes() != 2 && file.axes() != 3) {
        throw FormatError(
            p.word("points"),
            fmt::format("shape {}: needs 2 columns, y and x, or 3, t, y and x", shape));
    }
    if (!p.has("axes")) p.resolve("axes", std::string(file.axes() == 2 ? "yx" : "tyx"));
    if (file.axes() != std::ssize(p.word("axes"))) {
        throw UsageError(fmt::format("--axes {}: --points {} has {} columns, one for each axis",
                                     p.word("axes"), p.word("points"), file.axes()));
    }
    return p;
}

}  // namespace pegen::encodings
