#include "figure/heatmap.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/clones.h"
#include "core/parallel.h"
#include "core/shape.h"
#include "figure/scale.h"

namespace pegen {

std::int64_t nearest_cell(std::int64_t pixel, std::int64_t pixels, std::int64_t cells) {
    // The result is floor((2 pixel + 1) cells / (2 pixels)) without products that could overflow.
    const std::int64_t whole = cells / pixels;
    const std::int64_t rest = cells % pixels;
    return pixel * whole + (whole * pixels + (2 * pixel + 1) * rest) / (2 * pixels);
}

Window::Window(std::int64_t pixel, std::int64_t pixels, std::int64_t cells, double shift)
    : cells_(static_cast<double>(cells)),
      centre_((static_cast<double>(pixel) + 0.5) * cells_ / static_cast<double>(pixels) - 0.5 +
              shift),
      radius_(std::max(1.0, cells_ / static_cast<double>(pixels))),
      // Cells beyond an edge are mirrored to cells that are in this range anyway.
      first_(static_cast<std::int64_t>(std::max(0.0, std::floor(centre_ - radius_)))),
      last_(static_cast<std::int64_t>(std::min(cells_ - 1, std::ceil(centre_ + radius_)))) {}

Window Window::of_nearest(std::int64_t pixel, std::int64_t pixels, std::int64_t cells) {
    const std::int64_t cell = nearest_cell(pixel, pixels, cells);
    Window window;
    window.cells_ = static_cast<double>(cells);
    window.centre_ = static_cast<double>(cell);
    window.radius_ = 1;  // the weight of the neighbours is 0
    window.first_ = window.last_ = cell;
    return window;
}

double Window::hanning(double cell) const {
    constexpr double pi = 3.14159265358979323846;
    const double t = std::fabs(cell - centre_) / radius_;
    return t < 1 ? 0.5 + 0.5 * std::cos(pi * t) : 0;
}

double Window::weight(std::int64_t cell) const {
    const auto place = static_cast<double>(cell);
    double sum = hanning(place);
    if (centre_ - radius_ < 0) sum += hanning(-1 - place);
    if (centre_ + radius_ > cells_ - 1) sum += hanning(2 * cells_ - 1 - place);
    return sum;
}

double Window::unit() const {
    // The integral of the window is its radius; the sum over whole numbers exceeds the integral by
    // at most the highest weight, 1.
    return std::ldexp(1, -std::ilogb(radius_ + 1) - 2);
}

namespace {

/// Number of values read at a time; they fit in the L2 cache.
constexpr std::int64_t block_values = 1 << 15;

/// The length beyond which rows are resampled before they are added up, so that only few rows of
/// their full length are in memory.
constexpr std::int64_t long_row = 1 << 16;

/// The numbers of pixels along the table's rows and along its columns, whatever the orientation.
struct Extents {
    std::int64_t rows;
    std::int64_t columns;
};

Extents pixels_along(const HeatmapSpec& spec) {
    return spec.orientation == Orientation::rows_down ? Extents{spec.height, spec.width}
                                                      : Extents{spec.width, spec.height};
}

/// The map from value / 2 to a palette index. Halving keeps high - low finite for any limits.
class IndexScale {
  public:
    IndexScale(Limits limits, double threshold)
        : low_(limits.low / 2), width_(limits.high / 2 - low_) {
        if (threshold == 0) return;
        // A logarithm of every pixel would take most of the time.
        const double low = symlog(limits.low, threshold), high = symlog(limits.high, threshold);
        for (int index = 1; index < 256; ++index) {
            const double place = low + (high - low) * (index / 256.0);
            beginnings_.push_back(inverse_symlog(place, threshold) / 2);
        }
    }

    std::uint16_t index(double half) const {
        if (!std::isfinite(half)) return no_value;
        if (!beginnings_.empty()) {
            const auto behind = std::ranges::upper_bound(beginnings_, half);
            return static_cast<std::uint16_t>(behind - beginnings_.begin());
        }
        return static_cast<std::uint16_t>(std::clamp(256 * ((half - low_) / width_), 0.0, 255.0));
    }

