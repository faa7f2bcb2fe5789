#include "encodings/parameters/window.h"

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
    const Place of_key = place_of(key, window.height, window.width, 1);
    const Place extents{window.depth, window.height, window.width};
    std::int64_t index = 0;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        const std::int64_t offset = of_query[axis] - of_key[axis], extent = extents[axis];
        index = window.is_absolute ? index * extent + std::abs(offset)
                                   : index * (2 * extent - 1) + offset + extent - 1;
    }
    return index;
}

}  // namespace

std::int64_t Window::offsets() const {
    const std::int64_t of_positions =
        is_absolute ? depth * height * width : (2 * depth - 1) * (2 * height - 1) * (2 * width - 1);
    return of_positions + (has_class_token ? 3 : 0);
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
    axis.extents.push_back(is_query ? window.query_height() : window.height);
    axis.extents.push_back(is_query ? window.query_width() : window.width);
    return axis;
}

}  // namespace pegen::encodings
