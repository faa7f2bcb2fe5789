#include "recognition/evidence/circle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "recognition/evidence/median.h"

namespace pegen::evidence {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A cell with a sine and a cosine, as a point (sum, square). Points that share a circle are on the
/// line square = 2 offset * sum + (radius^2 - 2 offset^2).
struct Cell {
    double sum;        ///< sine + cosine
    double square;     ///< sine^2 + cosine^2
    double tolerance;  ///< tolerance of the square
};

/// Code rounds the sine, the cosine and perhaps their product with a factor, each by half a unit.
constexpr double roundings = 4;

/// Where an offset was subtracted in doubles, small values have lost digits.
constexpr double double_share = 4e-15;

std::vector<Cell> cells_of(const WavePairs& pairs) {
    std::vector<Cell> cells;
    cells.reserve(pairs.sines.size());
    for (std::size_t i = 0; i < pairs.sines.size(); ++i) {
        const double s = pairs.sines[i], c = pairs.cosines[i];
        if (!std::isfinite(s) || !std::isfinite(c) || (s == 0 && c == 0)) continue;
        const double tolerance = roundings * (std::fabs(s) * pairs.sine_errors[i] +
                                              std::fabs(c) * pairs.cosine_errors[i]);
        cells.push_back({s + c, s * s + c * c, tolerance});
    }
    return cells;
}

/// Returns the largest error of a sine or cosine. Where an offset was subtracted after rounding,
/// small values have the errors of large values.
double largest_error(const WavePairs& pairs) {
    double largest = 0;
    for (const double error : pairs.sine_errors) largest = std::max(largest, error);
    for (const double error : pairs.cosine_errors) largest = std::max(largest, error);
    return largest;
}

/// Makes the tolerance of every cell large enough for this error.
void loosen(std::vector<Cell>& cells, double error) {
    double largest_square = 0;
    for (const Cell& cell : cells) largest_square = std::max(largest_square, cell.square);
    const double tolerance = 2 * roundings * error * std::sqrt(largest_square);
    for (Cell& cell : cells) cell.tolerance = std::max(cell.tolerance, tolerance);
}

struct Line {
    double slope;
    double height;

    double distance(const Cell& cell) const {
        return std::fabs(cell.square - height - slope * cell.sum);
    }
};

/// Returns the line through the cells that are at most `limit` from `line`; `line` itself if the
/// sums of these cells are all alike.
Line line_through(const std::vector<Cell>& cells, const Line& line, double limit) {
    double n = 0, x = 0, y = 0;
    for (const Cell& cell : cells) {
        if (line.distance(cell) > limit) continue;
        n += 1;
        x += cell.sum;
        y += cell.square;
    }
    if (n == 0) return line;
    const double mean_x = x / n, mean_y = y / n;
    double xx = 0, xy = 0;
    for (const Cell& cell : cells) {
        if (line.distance(cell) > limit) continue;
        xx += (cell.sum - mean_x) * (cell.sum - mean_x);
        xy += (cell.sum - mean_x) * (cell.square - mean_y);
    }
    if (xx <= 1e-6 * n * mean_y) return line;
    const double slope = xy / xx;
    return {slope, mean_y - slope * mean_x};
}

/// Returns the line through most of the cells: repeatedly leaves out the cells farthest from the
/// line.
Line robust_line(const std::vector<Cell>& cells, Line line) {
    line = line_through(cells, line, infinity);
    constexpr int rounds = 6;
    for (int round = 0; round < rounds; ++round) {
        std::vector<double> distances;
        distances.reserve(cells.size());
        for (const Cell& cell : cells) distances.push_back(line.distance(cell));
        line = line_through(cells, line, 4 * median(std::move(distances)));
    }
    return line;
}

struct Fit {
    std::size_t cells = 0;  ///< number of cells on the line
    double scatter = 0;     ///< root mean square of their distances
    double tolerance = 0;   ///< mean tolerance of these cells
};

Fit fit_of(const std::vector<Cell>& cells, const Line& line) {
    Fit fit;
    for (const Cell& cell : cells) {
        const double distance = line.distance(cell);
        if (distance > cell.tolerance + double_share * cell.square) continue;
        ++fit.cells;
        fit.scatter += distance * distance;
        fit.tolerance += cell.tolerance;
    }
    const auto n = static_cast<double>(std::max<std::size_t>(fit.cells, 1));
    fit.scatter = std::sqrt(fit.scatter / n);
    fit.tolerance /= n;
    return fit;
}

}  // namespace

