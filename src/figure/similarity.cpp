#include "figure/similarity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "core/clones.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "rows/kept.h"

namespace pegen {
namespace {

/// Number of values read at a time; they fit in the L2 cache.
constexpr std::int64_t block_values = 1 << 15;

/// The number of rows of a tile. The sums of a tile then fill half of AVX2's registers.
constexpr std::int64_t tile_rows = 4;

/// The number of components, and of rows, multiplied at a time: a group of vectors stays in the L1
/// cache, the rows in the L2 cache.
constexpr std::int64_t depth = 256;
constexpr std::int64_t band_rows = 64;

/// The number of AVX2 registers, of 4 doubles each, for a group of `lanes` doubles. Where the
/// machine has no registers of the size of a vector type, GCC splits wider types into single
/// doubles.
constexpr std::int64_t quads = lanes / 4;
using Quad [[gnu::vector_size(4 * sizeof(double)), gnu::aligned(alignof(double)), gnu::may_alias]] =
    double;

/// The sums of tile_rows rows and `lanes` columns.
struct Tile {
    Quad sums[tile_rows][quads];
};

/// Returns the index of component k of a vector.
std::int64_t place(const Vectors& vectors, std::int64_t vector, std::int64_t k) {
    return ((vector / lanes) * vectors.dimension + k) * lanes + vector % lanes;
}

/// Adds to the tile the products of `count` components.
PEGEN_CLONES
void add_products(const double* const* rows, const double* columns, std::int64_t count,
                  Tile& tile) {
    Quad sums[tile_rows][quads];
    // GCC keeps the sums in registers only if they are copied one by one.
    for (std::int64_t row = 0; row < tile_rows; ++row) {
        for (std::int64_t i = 0; i < quads; ++i) sums[row][i] = tile.sums[row][i];
    }
    for (std::int64_t k = 0; k < count * lanes; k += lanes) {
        const Quad* const group = reinterpret_cast<const Quad*>(columns + k);
        for (std::int64_t row = 0; row < tile_rows; ++row) {
            for (std::int64_t i = 0; i < quads; ++i) sums[row][i] += rows[row][k] * group[i];
        }
    }
    for (std::int64_t row = 0; row < tile_rows; ++row) {
        for (std::int64_t i = 0; i < quads; ++i) tile.sums[row][i] = sums[row][i];
    }
}

/// A tile of the result, row-major.
struct OutputTile {
    double* values;
    std::int64_t stride;
    std::int64_t rows;     ///< at most tile_rows
    std::int64_t columns;  ///< at most `lanes`
};

/// Adds to `output` the products of components `begin` to `end` - 1 of vectors `row`, row + 1, ...
/// with the components of the group that begins with vector `column`.
void add_tile(const Vectors& vectors, std::int64_t row, std::int64_t column, std::int64_t begin,
              std::int64_t end, const OutputTile& output) {
    const double* components = vectors.components.data();
    const double* rows[tile_rows];
    Tile tile{};
    const std::size_t bytes = output.columns * sizeof(double);
    for (std::int64_t i = 0; i < tile_rows; ++i) {
        // A tile always has tile_rows rows; results of rows beyond the last one are dropped.
        rows[i] = components + place(vectors, row + std::min(i, output.rows - 1), begin);
        if (i < output.rows) std::memcpy(tile.sums[i], output.values + i * output.stride, bytes);
    }
    add_products(rows, components + place(vectors, column, begin), end - begin, tile);
    for (std::int64_t i = 0; i < output.rows; ++i) {
        std::memcpy(output.values + i * output.stride, tile.sums[i], bytes);
    }
}

/// Computes dot_products() of at most band_rows rows.
void multiply_band(const Vectors& vectors, RowRange range, std::int64_t first, double* out) {
    const std::int64_t stride = vectors.count - first;
    for (std::int64_t begin = 0; begin < vectors.dimension; begin += depth) {
        const std::int64_t end = std::min(begin + depth, vectors.dimension);
        for (std::int64_t column = 0; column < stride; column += lanes) {
            report_work(range.count * (end - begin));
            for (std::int64_t row = 0; row < range.count; row += tile_rows) {
                add_tile(
                    vectors, range.first + row, first + column, begin, end,
                    {out + row * stride + column, stride, std::min(tile_rows, range.count - row),
                     std::min(lanes, stride - column)});
            }
        }
    }
}

}  // namespace

Vectors read_vectors(const Table& table) {
    Vectors vectors{table.shape.rows(), table.shape.columns(), {}};
    const std::int64_t groups = (vectors.count + lanes - 1) / lanes;
    vectors.components.resize(groups * lanes * vectors.dimension);
    const std::int64_t block =
        (rows_holding(block_values, vectors.dimension) + lanes - 1) / lanes * lanes;
    parallel_for((vectors.count + block - 1) / block, [&](std::int64_t item) {
        const std::int64_t first = item * block;
        const RowRange range{first, std::min(block, vectors.count - first)};
        const std::vector<double> values = read_rows(table, range);
        const double* value = values.data();
        for (std::int64_t i = first; i < first + range.count; ++i) {
            double* component = vectors.components.data() + place(vectors, i, 0);
            for (std::int64_t k = 0; k < vectors.dimension; ++k) component[k * lanes] = *value++;
        }
    });
    return vectors;
}

void dot_products(const Vectors& vectors, RowRange range, std::int64_t first,
                  std::span<double> out) {
    const std::int64_t columns = vectors.count - first;
    assert(first % lanes == 0 && std::ssize(out) == range.count * columns);
    std::ranges::fill(out, 0.0);
    for (std::int64_t row = 0; row < range.count; row += band_rows) {
        multiply_band(vectors, {range.first + row, std::min(band_rows, range.count - row)}, first,
                      out.data() + row * columns);
    }
}

namespace {

constexpr std::int64_t most_rows = 16384;
constexpr std::int64_t most_values = std::int64_t{1} << 26;

/// The number of rows of products computed at a time; all vectors are read once for these rows.
constexpr std::int64_t rows_at_once = 32;

void check_size(const Table& table) {
    constexpr std::string_view remedy = "use a smaller --len, with --step to cover the same range";
    const std::int64_t rows = table.shape.rows();
    if (rows > most_rows) {
        throw UsageError(
            fmt::format("dot products of {} rows: at most {}; {}", rows, most_rows, remedy));
    }
    if (table.shape.size() > most_values) {
        throw UsageError(fmt::format("dot products of {} x {} values: at most 2^26 values; {}",
                                     rows, table.shape.columns(), remedy));
    }
}

/// The vectors of a table, read at the first call of get().
class VectorsOnDemand {
  public:
    explicit VectorsOnDemand(const Table& table) : table_(table) {}

