#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/table.h"
#include "evidence/circle.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// An array as images of DETR's family: the channels of y, then those of x; sines and cosines
/// alternate. All of it is in memory.
struct ImageWaves {
    const evidence::Sample& sample;
    std::int64_t batch, features, height, width;  ///< features of each axis

    /// Returns the waves of an axis, 0 (y) or 1 (x), at these pixels.
    evidence::WavePairs pairs(int axis, const std::vector<std::int64_t>& pixels) const;
    std::int64_t pixels() const { return batch * height * width; }
    double value(std::int64_t channel, std::int64_t pixel) const;
    /// Returns the angle of the fastest frequency of an axis at a pixel, modulo 2 pi.
    double angle(int axis, std::int64_t pixel) const;
};

/// Which pixels are valid, and how they are counted.
struct Padding {
    std::vector<bool> is_valid;            ///< by pixel: (batch, height, width)
    std::vector<std::int64_t> counts[2];   ///< of valid pixels up to each one, along y and x
    std::vector<std::int64_t> lasts[2];    ///< the count at the end of its line
    std::vector<std::int64_t> longest[2];  ///< the valid pixels of the line that has most
};

/// Returns the pixels at which the angle of y or of x goes on; the first pixel of an image is valid
/// if a neighbour is.
Padding padding_of(const ImageWaves& images);

/// Returns the valid parts, "20x30,15x30", if all are at the top left of their images; "" if one is
/// not.
std::string valid_parts(const ImageWaves& images, const Padding& padding);

/// Returns the mask (batch, height, width), true for padding.
Table mask_of(const ImageWaves& images, const Padding& padding);

}  // namespace pegen::encodings
