#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/parallel.h"
#include "figure/fake_table.h"
#include "figure/heatmap.h"

using namespace pegen;

namespace {

constexpr std::uint16_t none = no_value;

using Indices = std::vector<std::uint16_t>;

/// A table without symmetry.
Table wavy(std::int64_t rows, std::int64_t columns) {
    return table_from(rows, columns, [](std::int64_t row, std::int64_t column) {
        return std::sin(static_cast<double>(row) * 0.37 + static_cast<double>(column * column));
    });
}

HeatmapSpec spec_of(int width, int height, Limits limits,
                    Interpolation interpolation = Interpolation::antialiased,
                    Orientation orientation = Orientation::rows_down) {
    return {.width = width,
            .height = height,
            .limits = limits,
            .interpolation = interpolation,
            .orientation = orientation};
}

}  // namespace

TEST_CASE("heatmap: the index is the floor of 256 times the share between the limits") {
    const Table table = table_of({{0, 1.0 / 256, 0.5, 1}, {0.25, 0.5 - 1e-9, 2, -1}});
    CHECK(heatmap(table, spec_of(4, 2, {0, 1})).indices ==
          Indices{0, 1, 128, 255, 64, 127, 255, 0});
}

TEST_CASE("heatmap: with a threshold, small values have as many colours as powers of ten") {
    const Limits limits{-100, 0};
    CHECK(colour_index(-100, limits, 0.1) == 0);
    CHECK(colour_index(0, limits, 0.1) == 255);
    const int tenth = colour_index(-0.1, limits, 0.1), one = colour_index(-1, limits, 0.1),
              ten = colour_index(-10, limits, 0.1);
    CHECK(std::abs((tenth - one) - (one - ten)) <= 1);
    CHECK(tenth - ten > 100);
    CHECK(colour_index(-0.1, limits) - colour_index(-10, limits) < 30);
    const Table table = table_of({{-100, -10, -1, -0.1}});
    HeatmapSpec spec = spec_of(4, 1, limits, Interpolation::nearest);
    spec.threshold = 0.1;
    const IndexGrid grid = heatmap(table, spec);
    CHECK(grid.indices[1] == ten);
    CHECK(grid.indices[3] == tenth);
}

TEST_CASE("heatmap: row 0 is on top and transposed at the left") {
    const Table table = table_of({{0, 1, 2}, {3, 4, 5}});
    const Limits limits{0, 256};
    CHECK(heatmap(table, spec_of(3, 2, limits)).indices == Indices{0, 1, 2, 3, 4, 5});
    CHECK(
        heatmap(table, spec_of(2, 3, limits, Interpolation::antialiased, Orientation::rows_across))
            .indices == Indices{0, 3, 1, 4, 2, 5});
}

TEST_CASE("heatmap: transposing exchanges rows and columns of the picture") {
    const Table table = wavy(23, 11);
    const IndexGrid grid = heatmap(table, spec_of(31, 57, {-1, 1}));
    const IndexGrid across = heatmap(
        table, spec_of(57, 31, {-1, 1}, Interpolation::antialiased, Orientation::rows_across));
    REQUIRE(across.width == grid.height);
    for (std::size_t y = 0; y < 57; ++y) {
        for (std::size_t x = 0; x < 31; ++x) {
            REQUIRE(across.indices[x * 57 + y] == grid.indices[y * 31 + x]);
        }
    }
}

TEST_CASE("heatmap: pixels take the cell at their middle") {
    const Table table = table_of({{0, 1, 2}});
    CHECK(heatmap(table, spec_of(10, 4, {0, 256})).indices ==
          Indices{0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                  0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2});
}

TEST_CASE("heatmap: the nearest cell of many does not overflow") {
    constexpr std::int64_t cells = std::int64_t{1} << 60;
    CHECK(nearest_cell(0, 2, cells) == cells / 4);
    CHECK(nearest_cell(1, 2, cells) == cells / 4 * 3);
    CHECK(nearest_cell(6, 7, 3) == 2);
}

