#include "recognition/evidence/attention_array.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rows/kept.h"

namespace pegen::evidence {
namespace {

constexpr std::int64_t most_numbers = 1 << 24;
constexpr std::int64_t most_checked_rows = 512;

bool is_masked(double value) { return value == -std::numeric_limits<double>::infinity(); }

/// Reads the values of a head by distance from its first and its last query, which have all
/// distances.
std::vector<double> read_line(const Sample& sample, const AttentionExtents& extents,
                              std::int64_t head) {
    std::vector<double> line(extents.distances());
    for (const std::int64_t query : {std::int64_t{0}, extents.queries - 1}) {
        const std::int64_t first = extents.distance(query, 0) - extents.smallest_distance();
        std::ranges::copy(read_query(sample, extents, head, query),
                          line.begin() + static_cast<std::ptrdiff_t>(first));
    }
    return line;
}

/// Replaces by NaN what a causal mask hides. Returns false if there are infinities elsewhere.
bool take_mask(std::vector<double>& line, const Lines& lines) {
    const auto after_query =
        line.begin() + static_cast<std::ptrdiff_t>(1 - lines.extents.smallest_distance());
    const auto end = lines.is_causal ? after_query : line.end();
    if (!std::all_of(line.begin(), end, [](double x) { return std::isfinite(x); })) return false;
    if (!std::all_of(end, line.end(), is_masked)) return false;
    std::fill(end, line.end(), std::numeric_limits<double>::quiet_NaN());
    return true;
}

/// True if a row in memory has the values of its line.
bool agrees(const Sample& sample, const Lines& lines, std::int64_t row, double tolerance) {
    const AttentionExtents& extents = lines.extents;
    const std::vector<double>& line = lines.heads[row / extents.queries];
    const std::int64_t first =
        extents.distance(row % extents.queries, 0) - extents.smallest_distance();
    for (std::int64_t key = 0; key < extents.keys; ++key) {
        const double value = sample.values[row * extents.keys + key];
        const double expected = line[first + key];
        if (std::isnan(expected) ? !is_masked(value)
                                 : !(std::fabs(value - expected) <= tolerance)) {
            return false;
        }
    }
    return true;
}

}  // namespace

std::vector<AttentionExtents> attention_extents(const Sample& sample) {
    const std::vector<std::int64_t>& e = sample.extents;
    std::vector<AttentionExtents> all;
    if (sample.rank() == 3) all.push_back({{e[1], e[2]}, e[0]});
    if (sample.rank() == 2) {
        all.push_back({{e[0], e[1]}, 1});
        all.push_back({{1, e[1]}, e[0]});
    }
    if (sample.rank() == 1) all.push_back({{1, e[0]}, 1});
    constexpr std::int64_t most_heads = 1 << 10;  // of a model there are at most some hundred
    // All values of one query are read, whereas two queries soon refute each other.
    constexpr std::int64_t most_of_one_query = 1 << 23;
    std::erase_if(all, [](const AttentionExtents& x) {
        return x.keys < x.queries || x.heads > most_heads ||
               (x.queries == 1 && x.keys > most_of_one_query / x.heads);
    });
    return all;
}

std::optional<AttentionExtents> index_extents(const Sample& sample) {
    if (sample.rank() > 2 || sample.values.empty()) return std::nullopt;
    const AttentionExtents extents{
        {sample.rank() == 2 ? sample.extents[0] : 1, sample.extents.back()}, 1};
    const auto is_whole = [](double x) { return std::fabs(x) < 0x1p53 && x == std::rint(x); };
    if (extents.keys < extents.queries || !std::ranges::all_of(sample.values, is_whole)) {
        return std::nullopt;
    }
    return extents;
}

std::vector<double> read_query(const Sample& sample, const AttentionExtents& extents,
                               std::int64_t head, std::int64_t query) {
    const std::int64_t row = head * extents.queries + query, first = row * extents.keys;
    if (first + extents.keys <= std::ssize(sample.values)) {
        const auto begin = sample.values.begin() + static_cast<std::ptrdiff_t>(first);
        return {begin, begin + static_cast<std::ptrdiff_t>(extents.keys)};
    }
    // In a table of one axis each value is a row.
    const bool is_vector = sample.rank() == 1;
    return read_rows(sample.table, {is_vector ? first : row, is_vector ? extents.keys : 1});
}

double Lines::at(std::int64_t head, std::int64_t distance) const {
    return heads[head][distance - extents.smallest_distance()];
}

std::optional<Lines> lines_of(const Sample& sample, const AttentionExtents& extents,
                              double tolerance) {
    if (extents.distances() > most_numbers / extents.heads || sample.values.empty()) {
        return std::nullopt;
    }
    Lines lines{.extents = extents};
    const auto add_head = [&](std::int64_t head) {
        lines.heads.push_back(read_line(sample, extents, head));
        std::vector<double>& line = lines.heads.back();
        if (head == 0) lines.is_causal = extents.queries > 1 && is_masked(line.back());
        return take_mask(line, lines);
    };
    const std::int64_t rows = std::ssize(sample.values) / extents.keys;
    const std::int64_t step = std::max<std::int64_t>(1, rows / most_checked_rows);
    std::int64_t row = 0;
    for (std::int64_t head = 0; head < extents.heads; ++head) {
        if (!add_head(head)) return std::nullopt;
        for (; row < std::min(rows, (head + 1) * extents.queries); row += step) {
            if (!agrees(sample, lines, row, tolerance)) return std::nullopt;
        }
    }
    return lines;
}

Table data_table(std::vector<double> values, Shape shape, const Precision& precision) {
    Table table;
    table.dtype = precision.digits > 24 ? DType::float64 : DType::float32;
    table.axes.resize(shape.rank());
    table.rows = rounded(rows::kept_rows(std::move(values), shape.columns()), table.dtype);
    table.shape = std::move(shape);
    return table;
}

}  // namespace pegen::evidence
