#include "encodings/relative/window.h"

#include <utility>

namespace pegen::encodings {
namespace {

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
    const std::int64_t dy = query / window.width - key / window.width;
    const std::int64_t dx = query % window.width - key % window.width;
    return (dy + window.height - 1) * (2 * window.width - 1) + dx + window.width - 1;
}

}  // namespace

RealRows offset_indices(const Window& window) {
    return {[window](RowRange range, std::span<double> out) {
                for (std::size_t i = 0; i < out.size(); ++i) {
                    const auto place = static_cast<std::int64_t>(i);
                    out[i] = static_cast<double>(offset_index(
                        window, range.first + place / window.tokens(), place % window.tokens()));
                }
            },
            window.tokens(), window.tokens()};
}

Plan plan_offset_indices(Parameters p, const Window& window) {
    return {.parameters = std::move(p),
            .shape = {window.tokens(), window.tokens()},
            .axes = {window_axis(AxisKind::query, window), window_axis(AxisKind::key, window)},
            .make_rows = [window](DType dtype) { return rounded(offset_indices(window), dtype); }};
}

Axis window_axis(AxisKind kind, const Window& window) {
    const bool is_query = kind == AxisKind::query;
    return {.kind = kind,
            .name = is_query ? "query" : "key",
            .label = is_query ? "Query Token" : "Key Token",
            .rows_before = window.has_class_token ? 1 : 0,
            .extents = {window.height, window.width}};
}

}  // namespace pegen::encodings
