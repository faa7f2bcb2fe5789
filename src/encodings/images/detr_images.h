#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/dtype.h"
#include "core/table.h"
#include "encodings/cell.h"
#include "encodings/images/valid_counts.h"

namespace pegen::encodings {

inline constexpr std::int64_t most_kept_values = std::int64_t{1} << 28;

/// How a pixel's position follows from its count and the last count of its line:
/// (count + offset) / (last + eps) * scale.
struct Normalization {
    double offset;
    double eps;
    double scale;
};

/// The channels of an axis.
struct AxisChannels {
    char axis;  ///< t, y or x
    double temperature;
};

/// What the parameters say of the images and their channels. An image is a video of one frame.
struct Images {
    std::int64_t batch;
    VideoSize size;
    std::optional<Table> mask;     ///< opened
    std::vector<ImageSize> valid;  ///< without a mask: the part of each image, or of all
    std::int64_t features;         ///< of each axis
    bool is_halved;                ///< sines before cosines
    bool is_per_channel;           ///< a frequency for each channel
    std::vector<AxisChannels> axes;
    std::optional<Normalization> normalization;
    bool is_exact;  ///< by --arith
};

/// Returns the rows of (batch, channels, height, width), or of (batch, frames, ...).
/// Throws: UsageError for positions that are not finite, or for more than most_kept_values.
RowSource image_rows(const Images& images, DType dtype);

/// Returns how the value with this index comes about, in exact arithmetic.
Cell image_cell(Images images, std::span<const std::int64_t> index);

}  // namespace pegen::encodings