TEST_CASE("heatmap: more than 3 pixels to a cell or exactly 1 or 2 are drawn without smoothing") {
    const Table table = wavy(10, 10);
    const auto nearest = [&](int width, int height) {
        return nearest_axes(table, spec_of(width, height, {-1, 1})) == NearestAxes{true, true};
    };
    CHECK(nearest(10, 10));
    CHECK(nearest(20, 10));
    CHECK(nearest(31, 31));
    CHECK(nearest(31, 400));
    CHECK_FALSE(nearest(30, 400));
    CHECK_FALSE(nearest(15, 400));
    CHECK_FALSE(nearest(9, 10));
    CHECK(nearest_axes(wavy(20, 40), spec_of(621, 616, {-1, 1})) == NearestAxes{true, true});
}

TEST_CASE("heatmap: an axis of more than 5 pixels to a cell is not smoothed, whatever the other") {
    // The figure of 128 columns has 4.85 pixels to a column, but 1.54 to one of its 400 rows.
    CHECK(nearest_axes(wavy(400, 128), spec_of(621, 616, {-1, 1})) == NearestAxes{false, false});
    CHECK(nearest_axes(wavy(400, 64), spec_of(621, 616, {-1, 1})) == NearestAxes{false, true});
    CHECK(nearest_axes(wavy(8, 4096), spec_of(621, 616, {-1, 1})) == NearestAxes{true, false});
    CHECK(nearest_axes(wavy(8, 4096), spec_of(616, 621, {-1, 1}, Interpolation::antialiased,
                                              Orientation::rows_across)) ==
          NearestAxes{true, false});
}

TEST_CASE("heatmap: wide cells show only values that the table has along them") {
    const auto column = [](std::int64_t, std::int64_t place) {
        return static_cast<double>(place % 2);
    };
    const auto row = [](std::int64_t place, std::int64_t) {
        return static_cast<double>(place % 2);
    };
    for (const Table& table : {table_from(900, 4, column), table_from(4, 900, row)}) {
        for (const std::uint16_t index : heatmap(table, spec_of(100, 100, {0, 1})).indices) {
            REQUIRE((index == 0 || index == 255));
        }
    }
    // The other axis is smoothed: each pixel is the mean of some zeros and ones.
    const Table fine = table_from(900, 4, row);
    for (const std::uint16_t index : heatmap(fine, spec_of(100, 100, {0, 1})).indices) {
        REQUIRE(index > 100);
        REQUIRE(index < 155);
    }
}

TEST_CASE("heatmap: integers are smoothed only where there are more of them than pixels") {
    Table table = wavy(10, 10);
    table.dtype = DType::int64;
    const auto nearest = [&](int width, int height) {
        return nearest_axes(table, spec_of(width, height, {-1, 1}));
    };
    CHECK(nearest(10, 10) == NearestAxes{true, true});
    CHECK(nearest(15, 29) == NearestAxes{true, true});
    CHECK(nearest(9, 10) == NearestAxes{true, false});
    CHECK(nearest(15, 9) == NearestAxes{false, true});
}

TEST_CASE("heatmap: the cells along the edge of a mask are shown, as means would hide them") {
    Table table = table_from(64, 64, [](auto query, auto key) {
        return key > query ? std::nan("") : static_cast<double>(key - query);
    });
    table.masked_title = "under a causal mask";
    const IndexGrid grid = heatmap(table, spec_of(153, 153, {-63, 0}));
    CHECK(std::ranges::count(grid.indices, 255) >= 153);
}

TEST_CASE("heatmap: nearest is never smoothed") {
    const Table table = table_of({{0, 100, 200}});
    CHECK(heatmap(table, spec_of(4, 1, {0, 256}, Interpolation::nearest)).indices ==
          Indices{0, 100, 100, 200});
}

TEST_CASE("heatmap: the Hanning window has the weights of its formula") {
    // Pixel 1 of 3 over 6 cells: r = 2, its middle between cells 2 and 3.
    const Window window(1, 3, 6);
    const double pi = std::acos(-1);
    CHECK(window.weight(2) == doctest::Approx(0.5 + 0.5 * std::cos(pi / 4)));
    CHECK(window.weight(1) == doctest::Approx(0.5 + 0.5 * std::cos(pi * 3 / 4)));
    CHECK(window.weight(0) == 0);
    CHECK(window.first() <= 1);
    CHECK(window.last() >= 4);
}

