#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/table.h"
#include "recognition/evidence/sample.h"
#include "rows/by_distance.h"

// Arrays over queries and keys, such as relative indices and biases.
namespace pegen::evidence {

struct AttentionExtents : rows::AttentionSize {
    std::int64_t heads;

    /// Returns the distance key - query between the positions of a query and a key with these
    /// indices.
    std::int64_t distance(std::int64_t query, std::int64_t key) const {
        return key - query - before;
    }
};

/// Returns the extents that an array may have: (heads, queries, keys); (queries, keys) of one head;
/// or (heads, keys) of one query. There are never fewer keys than queries, nor more than 1024
/// heads, nor more than 2^23 values of one query.
std::vector<AttentionExtents> attention_extents(const Sample& sample);

/// Returns the extents of an array (queries, keys), or (keys) of one query; none if the array has
/// another shape, or if a value in memory is not a whole number.
std::optional<AttentionExtents> index_extents(const Sample& sample);

/// Reads the values of one query, one value for each key.
std::vector<double> read_query(const Sample& sample, const AttentionExtents& extents,
                               std::int64_t head, std::int64_t query);

/// The values of an array that depend on nothing but the head and the distance of query and key.
struct Lines {
    AttentionExtents extents;
    bool is_causal = false;                    ///< minus infinity where a key comes after its query
    std::vector<std::vector<double>> heads{};  ///< by distance, smallest first; NaN where masked

    double at(std::int64_t head, std::int64_t distance) const;
};

/// Returns the lines of an array; none if its values depend on anything else by more than
/// `tolerance`, or if there are too many distances. Checks some hundred of the rows in memory.
std::optional<Lines> lines_of(const Sample& sample, const AttentionExtents& extents,
                              double tolerance = 0);

/// Returns numbers as a table in memory, for a DataFile. The dtype is float64 if the precision has
/// more digits than float32, otherwise float32.
Table data_table(std::vector<double> values, Shape shape, const Precision& precision);

}  // namespace pegen::evidence
