#include "pegen/figure/heatmap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pegen/core/parallel.h"
#include "pegen/figure/resample.h"

namespace pegen {
namespace {

/// Values read at a time; fits the L2 cache.
constexpr std::int64_t block_values = 1 << 15;

/// Pixels along the table's rows and along its columns, whatever way they lie in the picture.
struct Extents {
    std::int64_t rows;
    std::int64_t columns;
};

Extents pixels_along(const HeatmapSpec& spec) {
    return spec.orientation == Orientation::rows_down ? Extents{spec.height, spec.width}
                                                      : Extents{spec.width, spec.height};
}

/// Where values lie between the limits: 0 at the lower, 1 at the upper, NaN for no finite value.
/// Halved so that limits of opposite signs may be as far apart as doubles can be.
void to_shares(std::vector<double>& values, Limits limits) {
    const double low = limits.low / 2;
    const double width = limits.high / 2 - low;
    for (double& value : values) {
        value = std::isfinite(value) ? (value / 2 - low) / width
                                     : std::numeric_limits<double>::quiet_NaN();
    }
}

std::vector<double> read_shares(const Table& table, RowRange range, Limits limits) {
    std::vector<double> values = read_rows(table, range);
    to_shares(values, limits);
    return values;
}

std::uint16_t index_of(double share) {
    if (std::isnan(share)) return no_value;
    return static_cast<std::uint16_t>(std::clamp(256 * share, 0.0, 255.0));
}

/// Calls draw(first, end) for bands of lines that together are all, several at a time where values
/// and pixels are so many that it is worth the threads.
template <class Draw>
void for_bands(const Table& table, const HeatmapSpec& spec, std::int64_t band, Draw&& draw) {
    constexpr double worth_a_thread = 1 << 20;
    const Extents pixels = pixels_along(spec);
    const double work = static_cast<double>(table.shape.size()) +
                        static_cast<double>(pixels.rows) * static_cast<double>(pixels.columns);
    const std::int64_t bands = (pixels.rows + band - 1) / band;
    const auto parts = static_cast<std::int64_t>(
        std::clamp(work / worth_a_thread, 1.0, static_cast<double>(bands)));
    parallel_for(parts, [&](std::int64_t part) {
        for (std::int64_t i = bands * part / parts; i < bands * (part + 1) / parts; ++i) {
            draw(i * band, std::min(pixels.rows, (i + 1) * band));
        }
    });
}

/// Puts the pixels of one line along the table's columns where they belong in the picture.
template <class PixelIndex>
void put_line(IndexGrid& grid, const HeatmapSpec& spec, std::int64_t line,
              PixelIndex&& index_of_pixel) {
    const bool is_down = spec.orientation == Orientation::rows_down;
    const std::int64_t width = spec.width;
    const std::int64_t start = is_down ? line * width : line;
    const std::int64_t stride = is_down ? 1 : width;
    for (std::int64_t pixel = 0; pixel < pixels_along(spec).columns; ++pixel) {
        grid.indices[static_cast<std::size_t>(start + pixel * stride)] = index_of_pixel(pixel);
    }
}

void draw_nearest(IndexGrid& grid, const Table& table, const HeatmapSpec& spec) {
    const Extents pixels = pixels_along(spec);
    const std::int64_t columns = table.shape.columns();
    std::vector<std::size_t> cells;
    for (std::int64_t pixel = 0; pixel < pixels.columns; ++pixel) {
        cells.push_back(static_cast<std::size_t>(nearest_cell(pixel, pixels.columns, columns)));
    }
    constexpr std::int64_t band = 16;
    for_bands(table, spec, band, [&](std::int64_t first, std::int64_t end) {
        std::int64_t row = -1;
        std::vector<double> shares;
        for (std::int64_t line = first; line < end; ++line) {
            const std::int64_t wanted = nearest_cell(line, pixels.rows, table.shape.rows());
            if (wanted != row) shares = read_shares(table, {wanted, 1}, spec.limits);
            row = wanted;
            put_line(grid, spec, line, [&](std::int64_t pixel) {
                return index_of(shares[cells[static_cast<std::size_t>(pixel)]]);
            });
        }
    });
}

/// The windows of all pixels along an axis, with their weights.
struct Weights {
    std::vector<std::size_t> first;  ///< of each pixel: the first cell
    std::vector<std::size_t>
        begin;                ///< of each pixel: where its weights begin; one more at the end
    std::vector<double> sum;  ///< of each pixel's weights
    std::vector<double> values;
};

Weights make_weights(std::int64_t pixels, std::int64_t cells) {
    Weights weights;
    for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
        const Window window(pixel, pixels, cells);
        // A weight of 0, at the ends, must not spread a NaN.
        std::int64_t first = window.first(), last = window.last();
        while (!(window.weight(first) > 0)) ++first;
        while (!(window.weight(last) > 0)) --last;
        weights.first.push_back(static_cast<std::size_t>(first));
        weights.begin.push_back(weights.values.size());
        double sum = 0;
        for (std::int64_t cell = first; cell <= last; ++cell) {
            weights.values.push_back(window.weight(cell));
            sum += weights.values.back();
        }
        weights.sum.push_back(sum);
    }
    weights.begin.push_back(weights.values.size());
    return weights;
}

/// Dividing by the sum of the weights at the end, here and in make_lines(), keeps the mean of cells
/// of 1/2 exactly 1/2: zero in the middle of the limits has one colour.
double mean(const Weights& weights, std::size_t pixel, const std::vector<double>& cells) {
    double sum = 0;
    const double* cell = cells.data() + weights.first[pixel];
    for (std::size_t i = weights.begin[pixel]; i < weights.begin[pixel + 1]; ++i, ++cell) {
        sum += weights.values[i] * *cell;
    }
    return sum / weights.sum[pixel];
}

/// A line of pixels before it is resampled along the columns.
struct Line {
    Window window;
    double sum_of_weights;
    std::vector<double> cells;  ///< of each column
};

/// Adds to each line the rows that its window has among those of `range`.
void add_rows(std::vector<Line>& lines, RowRange range, const std::vector<double>& shares) {
    for (Line& line : lines) {
        const std::int64_t first = std::max(range.first, line.window.first());
        const std::int64_t last = std::min(range.first + range.count - 1, line.window.last());
        for (std::int64_t row = first; row <= last; ++row) {
            const double weight = line.window.weight(row);
            if (!(weight > 0)) continue;
            line.sum_of_weights += weight;
            const double* share =
                shares.data() + static_cast<std::size_t>(row - range.first) * line.cells.size();
            for (double& cell : line.cells) cell += weight * *share++;
        }
    }
}

/// Lines first ... end - 1, resampled along the table's rows.
std::vector<Line> make_lines(const Table& table, const HeatmapSpec& spec, std::int64_t first,
                             std::int64_t end) {
    const std::int64_t rows = table.shape.rows();
    const std::int64_t columns = table.shape.columns();
    std::vector<Line> lines;
    for (std::int64_t line = first; line < end; ++line) {
        lines.push_back({Window(line, pixels_along(spec).rows, rows), 0,
                         std::vector<double>(static_cast<std::size_t>(columns))});
    }
    const std::int64_t block = rows_holding(block_values, columns);
    const std::int64_t stop = lines.back().window.last() + 1;
    for (std::int64_t row = lines.front().window.first(); row < stop; row += block) {
        const RowRange range{row, std::min(block, stop - row)};
        add_rows(lines, range, read_shares(table, range, spec.limits));
    }
    for (Line& line : lines) {
        for (double& cell : line.cells) cell /= line.sum_of_weights;
    }
    return lines;
}

void draw_hanning(IndexGrid& grid, const Table& table, const HeatmapSpec& spec) {
    const Extents pixels = pixels_along(spec);
    const std::int64_t columns = table.shape.columns();
    const Weights weights = make_weights(pixels.columns, columns);
    // Lines of a band share the rows they read; wide tables are drawn line by line.
    const std::int64_t band = std::clamp<std::int64_t>((1 << 20) / columns, 1, 16);
    for_bands(table, spec, band, [&](std::int64_t first, std::int64_t end) {
        for (const Line& line : make_lines(table, spec, first, end)) {
            put_line(grid, spec, first++, [&](std::int64_t pixel) {
                return index_of(mean(weights, static_cast<std::size_t>(pixel), line.cells));
            });
        }
    });
}

}  // namespace

bool is_nearest(const Table& table, const HeatmapSpec& spec) {
    const auto is_stepwise = [](std::int64_t pixels, std::int64_t cells) {
        return pixels == cells || (pixels % 2 == 0 && pixels / 2 == cells) ||
               (pixels > 0 && (pixels - 1) / 3 >= cells);
    };
    const Extents pixels = pixels_along(spec);
    return is_stepwise(pixels.rows, table.shape.rows()) &&
           is_stepwise(pixels.columns, table.shape.columns());
}

IndexGrid heatmap(const Table& table, const HeatmapSpec& spec) {
    IndexGrid grid{spec.width, spec.height,
                   std::vector<std::uint16_t>(static_cast<std::size_t>(spec.width) *
                                              static_cast<std::size_t>(spec.height))};
    if (spec.interpolation == Interpolation::nearest || is_nearest(table, spec)) {
        draw_nearest(grid, table, spec);
    } else {
        draw_hanning(grid, table, spec);
    }
    return grid;
}

}  // namespace pegen