    const Vectors& get() {
        const std::lock_guard lock(mutex_);
        if (!vectors_) vectors_ = read_vectors(table_);
        return *vectors_;
    }

  private:
    Table table_;
    std::mutex mutex_;
    std::optional<Vectors> vectors_;
};

/// Returns the statistics of an empty set of pairs. While pairs are added, `mean` is their sum.
OffsetStatistics no_pairs(std::int64_t offsets) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::size_t size = offsets;
    return {std::vector<double>(size), std::vector<double>(size, infinity),
            std::vector<double>(size, -infinity)};
}

// Both functions return NaN if one of the values is NaN.
double lower(double a, double b) { return b < a || std::isnan(b) ? b : a; }
double higher(double a, double b) { return b > a || std::isnan(b) ? b : a; }

/// Returns the sums over pairs i, i + k with i in `band`, which begins at a multiple of `lanes`.
OffsetStatistics sums_over(const Vectors& vectors, RowRange band) {
    const std::size_t columns = vectors.count - band.first;
    std::vector<double> products(band.count * columns);
    dot_products(vectors, band, band.first, products);
    OffsetStatistics sums = no_pairs(vectors.count - band.first);
    for (std::int64_t row = 0; row < band.count; ++row) {
        const double* product = products.data() + row * columns + row;
        for (std::size_t k = 0; k < columns - row; ++k) {
            sums.mean[k] += product[k];
            sums.lowest[k] = lower(sums.lowest[k], product[k]);
            sums.highest[k] = higher(sums.highest[k], product[k]);
        }
    }
    return sums;
}

void add(OffsetStatistics& sums, const OffsetStatistics& more) {
    for (std::size_t k = 0; k < more.mean.size(); ++k) {
        sums.mean[k] += more.mean[k];
        sums.lowest[k] = lower(sums.lowest[k], more.lowest[k]);
        sums.highest[k] = higher(sums.highest[k], more.highest[k]);
    }
}

}  // namespace

Table similarity(const Table& table) {
    check_size(table);
    const std::int64_t rows = table.shape.rows();
    const Axis& axis = table.axes.front();
    RowSource products = [vectors = std::make_shared<VectorsOnDemand>(table)](
                             RowRange range, std::span<std::byte> out) {
        dot_products(vectors->get(), range, 0,
                     {reinterpret_cast<double*>(out.data()), out.size() / sizeof(double)});
    };
    Table result{.shape = {rows, rows},
                 .dtype = DType::float64,
                 .axes = {axis, axis},
                 .rows = {},
                 .title = table.title,
                 .value_label = "Dot Product",
                 .provenance = table.provenance};
    result.rows = rows::in_bands(rows_like(result, std::move(products)), rows_at_once);
    return result;
}

Table with_unit_rows(const Table& table) {
    const std::int64_t columns = table.shape.columns();
    Table unit = table;
    unit.dtype = DType::float64;
    unit.has_whole_values = false;
    const auto fill = [=](RowRange range, std::span<double> out) {
        std::ranges::copy(read_rows(table, range), out.begin());
        for (; !out.empty(); out = out.subspan(columns)) {
            const auto row = out.first(columns);
            double sum = 0;
            for (const double value : row) sum += value * value;
            for (double& value : row) value /= std::sqrt(sum);
        }
    };
    unit.rows = rounded({fill, table.shape.rows(), columns}, DType::float64);
    return unit;
}

Table cosine_similarity(const Table& table) {
    Table cosines = similarity(with_unit_rows(table));
    cosines.value_label = "Cosine Similarity";
    return cosines;
}

OffsetStatistics dot_products_by_offset(const Table& table) {
    check_size(table);
    const Vectors vectors = read_vectors(table);
    const std::int64_t rows = vectors.count;
    OffsetStatistics statistics = no_pairs(rows);
    std::vector<OffsetStatistics> bands(thread_count());
    parallel_in_order(
        (rows + rows_at_once - 1) / rows_at_once,
        [&](std::int64_t item, int worker) {
            const std::int64_t first = item * rows_at_once;
            bands[worker] = sums_over(vectors, {first, std::min(rows_at_once, rows - first)});
        },
        [&](std::int64_t, int worker) { add(statistics, bands[worker]); });
    for (std::int64_t k = 0; k < rows; ++k) {
        statistics.mean[k] /= static_cast<double>(rows - k);
    }
    return statistics;
}

}  // namespace pegen