  private:
    double low_;
    double width_;
    std::vector<double> beginnings_;  ///< with a threshold: where the colours 1 to 255 begin
};

/// Calls draw(first, end) for bands of lines that together are all lines, in several threads if
/// there are enough values and pixels for that to pay off.
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

/// Writes the pixels of one line, which runs along the table's columns, into the picture.
template <class Pixel, class Value>
void put_line(std::vector<Pixel>& picture, const HeatmapSpec& spec, std::int64_t line,
              Value&& value_of) {
    const bool is_down = spec.orientation == Orientation::rows_down;
    const std::int64_t width = spec.width;
    const std::int64_t start = is_down ? line * width : line;
    const std::int64_t stride = is_down ? 1 : width;
    for (std::int64_t pixel = 0; pixel < pixels_along(spec).columns; ++pixel) {
        picture[start + pixel * stride] = value_of(pixel);
    }
}

void draw_nearest(IndexGrid& grid, const Table& table, const HeatmapSpec& spec, const See& see) {
    const Extents pixels = pixels_along(spec);
    const std::int64_t columns = table.shape.columns();
    std::vector<std::size_t> cells;
    for (std::int64_t pixel = 0; pixel < pixels.columns; ++pixel) {
        cells.push_back(nearest_cell(pixel, pixels.columns, columns));
    }
    constexpr std::int64_t band = 16;
    const IndexScale scale(spec.limits, spec.threshold);
    for_bands(table, spec, band, [&](std::int64_t first, std::int64_t end) {
        RowReader reader(table);
        std::int64_t row = -1;
        std::span<const double> values;
        for (std::int64_t line = first; line < end; ++line) {
            const std::int64_t wanted = nearest_cell(line, pixels.rows, table.shape.rows());
            if (wanted != row) {
                values = reader.values({wanted, 1});
                if (see) see(values);
            }
            row = wanted;
            put_line(grid.indices, spec, line,
                     [&](std::int64_t pixel) { return scale.index(values[cells[pixel]] / 2); });
        }
    });
}

/// The weights of cells first, first + 1, ... in a window.
struct Weights {
    std::int64_t first;
    std::vector<double> values;
    double sum;

    std::size_t size() const { return values.size(); }
};

/// Returns the weights of the cells first ... last, without zeros at the ends, which would spread a
/// NaN. The weights sum to at most 1/2, so that no sum of values overflows.
Weights weights_within(const Window& window, std::int64_t first, std::int64_t last) {
    first = std::max(first, window.first());
    last = std::min(last, window.last());
    Weights weights{first, {}, 0};
    const double unit = window.unit();
    for (std::int64_t cell = first; cell <= last; ++cell) {
        const double weight = window.weight(cell);
        if (weight > 0) {
            weights.values.push_back(unit * weight);
            weights.sum += weights.values.back();
        } else if (weights.values.empty()) {
            weights.first = cell + 1;
        }
    }
    return weights;
}

/// The windows of all pixels along an axis.
struct WindowsOfAxis {
    std::int64_t pixels;
    std::int64_t cells;
    bool is_nearest;
    double shift;

    Window at(std::int64_t pixel) const {
        return is_nearest ? Window::of_nearest(pixel, pixels, cells)
                          : Window(pixel, pixels, cells, shift);
    }
    std::vector<Weights> all_weights() const {
        std::vector<Weights> all;
        for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
            all.push_back(weights_within(at(pixel), 0, cells - 1));
        }
        return all;
    }
};

double weighted_sum(const Weights& weights, const double* cells) {
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights.values[i] * cells[i];
    return sum;
}

/// A line of pixels to which the rows of its window are being added.
struct PixelLine {
    Window window;
    double sum_of_weights;
    std::vector<double> cells;  ///< one for each column, or each pixel if rows are long
};

/// Adds the weighted rows, of `count` cells each, to the `count` sums.
PEGEN_CLONES void add_weighted(double* __restrict sums, std::size_t count, const double* rows,
                               std::span<const double> weights) {
    std::size_t row = 0;
    // With four rows at a time a sum is loaded and stored once; the order of addition is the same.
    for (; row + 4 <= weights.size(); row += 4, rows += 4 * count) {
        const double a = weights[row], b = weights[row + 1];
        const double c = weights[row + 2], d = weights[row + 3];
        for (std::size_t i = 0; i < count; ++i) {
            sums[i] = sums[i] + a * rows[i] + b * rows[count + i] + c * rows[2 * count + i] +
                      d * rows[3 * count + i];
        }
    }
    for (; row < weights.size(); ++row, rows += count) {
        for (std::size_t i = 0; i < count; ++i) sums[i] += weights[row] * rows[i];
    }
}

/// Adds to each line the rows of `range` that are in its window.
void add_rows(std::vector<PixelLine>& lines, RowRange range, const double* rows) {
    for (PixelLine& line : lines) {
        const Weights weights =
            weights_within(line.window, range.first, range.first + range.count - 1);
        if (weights.size() == 0) continue;
        for (const double weight : weights.values) line.sum_of_weights += weight;
        const std::size_t cells = line.cells.size();
        add_weighted(line.cells.data(), cells, rows + (weights.first - range.first) * cells,
                     weights.values);
    }
}

/// The data that all functions which compute a heatmap of means share.
struct Smoothing {
    const Table& table;
    WindowsOfAxis along_rows;
    WindowsOfAxis along_columns;
    std::vector<Weights> windows;  ///< one for each pixel along the columns
    const See& see;

