#include "encodings/images/detr_padding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "core/to_size.h"

namespace pegen::encodings {
namespace {

/// The pixels of a line of an axis: first, first + step, ...
struct Line {
    std::int64_t first;
    std::int64_t step;
    std::int64_t length;

    std::int64_t pixel(std::int64_t i) const { return first + i * step; }
};

std::vector<Line> lines_of(const ImageWaves& images, int axis) {
    std::vector<Line> lines;
    const std::int64_t size = images.height * images.width;
    for (std::int64_t image = 0; image < images.batch; ++image) {
        const std::int64_t count = axis == 0 ? images.width : images.height;
        for (std::int64_t i = 0; i < count; ++i) {
            if (axis == 0) {
                lines.push_back({image * size + i, images.width, images.height});
            } else {
                lines.push_back({image * size + i * images.width, 1, images.width});
            }
        }
    }
    return lines;
}

/// Returns how far the angle goes on from the pixel before, along the axis; 0 for the first one.
std::vector<double> advances_of(const ImageWaves& images, int axis) {
    std::vector<double> advances(to_size(images.pixels()));
    for (const Line& line : lines_of(images, axis)) {
        for (std::int64_t i = 1; i < line.length; ++i) {
            const double advance = evidence::wrapped(images.angle(axis, line.pixel(i)) -
                                                     images.angle(axis, line.pixel(i - 1)));
            advances[to_size(line.pixel(i))] = std::fabs(advance);
        }
    }
    return advances;
}

void count(Padding& padding, const ImageWaves& images, int axis) {
    padding.counts[axis].resize(to_size(images.pixels()));
    padding.lasts[axis].resize(to_size(images.pixels()));
    for (const Line& line : lines_of(images, axis)) {
        std::vector<std::int64_t> valid;
        for (std::int64_t i = 0; i < line.length; ++i) {
            if (padding.is_valid[to_size(line.pixel(i))]) valid.push_back(line.pixel(i));
            padding.counts[axis][to_size(line.pixel(i))] = std::ssize(valid);
        }
        for (std::int64_t i = 0; i < line.length; ++i) {
            padding.lasts[axis][to_size(line.pixel(i))] = std::ssize(valid);
        }
        if (valid.size() > padding.longest[axis].size()) padding.longest[axis] = std::move(valid);
    }
}

}  // namespace

double ImageWaves::value(std::int64_t channel, std::int64_t pixel) const {
    const std::int64_t size = height * width;
    const std::int64_t image = pixel / size;
    return sample.values[to_size((image * 2 * features + channel) * size + pixel % size)];
}

double ImageWaves::angle(int axis, std::int64_t pixel) const {
    return std::atan2(value(axis * features, pixel), value(axis * features + 1, pixel));
}

evidence::WavePairs ImageWaves::pairs(int axis, const std::vector<std::int64_t>& pixels) const {
    evidence::WavePairs waves{.rows = std::ssize(pixels), .pairs = features / 2};
    for (std::int64_t pair = 0; pair < features / 2; ++pair) {
        for (const std::int64_t pixel : pixels) {
            waves.sines.push_back(value(axis * features + 2 * pair, pixel));
            waves.cosines.push_back(value(axis * features + 2 * pair + 1, pixel));
            waves.sine_errors.push_back(sample.error_of(waves.sines.back()));
            waves.cosine_errors.push_back(sample.error_of(waves.cosines.back()));
        }
    }
    return waves;
}

Padding padding_of(const ImageWaves& images) {
    const std::vector<double> down = advances_of(images, 0), across = advances_of(images, 1);
    // Angles that stay are the same but for roundings. Positions in a line without valid pixels
    // may be large, but they are one number.
    const double least = 8 * images.sample.error_of(1) + 1e-5;
    Padding padding;
    for (std::size_t pixel = 0; pixel < down.size(); ++pixel) {
        padding.is_valid.push_back(down[pixel] > least || across[pixel] > least);
    }
    const std::int64_t size = images.height * images.width;
    for (std::int64_t first = 0; first < images.pixels(); first += size) {
        const bool is_beside_valid =
            (images.width > 1 && padding.is_valid[to_size(first + 1)]) ||
            (images.height > 1 && padding.is_valid[to_size(first + images.width)]);
        padding.is_valid[to_size(first)] = is_beside_valid;
    }
    for (const int axis : {0, 1}) count(padding, images, axis);
    return padding;
}

std::string valid_parts(const ImageWaves& images, const Padding& padding) {
    std::string parts;
    const std::int64_t size = images.height * images.width;
    for (std::int64_t image = 0; image < images.batch; ++image) {
        const auto is_valid = [&](std::int64_t y, std::int64_t x) -> bool {
            return padding.is_valid[to_size(image * size + y * images.width + x)];
        };
        std::int64_t height = 0, width = 0;
        while (height < images.height && is_valid(height, 0)) ++height;
        while (width < images.width && is_valid(0, width)) ++width;
        for (std::int64_t y = 0; y < images.height; ++y) {
            for (std::int64_t x = 0; x < images.width; ++x) {
                if (is_valid(y, x) != (y < height && x < width)) return "";
            }
        }
        parts += fmt::format("{}{}x{}", parts.empty() ? "" : ",", height, width);
    }
    return parts;
}

Table mask_of(const ImageWaves& images, const Padding& padding) {
    auto bytes = std::make_shared<std::vector<std::byte>>();
    for (const bool is_valid : padding.is_valid) bytes->push_back(std::byte{!is_valid});
    Table mask;
    mask.shape = Shape{images.batch, images.height, images.width};
    mask.dtype = DType::boolean;
    mask.axes.assign(3, Axis{});
    mask.rows = [bytes, width = images.width](RowRange range, std::span<std::byte> out) {
        std::memcpy(out.data(), bytes->data() + to_size(range.first * width), out.size());
    };
    return mask;
}

}  // namespace pegen::encodings
