#include "encodings/parameters/window.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace pegen::encodings {
namespace {

/// A number for each axis of a window: t, y and x.
using Place = std::array<std::int64_t, 3>;

/// Returns the place of a token in a window of this height and width, times `stride` along both.
Place place_of(std::int64_t token, std::int64_t height, std::int64_t width, std::int64_t stride) {
    return {token / (height * width), token / width % height * stride, token % width * stride};
}

Place extents_of_queries(const Window& window) {
    return {window.depth, window.height, window.width};
}
Place extents_of_keys(const Window& window) {
    return {window.depth, window.key_height(), window.key_width()};
}

/// Returns the number of offsets along each axis.
Place counts_of(const Window& window) {
    Place counts = extents_of_queries(window);
    const Place of_keys = extents_of_keys(window);
    for (std::size_t axis = 0; axis < counts.size(); ++axis) {
        counts[axis] = window.is_absolute ? std::max(counts[axis], of_keys[axis])
                                          : counts[axis] + of_keys[axis] - 1;
    }
    return counts;
}

/// Returns the axes in the order of the index.
std::array<std::size_t, 3> order_of(const Window& window) {
    return window.is_x_before_y ? std::array<std::size_t, 3>{0, 2, 1}
                                : std::array<std::size_t, 3>{0, 1, 2};
}

/// Returns the index of the offset between two tokens.
std::int64_t offset_index(const Window& window, std::int64_t query, std::int64_t key) {
    if (window.has_class_token) {
        if (query == 0 || key == 0) {
            const std::int64_t kind = query == key ? 2 : key == 0 ? 1 : 0;
            return window.offsets() - 3 + kind;
        }
        query -= 1;
        key -= 1;
    }
    const Place of_query =
        place_of(query, window.query_height(), window.query_width(), window.query_stride);
    const Place of_key = place_of(key, window.key_height(), window.key_width(), 1);
    const Place counts = counts_of(window), extents = extents_of_queries(window),
                key_extents = extents_of_keys(window);
    std::int64_t index = 0;
    for (const std::size_t axis : order_of(window)) {
        const std::int64_t distance = of_query[axis] - of_key[axis];
        const std::int64_t from_smallest = window.is_key_minus_query
                                               ? extents[axis] - 1 - distance
                                               : distance + key_extents[axis] - 1;
        const std::int64_t shift =
            window.is_numbered_as_hat && axis > 0 ? key_extents[axis] - 2 : 0;
        index = index * counts[axis] +
                (window.is_absolute ? std::abs(distance) : from_smallest - shift);
    }
    return index;
}

}  // namespace

std::int64_t Window::offsets() const {
    const auto [of_t, of_y, of_x] = counts_of(*this);
    return of_t * of_y * of_x + (has_class_token ? 3 : 0);
}

RealRows offset_indices(const Window& window) {
    return {[window](RowRange range, std::span<double> out) {
                for (std::size_t i = 0; i < out.size(); ++i) {
                    const auto place = static_cast<std::int64_t>(i);
                    out[i] = static_cast<double>(offset_index(
                        window, range.first + place / window.keys(), place % window.keys()));
                }
            },
            window.queries(), window.keys()};
}

Plan plan_offset_indices(Parameters p, const Window& window) {
    return {.parameters = std::move(p),
            .shape = {window.queries(), window.keys()},
            .axes = {window_axis(AxisKind::query, window), window_axis(AxisKind::key, window)},
            .make_rows = [window](DType dtype) { return rounded(offset_indices(window), dtype); }};
}

Axis window_axis(AxisKind kind, const Window& window) {
    const bool is_query = kind == AxisKind::query;
    Axis axis{.kind = kind,
              .name = is_query ? "query" : "key",
              .label = is_query ? "Query Token" : "Key Token",
              .rows_before = window.has_class_token ? 1 : 0};
    if (window.depth > 1) axis.extents.push_back(window.depth);
    axis.extents.push_back(is_query ? window.query_height() : window.key_height());
    axis.extents.push_back(is_query ? window.query_width() : window.key_width());
    return axis;
}

}  // namespace pegen::encodings
