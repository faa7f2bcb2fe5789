#pragma once

#include <cstdint>

#include "core/axis.h"
#include "core/parameters.h"
#include "core/table.h"
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

/// The tokens of a window row by row, top row first, after a class token if there is one.
struct Window {
    std::int64_t height;
    std::int64_t width;
    bool has_class_token = false;

    std::int64_t tokens() const { return height * width + (has_class_token ? 1 : 0); }
    /// Returns the number of different offsets between two tokens: all offsets between two
    /// positions, and three more with a class token.
    std::int64_t offsets() const {
        return (2 * height - 1) * (2 * width - 1) + (has_class_token ? 3 : 0);
    }
};

/// Returns the table (tokens, tokens), axes (query, key), of offset indices:
/// (dy + height - 1) (2 width - 1) + dx + width - 1  for dy, dx = query - key. The last three
/// indices are for pairs with the class token: as the query, as the key, and as both.
RealRows offset_indices(const Window& window);

/// Plans the table of offset_indices().
Plan plan_offset_indices(Parameters parameters, const Window& window);

/// Returns the axis of the tokens; `kind` is query or key.
Axis window_axis(AxisKind kind, const Window& window);

}  // namespace pegen::encodings
