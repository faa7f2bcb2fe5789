#include "figure/similarity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/parallel.h"
#include "figure/dot_products.h"
#include "rows/kept.h"

namespace pegen {
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