TEST_CASE("heatmap: cells beyond the edge are those inside mirrored") {
    // Pixel 0 of 4 over 2 cells: its middle is at -1/4, so that cell 0 is 1/4 away, and again, as
    // its own mirror image, 3/4.
    const Window window(0, 4, 2);
    const double pi = std::acos(-1);
    CHECK(window.weight(0) ==
          doctest::Approx(1 + 0.5 * std::cos(pi / 4) + 0.5 * std::cos(pi * 3 / 4)));
    CHECK(window.weight(1) == 0);
    // With a radius of half the axis both edges are mirrored.
    CHECK(Window(0, 1, 2).weight(0) == Window(0, 1, 2).weight(1));
}

TEST_CASE("heatmap: shrinking to one pixel gives the mean") {
    const Table table = table_of({{0, 0}, {256, 256}});
    CHECK(heatmap(table, spec_of(1, 1, {0, 256})).indices == Indices{128});
}

TEST_CASE("heatmap: a smoothed constant keeps its index") {
    const Table zeros = table_from(37, 19, [](std::int64_t, std::int64_t) { return 0.0; });
    for (const std::uint16_t index : heatmap(zeros, spec_of(41, 23, {-1, 1})).indices) {
        REQUIRE(index == 128);
    }
}

TEST_CASE("heatmap: smoothing is the Hanning mean along both axes") {
    const Table table = table_of({{0, 1}, {1, 0}});
    const IndexGrid grid = heatmap(table, spec_of(5, 5, {0, 1}));
    const double pi = std::acos(-1);
    // Middles of the pixels in cells: -0.3, 0.1, 0.5, 0.9, 1.3.
    const double b = 0.5 - 0.5 * std::cos(pi * 0.1);  // cell 1's part of pixel 1
    const auto index = [](double share) { return static_cast<std::uint16_t>(256 * share); };
    CHECK(grid.indices[0] == 0);
    CHECK(grid.indices[1] == index(b));
    CHECK(grid.indices[2] == 128);
    CHECK(grid.indices[6] == index(2 * b * (1 - b)));
    CHECK(grid.indices[24] == 0);
    CHECK(grid.indices[20] == 255);
}

namespace {

/// The number of pixels whose index is this far from that of matplotlib 3.6.3, for each distance.
std::vector<int> distances_from_matplotlib(double shift) {
    const Indices expected{
        0,   52,  201, 128, 16,  148, 234, 107, 64,  48,  71,  136, 107, 64,  127, 168, 126,
        112, 114, 98,  52,  83,  130, 102, 85,  150, 172, 205, 188, 142, 174, 221, 192, 169,
        75,  43,  176, 160, 114, 145, 192, 164, 141, 72,  49,  64,  47,  1,   33,  80,  51,
        35,  105, 128, 143, 127, 81,  113, 159, 131, 114, 184, 207, 147, 143, 132, 145, 163,
        163, 165, 199, 211, 18,  70,  216, 144, 34,  164, 248, 125, 82,  80,  93,  129, 117,
        96,  136, 162, 149, 144, 128, 111, 65,  97,  143, 115, 99,  168, 191};
    const Table table = table_from(7, 5, [](std::int64_t row, std::int64_t column) {
        return static_cast<double>((7 * row + 13 * column * column) % 17) / 16;
    });
    HeatmapSpec spec = spec_of(9, 11, {0, 1});
    spec.shift = shift;
    const IndexGrid grid = heatmap(table, spec);
    REQUIRE(grid.indices.size() == expected.size());
    std::vector<int> pixels(257);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ++pixels[static_cast<std::size_t>(std::abs(grid.indices[i] - expected[i]))];
    }
    return pixels;
}

}  // namespace

TEST_CASE("heatmap: smoothed indices are those of matplotlib 3.6.3 or neighbouring ones") {
    const std::vector<int> pixels = distances_from_matplotlib(0);
    CHECK(pixels[0] + pixels[1] >= 97);
    CHECK(pixels[0] + pixels[1] + pixels[2] == 99);
}

TEST_CASE("heatmap: with its shift, most smoothed indices are matplotlib's") {
    const std::vector<int> pixels = distances_from_matplotlib(matplotlib_shift);
    CHECK(pixels[0] >= 80);
    CHECK(pixels[0] + pixels[1] == 99);
}

