#include "figure/dot_products.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "core/clones.h"
#include "core/parallel.h"
#include "core/progress.h"

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

}  // namespace pegen