    std::int64_t columns() const { return along_columns.cells; }
    bool has_long_rows() const { return columns() > std::max(long_row, along_columns.pixels); }
    std::int64_t cells() const { return has_long_rows() ? along_columns.pixels : columns(); }
};

/// Returns a long row resampled along the columns, as halves of values. Its values are converted to
/// doubles window by window, so that never all of them are in memory.
std::vector<double> shortened(const Smoothing& smoothing, std::span<const std::byte> row) {
    const DType dtype = smoothing.table.dtype;
    const std::size_t size = info(dtype).size;
    std::vector<double> halves, cells;
    for (const Weights& window : smoothing.windows) {
        cells.resize(window.size());
        load(row.subspan(window.first * size, window.size() * size), dtype, cells);
        if (smoothing.see) smoothing.see(cells);
        halves.push_back(weighted_sum(window, cells.data()) / (2 * window.sum));
    }
    return halves;
}

/// Returns lines first ... end - 1 with the sums of their rows.
std::vector<PixelLine> make_lines(const Smoothing& smoothing, std::int64_t first,
                                  std::int64_t end) {
    std::vector<PixelLine> lines;
    for (std::int64_t line = first; line < end; ++line) {
        lines.push_back({smoothing.along_rows.at(line), 0, std::vector<double>(smoothing.cells())});
    }
    RowReader reader(smoothing.table);
    const std::int64_t block = rows_holding(block_values, smoothing.columns());
    const std::int64_t stop = lines.back().window.last() + 1;
    for (std::int64_t row = lines.front().window.first(); row < stop; row += block) {
        const RowRange range{row, std::min(block, stop - row)};
        if (smoothing.has_long_rows()) {
            add_rows(lines, range, shortened(smoothing, reader.elements(range)).data());
        } else {
            const std::span<const double> values = reader.values(range);
            if (smoothing.see) smoothing.see(values);
            add_rows(lines, range, values.data());
        }
    }
    return lines;
}

/// Returns the number of lines in a band. Lines of a band share the rows they read; a band is so
/// large that each long row is read about once, however many lines show it.
std::int64_t lines_of_band(const Smoothing& smoothing) {
    constexpr std::int64_t few = 16;
    if (!smoothing.has_long_rows()) return few;
    const std::int64_t most = std::max(few, (1 << 20) / smoothing.along_columns.pixels);
    return std::clamp(few * smoothing.along_rows.pixels / smoothing.along_rows.cells, few, most);
}

/// Sets each pixel of the picture to pixel_of(half its mean) and, if `see` is not empty, calls it
/// with every value.
/// Divides the sums by the sum of the weights at the end, so that the mean of zeros is exactly 0
/// and the mean of ones exactly 1: areas of zeros, and of ones, have one colour.
template <class Pixel, class PixelOf>
void draw_means(std::vector<Pixel>& picture, const Table& table, const HeatmapSpec& spec,
                PixelOf&& pixel_of, const See& see) {
    const Extents pixels = pixels_along(spec);
    const NearestAxes nearest = nearest_axes(table, spec);
    const WindowsOfAxis across{pixels.columns, table.shape.columns(), nearest.columns, spec.shift};
    const Smoothing smoothing{
        .table = table,
        .along_rows = {pixels.rows, table.shape.rows(), nearest.rows, spec.shift},
        .along_columns = across,
        .windows = across.all_weights(),
        .see = see};
    for_bands(table, spec, lines_of_band(smoothing), [&](std::int64_t first, std::int64_t end) {
        for (PixelLine& line : make_lines(smoothing, first, end)) {
            const double sum = smoothing.has_long_rows() ? line.sum_of_weights  // of halves
                                                         : 2 * line.sum_of_weights;
            for (double& cell : line.cells) cell /= sum;
            put_line(picture, spec, first++, [&](std::int64_t pixel) {
                const std::size_t place = pixel;
                if (smoothing.has_long_rows()) return pixel_of(line.cells[place]);
                const Weights& window = smoothing.windows[place];
                return pixel_of(weighted_sum(window, line.cells.data() + window.first) /
                                window.sum);
            });
        }
    });
}

std::size_t pixel_count(const HeatmapSpec& spec) {
    return to_size(spec.width) * to_size(spec.height);
}

bool takes_nearest(const Table& table, const HeatmapSpec& spec) {
    return nearest_axes(table, spec) == NearestAxes{true, true};
}

/// Draws a heatmap by keeping the means until all values are read and the limits are known.
LimitedHeatmap heatmap_in_one_reading(const Table& table, HeatmapSpec spec,
                                      const ChooseLimits& choose) {
    std::vector<double> halves(pixel_count(spec));
    SharedLimits found;
    draw_means(
        halves, table, spec, [](double half) { return half; },
        [&](std::span<const double> values) { found.add(values); });
    const Limits limits = choose(or_any(found.get()));
    const IndexScale scale(limits, spec.threshold);
    IndexGrid grid{spec.width, spec.height, {}};
    grid.indices.reserve(halves.size());
    for (const double half : halves) grid.indices.push_back(scale.index(half));
    return {std::move(grid), limits, found.get()};
}

/// True if pixels of this axis show nearest cells without blurring: if there are as many pixels as
/// cells or twice as many, more pixels than cells in a table whose cells are not to be mixed
/// (`is_sharp`), or more than `least` pixels per cell.
bool is_stepwise(std::int64_t pixels, std::int64_t cells, std::int64_t least, bool is_sharp) {
    return pixels == cells || (pixels % 2 == 0 && pixels / 2 == cells) ||
           (is_sharp && pixels > cells) || (pixels > 0 && (pixels - 1) / least >= cells);
}

}  // namespace

