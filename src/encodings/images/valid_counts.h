#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "encodings/images/pixel_mask.h"

// Counts the pixels along an axis of images or videos with padding. `count` is the number of
// valid pixels of a line (a column, a row, or a pixel's frames) up to a pixel, that pixel included,
// so that the first valid one has 1; `last` is the count of the line's last pixel. Padding does not
// count: within it and after it the count stays what it was.
namespace pegen::encodings {

struct ImageSize {
    std::int64_t height;
    std::int64_t width;
};

/// The direction in which lines run and pixels are counted: through the frames of a video, down a
/// column, across a row.
enum class Direction { through, down, across };

/// What the position of a pixel depends on: its count alone, or also the last count of its line.
enum class Dependence { on_count, on_count_and_last };

/// Numbers for the different pairs (count, last), or counts, of the pixels of a batch. Count 0 of
/// each last has a number even if no pixel has it.
struct ValidCounts {
    std::map<std::int64_t, std::int64_t> first_number;  ///< the number of count 0, by last
    std::int64_t size;                                  ///< how many numbers there are

    /// Fills in the numbers of the pixels in row y of an image, or of a frame: frame t of video b
    /// is image b * frames + t. numbers.size() is the width.
    std::function<void(std::int64_t image, std::int64_t y, std::span<std::uint32_t> numbers)> row;
};

/// How large all images of a batch are, or all videos.
struct VideoSize {
    std::int64_t frames;
    ImageSize image;
};

/// Counts videos whose valid part is at the top left of all frames: one size for each video, or one
/// for all. Keeps the sizes only. Precondition: each fits in `whole`.
ValidCounts count_valid(const std::vector<ImageSize>& valid, const VideoSize& whole,
                        Direction direction, Dependence dependence);

/// Counts the pixels of any mask; keeps four bytes for each pixel.
ValidCounts count_valid(const PixelMask& mask, Direction direction, Dependence dependence);

}  // namespace pegen::encodings
