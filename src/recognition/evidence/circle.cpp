#include "recognition/evidence/circle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "recognition/evidence/distribution.h"

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

namespace {

/// The largest drift of float32 code from the straight line, at positions of 10^5.
constexpr double largest_drift = 0.02;

struct AngleCell {
    double row;
    double angle;
    double error;
};

std::vector<AngleCell> known_cells(std::span<const double> angles, std::span<const double> errors) {
    std::vector<AngleCell> cells;
    cells.reserve(angles.size());
    for (std::size_t row = 0; row < angles.size(); ++row) {
        if (std::isfinite(errors[row])) {
            cells.push_back({static_cast<double>(row), angles[row], errors[row]});
        }
    }
    return cells;
}

/// Returns the number below which three quarters of the values are.
double three_quarters(std::vector<double>& values) {
    const auto place = values.begin() + 3 * std::ssize(values) / 4;
    std::ranges::nth_element(values, place);
    return *place;
}

/// Returns the middle of angles that are near each other. Clears the list.
double middle_angle(std::vector<double>& angles) {
    double sines = 0, cosines = 0;
    for (const double angle : angles) {
        sines += std::sin(angle);
        cosines += std::cos(angle);
    }
    const double mean = std::atan2(sines, cosines);
    for (double& angle : angles) angle = wrapped(angle - mean);
    return mean + median(angles);
}

/// Returns the advance, measured between rows farther and farther apart, so that it becomes as
/// precise as all rows allow without being led astray by spoiled rows.
double advance_of(std::span<const double> angles, std::span<const double> errors) {
    double advance = 0;
    std::vector<double> differences;
    for (std::size_t lag = 1; lag < angles.size(); lag *= 2) {
        const double expected = advance * static_cast<double>(lag);
        differences.clear();
        for (std::size_t row = lag; row < angles.size(); ++row) {
            if (std::isfinite(errors[row]) && std::isfinite(errors[row - lag])) {
                differences.push_back(wrapped(angles[row] - angles[row - lag] - expected));
            }
        }
        if (differences.empty()) continue;
        const double more = lag == 1 ? middle_angle(differences) : median(differences);
        advance += more / static_cast<double>(lag);
        if (lag > 1 && angles.size() / lag < 4) break;
    }
    return advance;
}

/// A straight line through cells, relative to a first guess, and how well the cells are on it.
struct LineFit {
    Measured slope;
    Measured height;
    std::size_t cells;   ///< number of cells near the line
    double scatter = 0;  ///< root mean square distance from the line, in errors
};

/// Fits residual = height + slope * row to the cells that are near the line `before`: within 8 of
/// their errors and `drift`.
LineFit fitted(const std::vector<AngleCell>& cells, const std::vector<double>& residuals,
               double least_error, const LineFit& before, double drift) {
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
    const auto distance = [&](std::size_t i, const LineFit& fit) {
        return residuals[i] - fit.height.value - fit.slope.value * cells[i].row;
    };
    const auto is_near = [&](std::size_t i) {
        return std::fabs(distance(i, before)) <= 8 * cells[i].error + drift;
    };
    const auto weight = [&](std::size_t i) {
        const double error = std::max(cells[i].error, least_error);
        return 1 / (error * error);
    };
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!is_near(i)) continue;
        const double weight_i = weight(i);
        w += weight_i;
        wx += weight_i * cells[i].row;
        wy += weight_i * residuals[i];
    }
    if (w == 0) return {{0, 0}, {0, 0}, 0};
    const double mean_x = wx / w, mean_y = wy / w;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!is_near(i)) continue;
        wxx += weight(i) * (cells[i].row - mean_x) * (cells[i].row - mean_x);
        wxy += weight(i) * (cells[i].row - mean_x) * (residuals[i] - mean_y);
    }
    LineFit fit{{0, 0}, {0, 0}, 0};
    fit.slope.value = wxx > 0 ? wxy / wxx : 0;
    fit.height.value = mean_y - fit.slope.value * mean_x;
    double squares = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!is_near(i)) continue;
        ++fit.cells;
        squares += weight(i) * distance(i, fit) * distance(i, fit);
    }
    fit.scatter = std::sqrt(squares / static_cast<double>(fit.cells));
    const double sigmas = 3 * std::max(fit.scatter, 1.0);
    fit.slope.error = wxx > 0 ? sigmas / std::sqrt(wxx) : 0;
    fit.height.error = sigmas * std::sqrt(1 / w + (wxx > 0 ? mean_x * mean_x / wxx : 0));
    return fit;
}

}  // namespace

std::optional<Turning> turning_of(std::span<const double> angles, std::span<const double> errors) {
    const std::vector<AngleCell> cells = known_cells(angles, errors);
    if (cells.size() < 2) return std::nullopt;
    const double advance = advance_of(angles, errors);
    std::vector<double> residuals;
    for (const AngleCell& cell : cells)
        residuals.push_back(wrapped(cell.angle - advance * cell.row));
    std::vector<double> copy = residuals;
    const double phase = middle_angle(copy);
    for (double& residual : residuals) residual = wrapped(residual - phase);
    std::vector<double> sizes;
    for (const AngleCell& cell : cells) sizes.push_back(cell.error);
    const double usual_error = median(sizes);
    // An exact 0 must not outweigh all other values, because its angle may have been rounded
    // before.
    const double least_error = std::max(usual_error / 2, 1e-18);

    LineFit fit{{0, 0}, {0, 0}, 0};
    double drift = largest_drift;
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round) {
        fit = fitted(cells, residuals, least_error, fit, drift);
        std::vector<double> distances;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            distances.push_back(
                std::fabs(residuals[i] - fit.height.value - fit.slope.value * cells[i].row));
        }
        drift = std::min(largest_drift, 6 * three_quarters(distances));
    }
    // Neighbouring rows of a slow wave are rounded alike, so part of their errors is common. The
    // second term is the error of doubles here.
    fit.height.error += usual_error + 1e-15 * static_cast<double>(angles.size());
    fit.slope.error += 1e-15;
    if (fit.cells < 2 || 5 * fit.cells < 4 * cells.size()) return std::nullopt;
    constexpr double usual_scatter = 3;
    return Turning{.advance = {wrapped(advance + fit.slope.value), fit.slope.error},
                   .phase = {wrapped(phase + fit.height.value), fit.height.error},
                   .is_straight = fit.scatter < usual_scatter && fit.cells == cells.size()};
}

std::optional<std::vector<Turning>> turnings_of(const Angles& angles) {
    std::vector<Turning> turnings;
    const std::size_t rows = angles.rows;
    for (std::int64_t pair = 0; pair < angles.pairs; ++pair) {
        const auto turning = turning_of(std::span(angles.values).subspan(pair * rows, rows),
                                        std::span(angles.errors).subspan(pair * rows, rows));
        if (!turning) return std::nullopt;
        turnings.push_back(*turning);
    }
    return turnings;
}

}  // namespace pegen::evidence