TEST_CASE("heatmap: a shift moves the windows towards the last row and column, by cells") {
    CHECK(Window(1, 4, 6, 0.25).weight(2) > Window(1, 4, 6).weight(2));
    CHECK(Window(1, 4, 6, 0.25).weight(1) < Window(1, 4, 6).weight(1));
    // Seen from the other end it is the opposite shift.
    CHECK(Window(1, 4, 6, 0.25).weight(2) == doctest::Approx(Window(2, 4, 6, -0.25).weight(3)));
    const auto is_brighter = [](const Table& table) {
        HeatmapSpec spec = spec_of(13, 13, {0, 9});
        const IndexGrid grid = heatmap(table, spec);
        spec.shift = 0.25;
        const IndexGrid shifted = heatmap(table, spec);
        return shifted.indices[6 * 13 + 6] > grid.indices[6 * 13 + 6];
    };
    using Place = std::int64_t;
    CHECK(is_brighter(table_from(9, 9, [](Place row, Place) { return double(row); })));
    CHECK(is_brighter(table_from(9, 9, [](Place, Place column) { return double(column); })));
}

TEST_CASE("heatmap: NaN and infinities have no colour and spread as far as the window") {
    const Table table = table_of({{0, NAN, INFINITY, -INFINITY, 1}});
    CHECK(heatmap(table, spec_of(5, 1, {0, 1})).indices == Indices{0, none, none, none, 255});
    const Table one = table_from(1, 40, [](std::int64_t, std::int64_t column) {
        return column == 20 ? std::numeric_limits<double>::quiet_NaN() : 0.0;
    });
    const IndexGrid grid = heatmap(one, spec_of(60, 1, {-1, 1}));
    CHECK(std::count(grid.indices.begin(), grid.indices.end(), none) == 3);
    CHECK(grid.indices[30] == none);
}

TEST_CASE("heatmap: limits as far apart as doubles can be are drawn") {
    constexpr double largest = std::numeric_limits<double>::max();
    const Table table = table_of({{-largest, 0, largest}});
    CHECK(heatmap(table, spec_of(3, 1, {-largest, largest})).indices == Indices{0, 128, 255});
}

TEST_CASE("heatmap: one row and one column are drawn") {
    CHECK(heatmap(table_of({{5}}), spec_of(2, 2, {0, 10})).indices == Indices{128, 128, 128, 128});
    CHECK(heatmap(wavy(1, 300), spec_of(100, 50, {-1, 1})).indices.size() == 5000);
    CHECK(heatmap(wavy(300, 1), spec_of(100, 50, {-1, 1})).indices.size() == 5000);
}

TEST_CASE("heatmap: the same indices for any number of threads") {
    const Table table = wavy(40000, 77);  // enough work for threads
    const int threads = thread_count();
    const IndexGrid many = heatmap(table, spec_of(123, 234, {-1, 1}));
    limit_threads(1);
    const IndexGrid one = heatmap(table, spec_of(123, 234, {-1, 1}));
    limit_threads(threads);
    CHECK(many == one);
}

TEST_CASE("heatmap: long tables are read in small blocks") {
    constexpr std::int64_t rows = 1 << 20;
    Table table = table_from(
        rows, 4, [](std::int64_t row, std::int64_t) { return row < rows / 2 ? 0.0 : 1.0; });
    std::atomic<std::int64_t> largest = 0;
    table.rows =
        rows_like(table, [source = table.rows, &largest](RowRange range, std::span<std::byte> out) {
            std::int64_t seen = largest;
            while (seen < range.count && !largest.compare_exchange_weak(seen, range.count)) {
            }
            source(range, out);
        });
    const IndexGrid grid = heatmap(table, spec_of(4, 100, {0, 1}));
    CHECK(grid.indices[0] == 0);
    CHECK(grid.indices[4 * 98] == 255);
    CHECK(largest <= 1 << 15);
}

