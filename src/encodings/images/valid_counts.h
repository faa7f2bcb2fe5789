#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "encodings/images/pixel_mask.h"

// Pixels counted along an axis of images of which some pixels are padding. `count` is the number of
// valid pixels of a line (a column or a row) up to a pixel, that pixel included, so that the first
// valid one has 1; `last` is the count of the line's last pixel. Padding does not count: behind it,
// or within it, the count stays what it was.
namespace pegen::encodings {

struct ImageSize {
    std::int64_t height;
    std::int64_t width;
};

/// The direction in which lines run and pixels are counted.
enum class Direction { down, across };

/// Whether the position of a pixel depends on its count alone or on the last count of its line too.
enum class Dependence { on_count, on_count_and_last };

/// The pairs (count, last) of the pixels of a batch, or the counts alone, in the order of numbers:
/// as many as there are different ones, but for count 0 of each last, which is always there.
struct ValidCounts {
    std::map<std::int64_t, std::int64_t> first_number;  ///< of each last: the number of its count 0
    std::int64_t size;                                  ///< of all numbers

    /// The numbers of the pixels in row y of an image. numbers.size() is the width.
    std::function<void(std::int64_t image, std::int64_t y, std::span<std::uint32_t> numbers)> row;
};

/// Of images whose valid part is at the top left: each its own, or one for all.
/// Costs memory for the sizes only. Precondition: each fits in `whole`.
ValidCounts count_valid(const std::vector<ImageSize>& valid, ImageSize whole, Direction direction,
                        Dependence dependence);

/// Of any mask; keeps four bytes for each pixel.
ValidCounts count_valid(const PixelMask& mask, Direction direction, Dependence dependence);

}  // namespace pegen::encodings
