#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/table.h"
#include "evidence/circle.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// The axes along which the pixels of videos are counted, in the order of --temperature. An image
/// has no channels of t.
enum ImageAxis { axis_t, axis_y, axis_x };

/// An array as images or videos of DETR's family. All of it is in memory.
struct ImageWaves {
    const evidence::Sample& sample;
    std::int64_t batch, frames, features, height, width;  ///< features of each axis
    bool is_halved;               ///< in the channels of an axis, sines are before cosines
    std::vector<ImageAxis> axes;  ///< in the order of their channels

    std::int64_t pixels() const { return batch * frames * height * width; }
    /// Returns how many pixels the lines of an axis have, and how far their pixels are apart.
    std::int64_t length(ImageAxis axis) const;
    std::int64_t step(ImageAxis axis) const;
    /// Returns the sine, or the cosine, of a frequency of axes[block] at a pixel.
    double sine(std::int64_t block, std::int64_t pair, std::int64_t pixel) const;
    double cosine(std::int64_t block, std::int64_t pair, std::int64_t pixel) const;
    /// Returns the waves of axes[block] at these pixels.
    evidence::WavePairs pairs(std::int64_t block, const std::vector<std::int64_t>& pixels) const;

  private:
    double value(std::int64_t channel, std::int64_t pixel) const;
};

/// Returns the order in which the channels of `axes` are, if each block of channels advances along
/// one of them; a block that is the same everywhere is that of t, of a single frame.
std::optional<std::vector<ImageAxis>> order_of(const ImageWaves& images);

/// How the pixels are counted along an axis.
struct CountedAxis {
    std::vector<std::int64_t> counts{};   ///< of valid pixels up to each one
    std::vector<std::int64_t> lasts{};    ///< the count at the end of its line
    std::vector<std::int64_t> longest{};  ///< the valid pixels of the line that has most
};

/// Which pixels are valid, and how they are counted.
struct Padding {
    std::vector<bool> is_valid;         ///< by pixel: (batch, frames, height, width)
    std::array<CountedAxis, 3> axes{};  ///< by ImageAxis
};

/// Returns the pixels at which the angle of an axis goes on; the first pixel of an image or video
/// is valid if a neighbour is.
Padding padding_of(const ImageWaves& images);

/// Returns the valid parts, "20x30,15x30", if all are at the top left of their images, and the same
/// in all frames of a video; "" if one is not.
std::string valid_parts(const ImageWaves& images, const Padding& padding);

/// Returns the mask (batch, height, width) of images, (batch, frames, height, width) of videos,
/// true for padding.
Table mask_of(const ImageWaves& images, const Padding& padding);

}  // namespace pegen::encodings