TEST_CASE(
    "heatmap: long rows, which are resampled first, give the picture of the same table on end") {
    constexpr std::int64_t length = 70'000;
    const auto value = [](std::int64_t along, std::int64_t across) {
        if (along == 40'000 && across == 1) return std::numeric_limits<double>::quiet_NaN();
        return std::sin(static_cast<double>(along) * 2e-4 + static_cast<double>(across));
    };
    const Table tall = table_from(length, 3, value);
    const Table wide = table_from(
        3, length, [&](std::int64_t row, std::int64_t column) { return value(column, row); });
    const IndexGrid grid = heatmap(wide, spec_of(50, 40, {-1, 1}));
    CHECK(grid == heatmap(tall, spec_of(50, 40, {-1, 1}, Interpolation::antialiased,
                                        Orientation::rows_across)));
    CHECK(std::count(grid.indices.begin(), grid.indices.end(), none) > 0);
}

TEST_CASE("heatmap: long rows are read about once each") {
    std::atomic<std::int64_t> rows = 0;
    Table table = wavy(4, 70'000);
    table.rows =
        rows_like(table, [source = table.rows, &rows](RowRange range, std::span<std::byte> out) {
            rows += range.count;
            source(range, out);
        });
    heatmap(table, spec_of(50, 400, {-1, 1}));
    CHECK(rows <= 8);
}

TEST_CASE("heatmap: means of the largest doubles are finite") {
    constexpr double largest = std::numeric_limits<double>::max();
    const auto full = [](std::int64_t, std::int64_t) { return largest; };
    for (const Table& table : {table_from(700, 7, full), table_from(7, 70'000, full)}) {
        for (const std::uint16_t index :
             heatmap(table, spec_of(41, 23, {-largest, largest})).indices) {
            REQUIRE(index >= 254);
            REQUIRE(index <= 255);
        }
    }
}

TEST_CASE("heatmap: a few long rows, and a few wide columns, are read about once") {
    for (const auto& [rows, columns] : {std::pair{4, 70'000}, std::pair{100'000, 3}}) {
        std::atomic<std::int64_t> read = 0;
        Table table = wavy(rows, columns);
        table.rows = rows_like(
            table, [source = table.rows, &read](RowRange range, std::span<std::byte> out) {
                read += range.count;
                source(range, out);
            });
        heatmap(table, spec_of(50, 400, {0, 1}), set_apart);
        CHECK(read <= rows + rows / 5 + 4);
    }
}

TEST_CASE("heatmap: the values that are read are seen, by means and by nearest cells") {
    const Table table = table_of({{0, 5, 1}, {-7, NAN, 2}});
    for (const Interpolation interpolation : {Interpolation::antialiased, Interpolation::nearest}) {
        SharedLimits seen;
        heatmap(table, spec_of(7, 5, {0, 1}, interpolation),
                [&](std::span<const double> values) { seen.add(values); });
        CHECK(seen.get() == Limits{-7, 5});
    }
    CHECK(heatmap(table, spec_of(7, 5, {0, 1}), set_apart).of_values == Limits{-7, 5});
    CHECK(heatmap(table_of({{NAN}}), spec_of(7, 5, {0, 1}), set_apart).of_values == no_limits);
}

TEST_CASE("heatmap: one reading gives the same as limits, then heatmap") {
    const auto check = [](const Table& table, const HeatmapSpec& spec) {
        const LimitedHeatmap both = heatmap(table, spec, set_apart);
        HeatmapSpec limited = spec;
        limited.limits = set_apart(or_any(finite_limits(table)));
        CHECK(both.limits == limited.limits);
        CHECK(both.grid == heatmap(table, limited));
    };
    const Table holed = table_from(5000, 33, [](std::int64_t row, std::int64_t column) {
        const double value = std::sin(static_cast<double>(row * 33 + column));
        if (row == 4999 && column == 32) return 7.0;
        return row % 1000 == 3 && column == 5 ? std::copysign(INFINITY, value) : value;
    });
    check(holed, spec_of(70, 90, {0, 1}));
    check(holed, spec_of(70, 90, {0, 1}, Interpolation::nearest));
    check(holed, spec_of(33, 5000, {0, 1}));
    check(wavy(20, 30), spec_of(50, 40, {0, 1}));
    check(wavy(3, 70'000), spec_of(50, 40, {0, 1}));
    check(table_from(500, 3, [](std::int64_t, std::int64_t) { return std::nan(""); }),
          spec_of(7, 9, {0, 1}));
}

TEST_CASE("heatmap: long tables whose limits are not known are read once") {
    std::atomic<std::int64_t> rows = 0;
    Table table = wavy(100'000, 3);
    table.rows =
        rows_like(table, [source = table.rows, &rows](RowRange range, std::span<std::byte> out) {
            rows += range.count;
            source(range, out);
        });
    heatmap(table, spec_of(10, 400, {0, 1}), set_apart);
    CHECK(rows < 110'000);
}

TEST_CASE("heatmap: an exception of the choice of limits is passed on") {
    const auto refuse = [](Limits) -> Limits { throw UsageError("no"); };
    CHECK_THROWS_AS(heatmap(wavy(100, 9), spec_of(7, 9, {0, 1}), refuse), UsageError);
}
