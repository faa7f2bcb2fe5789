#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "core/table.h"
#include "figure/figure.h"

namespace pegen {

/// What --animate NAME=FROM..TO says, as the user typed it.
struct AnimatedParameter {
    std::string_view name;
    std::string_view from;
    std::string_view to;
};

/// Returns the parts of the text; nothing if it does not have this form.
std::optional<AnimatedParameter> animated_parameter(std::string_view text);

/// When a frame is shown, in milliseconds, and how long the whole animation is.
struct FrameTimes {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t whole;
};

/// A picture of an animation.
struct Frame {
    Figure figure;
    std::string title;  ///< the figure's without the value, ", base = 1,000"
    FrameTimes times;
    std::uint32_t of;  ///< the number of all frames
};

/// Draws the table once for each value of the parameter that --animate names, and calls `take` with
/// one frame after another. Axes, limits and colours are the same in all of them, and have room for
/// the values of all. Values are spaced evenly or, if both ends are positive and one is more than
/// 20 times the other, by equal factors; they are rounded to the digits that tell them apart, and
/// those of integers to integers, of which each is drawn once. Tables are made twice, one at a
/// time. Returns the notes of all figures, each once.
/// Without --animate, draws a single frame.
/// Throws: UsageError if there is no such parameter, if it is not a number, if a value is refused,
/// or if the values change the shape of the table or the axes of the figure; also as
/// compose_figure().
std::vector<std::string> draw_frames(const Table& table, const Parameters& figure, Texts texts,
                                     const std::function<void(Frame)>& take);

}  // namespace pegen
