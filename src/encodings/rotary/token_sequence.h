#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

// Sequences of text, images and videos, in which each token has a position on three axes.
namespace pegen::encodings {

enum class NextPosition {
    max,   ///< one beyond the largest position on any axis
    grid,  ///< one beyond the largest row or column, whatever the frames
};

/// A segment of the tokens: a text, an image or a video. The tokens of a text have positions start,
/// start + 1, ... on all three axes. The tokens of a grid have the positions (start + place of the
/// frame, start + row, start + column), with columns running fastest.
struct Segment {
    bool is_text;
    std::int64_t start;
    std::array<std::int64_t, 3> extents;  ///< frames, rows, columns; for a text 1, 1, tokens
    double frame_step = 1;

    std::int64_t tokens() const { return extents[0] * extents[1] * extents[2]; }

    /// Returns the whole part of frame * frame_step.
    std::int64_t place_of_frame(std::int64_t frame) const;

    /// Returns the number of positions from the first to the last on any axis.
    std::int64_t positions() const;

    /// Returns the position of a token on axis 0 (t), 1 (y) or 2 (x).
    std::int64_t position(std::int64_t token, std::size_t axis) const;
};

/// Reads a sequence such as "text:5,image:4x6,video:3x4x6": tokens; rows x columns; frames x rows x
/// columns. Positions start at 0. Each segment starts where `next` says that the previous segment
/// ends. Throws: UsageError for invalid text, or for more than 2^53 tokens or positions.
std::vector<Segment> parse_sequence(std::string_view text, NextPosition next,
                                    double frame_step = 1);

std::int64_t token_count(const std::vector<Segment>& segments);

}  // namespace pegen::encodings
