#include "encodings/parameters/window.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "rows/kept.h"

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

/// Returns how many rows behind the offsets the pair's row is, if one is the class token: 0 as the
/// query, 1 as the key, 2 as both; -1 without the class token.
std::int64_t class_row(const Window& window, std::int64_t query, std::int64_t key) {
    if (!window.has_class_token || (query > 0 && key > 0)) return -1;
    return query == key ? 2 : key == 0 ? 1 : 0;
}

/// Returns the offset along an axis of two tokens, the query `difference` places behind the key.
std::int64_t offset_of(const Window& window, std::int64_t difference) {
    if (window.is_absolute) return std::abs(difference);
    return window.is_key_minus_query ? -difference : difference;
}

/// Returns the offset of two tokens, neither of which is the class token, along each axis.
Place offset_of(const Window& window, std::int64_t query, std::int64_t key) {
    const std::int64_t before = window.has_class_token ? 1 : 0;
    Place offset =
        place_of(query - before, window.query_height(), window.query_width(), window.query_stride);
    const Place of_key = place_of(key - before, window.key_height(), window.key_width(), 1);
    for (std::size_t axis = 0; axis < offset.size(); ++axis) {
        offset[axis] = offset_of(window, offset[axis] - of_key[axis]);
    }
    return offset;
}

/// Returns the number of offset 0 along each axis.
Place middles_of(const Window& window) {
    if (window.is_absolute) return {0, 0, 0};
    const Place of_keys = extents_of_keys(window);
    Place middles = window.is_key_minus_query ? extents_of_queries(window) : of_keys;
    for (std::size_t axis = 0; axis < middles.size(); ++axis) {
        middles[axis] -= 1;
        if (window.is_numbered_as_hat && axis > 0) middles[axis] -= of_keys[axis] - 2;
    }
    return middles;
}

/// Returns the number of indices from one offset along each axis to the next.
Place strides_of(const Window& window) {
    const auto [of_t, of_y, of_x] = counts_of(window);
    return window.is_x_before_y ? Place{of_x * of_y, 1, of_y} : Place{of_y * of_x, of_x, 1};
}

/// Fills rows of a table (heads, queries, keys) with value_of(head, index of the pair's offset).
/// Queries side by side see the same rows of keys, each a few columns further: their elements are
/// copied from a line for each row of keys.
template <class T, class ValueOf>
void fill_by_offset(const Window& window, RowRange range, const ValueOf& value_of, T* out) {
    const Place middles = middles_of(window), strides = strides_of(window);
    const auto part = [&](std::size_t axis, std::int64_t difference) {
        return strides[axis] * (offset_of(window, difference) + middles[axis]);
    };
    const std::int64_t before = window.has_class_token ? 1 : 0, end = range.first + range.count;
    std::vector<std::int64_t> along_x;
    std::vector<std::byte> bytes;
    for (std::int64_t row = range.first, count = 1; row < end; row += count) {
        const std::int64_t head = row / window.queries(), query = row % window.queries() - before;
        if (query < 0) {
            std::fill_n(out, window.keys(), value_of(head, window.offsets() - 3));
            *out = value_of(head, window.offsets() - 1);
            out += window.keys();
            count = 1;
            continue;
        }
        const auto [t, y, x] =
            place_of(query, window.query_height(), window.query_width(), window.query_stride);
        count = std::min(end - row, window.query_width() - query % window.query_width());
        const std::int64_t moves = (count - 1) * window.query_stride;
        along_x.resize(window.key_width() + moves);
        for (std::int64_t i = 0; i < std::ssize(along_x); ++i) along_x[i] = part(2, x + moves - i);
        bytes.resize(window.depth * window.key_height() * along_x.size() * sizeof(T));
        T* const lines = reinterpret_cast<T*>(bytes.data());
        T* lines_end = lines;
        for (std::int64_t key_t = 0; key_t < window.depth; ++key_t) {
            for (std::int64_t key_y = 0; key_y < window.key_height(); ++key_y) {
                const std::int64_t of_row = part(0, t - key_t) + part(1, y - key_y);
                for (const std::int64_t of_x : along_x)
                    *lines_end++ = value_of(head, of_row + of_x);
            }
        }
        for (std::int64_t left = moves; left >= 0; left -= window.query_stride) {
            if (before > 0) *out++ = value_of(head, window.offsets() - 2);
            for (const T* line = lines; line < lines_end; line += along_x.size()) {
                out = std::copy_n(line + left, window.key_width(), out);
            }
        }
    }
}

