#pragma once

#include <cstdint>

#include "core/axis.h"
#include "core/parameters.h"
#include "core/table.h"
#include "encodings/cell.h"
#include "encodings/encoding.h"

// Windows of an image whose tokens attend to each other, for the Swin Transformers.
namespace pegen::encodings {

inline constexpr Range any_window{.lowest = 1, .highest = 1 << 14};

inline constexpr ParameterSpec window_height_parameter{.name = "height",
                                                       .type = ParameterType::integer,
                                                       .default_value = "7",
                                                       .range = any_window,
                                                       .summary = "rows of tokens in a window",
                                                       .role = Role::extent};

inline constexpr ParameterSpec window_width_parameter{.name = "width",
                                                      .type = ParameterType::integer,
                                                      .default_value = "7",
                                                      .range = any_window,
                                                      .summary = "tokens per row of a window",
                                                      .role = Role::extent};

inline constexpr ParameterSpec window_depth_parameter{.name = "depth",
                                                      .type = ParameterType::integer,
                                                      .range = any_window,
                                                      .summary =
                                                          "frames of a window, for video or "
                                                          "volumes",
                                                      .role = Role::extent};

/// The tokens of a window frame by frame and row by row, top row first, after a class token if
/// there is one. Queries are every query_stride-th row and column of each frame.
struct Window {
    std::int64_t height;
    std::int64_t width;
    bool has_class_token = false;
    std::int64_t depth = 1;
    std::int64_t query_stride = 1;
    bool is_absolute = false;        ///< offsets of both signs have one index
    std::int64_t more_key_rows = 0;  ///< of the keys' window than of the queries'
    std::int64_t more_key_columns = 0;
    bool is_key_minus_query = false;  ///< the offset
    bool is_x_before_y = false;       ///< in the index
    bool is_numbered_as_hat = false;  ///< by HAT's shift, which makes some indices negative

    std::int64_t key_height() const { return height + more_key_rows; }
    std::int64_t key_width() const { return width + more_key_columns; }
    std::int64_t keys() const {
        return depth * key_height() * key_width() + (has_class_token ? 1 : 0);
    }
    std::int64_t query_height() const { return (height - 1) / query_stride + 1; }
    std::int64_t query_width() const { return (width - 1) / query_stride + 1; }
    std::int64_t queries() const {
        return depth * query_height() * query_width() + (has_class_token ? 1 : 0);
    }
    /// Returns the number of different offsets between two tokens: all offsets between two
    /// positions, and three more with a class token.
    std::int64_t offsets() const;
};

/// Returns the table (queries, keys) of offset indices: of (dt, dy, dx), less the smallest of each,
/// or of (|dt|, |dy|, |dx|), numbered with the last running fastest. Along an axis with q places
/// of queries and k of keys there are q + k - 1 offsets, or the larger of q and k if absolute. HAT
/// takes k - 2 more off dy and dx. The last three indices are for pairs with the class token: as
/// the query, as the key, and as both.
Rows offset_indices(const Window& window, DType dtype);

/// Returns the element of offset_indices() for a query and a key.
std::int64_t offset_index(const Window& window, std::int64_t query, std::int64_t key);

/// Returns a table (heads, queries, keys) whose values depend on the head and the offset alone:
/// element (h, q, k) is the element of row h of `line` for the index of q and k. `line` has a row
/// for each head and a column for each index, negative ones counted from its end. Its rows are read
/// now, several at a time, and kept.
Rows by_offset(const Rows& line, const Window& window);

/// Returns the cell of a pair of tokens in the table of offset_indices(): the index, its formula,
/// and the offset as its note.
Cell offset_cell(const Window& window, std::int64_t query, std::int64_t key);

/// Plans the table of offset_indices().
Plan plan_offset_indices(Parameters parameters, const Window& window);

/// Returns the axis of the queries or of the keys.
Axis window_axis(AxisKind kind, const Window& window);

}  // namespace pegen::encodings