std::uint16_t colour_index(double value, Limits limits, double threshold) {
    return IndexScale(limits, threshold).index(value / 2);
}

NearestAxes nearest_axes(const Table& table, const HeatmapSpec& spec) {
    if (spec.interpolation == Interpolation::nearest) return {true, true};
    const Extents pixels = pixels_along(spec);
    // Whole numbers have no means, and means would hide the cells along the edge of a mask.
    const bool is_sharp = is_whole(table) || !table.masked_title.empty();
    const auto steps = [&](std::int64_t least) {
        return NearestAxes{is_stepwise(pixels.rows, table.shape.rows(), least, is_sharp),
                           is_stepwise(pixels.columns, table.shape.columns(), least, is_sharp)};
    };
    const NearestAxes both = steps(3);
    return both.rows && both.columns ? both : steps(5);
}

IndexGrid heatmap(const Table& table, const HeatmapSpec& spec, const See& see) {
    IndexGrid grid{spec.width, spec.height, std::vector<std::uint16_t>(pixel_count(spec))};
    if (takes_nearest(table, spec)) {
        draw_nearest(grid, table, spec, see);
    } else {
        const IndexScale scale(spec.limits, spec.threshold);
        draw_means(
            grid.indices, table, spec, [&](double half) { return scale.index(half); }, see);
    }
    return grid;
}

LimitedHeatmap heatmap(const Table& table, HeatmapSpec spec, const ChooseLimits& choose) {
    // A mean takes four times the memory of an index: if the picture is larger than the table,
    // reading the table twice is better.
    const bool is_small = table.shape.size() < static_cast<std::int64_t>(pixel_count(spec));
    if (!is_small && !takes_nearest(table, spec)) {
        return heatmap_in_one_reading(table, spec, choose);
    }
    const Limits of_values = finite_limits(table);
    spec.limits = choose(or_any(of_values));
    return {heatmap(table, spec), spec.limits, of_values};
}

}  // namespace pegen