/// Returns the formula of offset_index().
std::string formula_of(const Window& window, std::int64_t query, std::int64_t key) {
    if (const std::int64_t row = class_row(window, query, key); row >= 0) {
        return fmt::format("{} + {}", window.offsets() - 3, row);
    }
    const Place offset = offset_of(window, query, key), middles = middles_of(window),
                counts = counts_of(window);
    std::string text;
    for (const int axis : window.is_x_before_y ? std::array{0, 2, 1} : std::array{0, 1, 2}) {
        if (axis == 0 && window.depth == 1) continue;
        const std::string part = window.is_absolute ? fmt::format("{}", offset[axis])
                                                    : fmt::format("({} {} {})", offset[axis],
                                                                  middles[axis] < 0 ? "-" : "+",
                                                                  std::abs(middles[axis]));
        if (text.find(" * ") != text.npos) text = fmt::format("({})", text);
        text +=
            fmt::format("{}{}", text.empty() ? "" : fmt::format(" * {} + ", counts[axis]), part);
    }
    return text;
}

std::string note_on(const Window& window, std::int64_t query, std::int64_t key) {
    constexpr std::array notes{"The query is the class token.", "The key is the class token.",
                               "The query and the key are the class token."};
    if (const std::int64_t row = class_row(window, query, key); row >= 0) return notes[row];
    const auto [dt, dy, dx] = offset_of(window, query, key);
    const std::string_view bar = window.is_absolute ? "|" : "";
    return fmt::format("{}{}dy{} = {}, {}dx{} = {}.",
                       window.depth == 1 ? "" : fmt::format("{}dt{} = {}, ", bar, bar, dt), bar,
                       bar, dy, bar, bar, dx);
}

}  // namespace

std::int64_t Window::offsets() const {
    const auto [of_t, of_y, of_x] = counts_of(*this);
    return of_t * of_y * of_x + (has_class_token ? 3 : 0);
}

std::int64_t offset_index(const Window& window, std::int64_t query, std::int64_t key) {
    if (const std::int64_t row = class_row(window, query, key); row >= 0) {
        return window.offsets() - 3 + row;
    }
    const Place offset = offset_of(window, query, key), middles = middles_of(window),
                strides = strides_of(window);
    std::int64_t index = 0;
    for (std::size_t axis = 0; axis < offset.size(); ++axis) {
        index += strides[axis] * (offset[axis] + middles[axis]);
    }
    return index;
}

Rows offset_indices(const Window& window, DType dtype) {
    const auto fill = [=](RowRange range, std::span<std::byte> out) {
        with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
            const auto value_of = [](std::int64_t, std::int64_t index) {
                if constexpr (std::is_integral_v<T>) return static_cast<T>(index);
                return round_to<T>(static_cast<double>(index));
            };
            fill_by_offset(window, range, value_of, reinterpret_cast<T*>(out.data()));
        });
    };
    return {fill, window.queries(), window.keys(), dtype};
}

Rows by_offset(const Rows& line, const Window& window) {
    const auto fill = [=, values = rows::elements_of(line)](RowRange range,
                                                            std::span<std::byte> out) {
        with_element_type(line.dtype(), [&]<class T>(std::type_identity<T>) {
            const auto value_of = [=, all = reinterpret_cast<const T*>(values->data()),
                                   offsets = line.columns()](std::int64_t head,
                                                             std::int64_t index) {
                return all[head * offsets + (index < 0 ? index + offsets : index)];
            };
            fill_by_offset(window, range, value_of, reinterpret_cast<T*>(out.data()));
        });
    };
    return {fill, line.count() * window.queries(), window.keys(), line.dtype()};
}

Cell offset_cell(const Window& window, std::int64_t query, std::int64_t key) {
    const auto index = static_cast<double>(offset_index(window, query, key));
    return {.value = {[=] { return numerics::Real(index); }, formula_of(window, query, key)},
            .note = note_on(window, query, key)};
}

Plan plan_offset_indices(Parameters p, const Window& window) {
    return {.parameters = std::move(p),
            .shape = {window.queries(), window.keys()},
            .axes = {window_axis(AxisKind::query, window), window_axis(AxisKind::key, window)},
            .make_rows = [window](DType dtype) { return offset_indices(window, dtype); },
            .cell =
                [window](std::span<const std::int64_t> index) {
                    return offset_cell(window, index[0], index[1]);
                }};
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