LayoutColumns columns_of(const numerics::ChannelLayout& layout) {
    using numerics::Function;
    LayoutColumns columns{{}, std::vector<std::int64_t>(layout.channels, -1)};
    for (const numerics::ChannelRun& run : layout.runs) {
        for (std::int64_t i = 0; i < run.count; ++i) {
            const std::int64_t column = run.first_channel + i * run.channel_stride;
            const std::int64_t frequency = run.first_frequency + i * run.frequency_stride;
            columns.pair_of_column[column] = frequency;
            if (run.function != Function::sin) continue;
            const auto cosine = numerics::channel_with(layout, {Function::cos, frequency});
            if (cosine) columns.pairs.push_back({.sine = column, .cosine = *cosine});
        }
    }
    return columns;
}

WavePairs pairs_of(const Sample& sample, std::span<const std::int64_t> rows,
                   std::span<const WaveColumns> columns) {
    WavePairs pairs{.rows = std::ssize(rows), .pairs = std::ssize(columns)};
    const std::size_t cells = rows.size() * columns.size();
    for (auto* values : {&pairs.sines, &pairs.cosines, &pairs.sine_errors, &pairs.cosine_errors}) {
        values->reserve(cells);
    }
    for (const WaveColumns& column : columns) {
        for (const std::int64_t row : rows) {
            const std::int64_t place = row * sample.extents.back();
            const double sine = sample.values[place + column.sine];
            const double cosine = sample.values[place + column.cosine];
            pairs.sines.push_back(sine);
            pairs.cosines.push_back(cosine);
            pairs.sine_errors.push_back(sample.error_of(sine));
            pairs.cosine_errors.push_back(sample.error_of(cosine));
        }
    }
    return pairs;
}

std::optional<Circle> common_circle(const WavePairs& pairs, double least_share) {
    std::vector<Cell> cells = cells_of(pairs);
    if (cells.empty()) return std::nullopt;
    std::vector<double> squares;
    squares.reserve(cells.size());
    for (const Cell& cell : cells) squares.push_back(cell.square);
    Line line{0, median(std::move(squares))};
    const auto enough =
        static_cast<std::size_t>(std::ceil(least_share * static_cast<double>(cells.size())));
    Fit fit = fit_of(cells, line);
    if (fit.cells < enough) {
        loosen(cells, largest_error(pairs));
        line = robust_line(cells, line);
        fit = fit_of(cells, line);
        if (fit.cells < enough) return std::nullopt;
    }
    const double offset = line.slope / 2;
    const double square = line.height + 2 * offset * offset;
    if (!(square > 0)) return std::nullopt;
    const double radius = std::sqrt(square);
    const double error =
        (3 * fit.scatter / std::sqrt(static_cast<double>(fit.cells)) + fit.tolerance / 8) /
        (2 * radius);
    return Circle{.radius = {radius, error}, .offset = {offset, offset == 0 ? 0 : error}};
}

Angles angles_of(const WavePairs& pairs, const Circle& circle) {
    Angles angles{.rows = pairs.rows, .pairs = pairs.pairs};
    angles.values.reserve(pairs.sines.size());
    angles.errors.reserve(pairs.sines.size());
    const double radius = circle.radius.value, offset = circle.offset.value;
    const double least_error = offset == 0 ? 0 : double_share;
    const double least_cell_error = offset == 0 ? 0 : largest_error(pairs);
    for (std::size_t i = 0; i < pairs.sines.size(); ++i) {
        const double s = pairs.sines[i] - offset, c = pairs.cosines[i] - offset;
        const double sine_error =
            std::max(pairs.sine_errors[i], least_cell_error) + circle.offset.error;
        const double cosine_error =
            std::max(pairs.cosine_errors[i], least_cell_error) + circle.offset.error;
        const double along = (std::fabs(c) * sine_error + std::fabs(s) * cosine_error);
        const double across = (std::fabs(s) * sine_error + std::fabs(c) * cosine_error);
        const double distance = std::fabs(s * s + c * c - radius * radius);
        const double tolerance = 2 * roundings * across + 4 * radius * circle.radius.error +
                                 double_share * radius * radius;
        const bool is_on_circle = distance <= tolerance;
        angles.values.push_back(is_on_circle ? std::atan2(s, c) : 0);
        angles.errors.push_back(is_on_circle ? along / (radius * radius) + least_error : infinity);
    }
    return angles;
}

double wrapped(double angle) { return std::remainder(angle, 2 * std::numbers::pi); }

}  // namespace pegen::evidence
