#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/names.h"
#include "core/table.h"
#include "recognition/evidence/circle.h"
#include "recognition/evidence/geometric.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/images/grid_waves.h"

namespace pegen::recognition {
namespace {

/// The axes along which the pixels of videos are counted, in the order of --temperature. An image
/// has no channels of t.
enum ImageAxis { axis_t, axis_y, axis_x };

/// An array read as images or videos of DETR's family. All its values are in memory.
struct ImageWaves {
    const Sample& sample;
    std::int64_t batch, frames, features, height, width;  ///< features of each axis
    bool is_halved;               ///< in each axis's channels, sines precede cosines
    std::vector<ImageAxis> axes;  ///< in the order of their channels

    std::int64_t pixels() const { return batch * frames * height * width; }
    /// Returns the number of pixels in a line along an axis.
    std::int64_t length(ImageAxis axis) const;
    std::int64_t step(ImageAxis axis) const;
    /// Returns the sine of a frequency of axes[block] at a pixel; cosine() returns its cosine.
    double sine(std::int64_t block, std::int64_t pair, std::int64_t pixel) const;
    double cosine(std::int64_t block, std::int64_t pair, std::int64_t pixel) const;
    /// Returns the sines and cosines of axes[block] at these pixels.
    evidence::WavePairs pairs(std::int64_t block, const std::vector<std::int64_t>& pixels) const;

  private:
    double value(std::int64_t channel, std::int64_t pixel) const;
};

/// The counts of valid pixels along an axis.
struct CountedAxis {
    std::vector<std::int64_t> counts{};   ///< number of valid pixels of the line up to each pixel
    std::vector<std::int64_t> lasts{};    ///< number of valid pixels of each pixel's line
    std::vector<std::int64_t> longest{};  ///< the valid pixels of the line with the most valid ones
};

/// The valid pixels, and their counts along each axis.
struct Padding {
    std::vector<bool> is_valid;         ///< by pixel: (batch, frames, height, width)
    std::array<CountedAxis, 3> axes{};  ///< by ImageAxis
};

/// Calls visit(first) with the first pixel of each line of an axis.
template <class Visit>
void for_each_line(const ImageWaves& images, ImageAxis axis, Visit visit) {
    const std::int64_t step = images.step(axis), size = step * images.length(axis);
    for (std::int64_t outer = 0; outer < images.pixels(); outer += size) {
        for (std::int64_t inner = 0; inner < step; ++inner) visit(outer + inner);
    }
}

/// Returns the least difference between two angles that is not due to rounding. In a line without
/// valid pixels, positions may be large, but they are all the same.
double least_advance(const ImageWaves& images) { return 8 * images.sample.error_of(1) + 1e-5; }

/// Returns, for each pixel, true if the angle of a block differs from the angle at the pixel before
/// it along the axis; false for the first pixel of a line.
std::vector<bool> advances_of(const ImageWaves& images, std::int64_t block, ImageAxis axis) {
    std::vector<double> angles;
    for (std::int64_t pixel = 0; pixel < images.pixels(); ++pixel) {
        angles.push_back(std::atan2(images.sine(block, 0, pixel), images.cosine(block, 0, pixel)));
    }
    std::vector<bool> advances(angles.size());
    const double least = least_advance(images);
    const std::int64_t step = images.step(axis), end = step * images.length(axis);
    for_each_line(images, axis, [&](std::int64_t first) {
        for (std::int64_t i = step; i < end; i += step) {
            const double before = angles[first + i - step];
            const double advance = evidence::wrapped(angles[first + i] - before);
            advances[first + i] = std::fabs(advance) > least;
        }
    });
    return advances;
}

CountedAxis counted(const ImageWaves& images, ImageAxis axis, const std::vector<bool>& is_valid) {
    CountedAxis result;
    result.counts.resize(is_valid.size());
    result.lasts.resize(is_valid.size());
    const std::int64_t step = images.step(axis), end = step * images.length(axis);
    for_each_line(images, axis, [&](std::int64_t first) {
        std::vector<std::int64_t> valid;
        for (std::int64_t pixel = first; pixel < first + end; pixel += step) {
            if (is_valid[pixel]) valid.push_back(pixel);
            result.counts[pixel] = std::ssize(valid);
        }
        for (std::int64_t pixel = first; pixel < first + end; pixel += step) {
            result.lasts[pixel] = std::ssize(valid);
        }
        if (valid.size() > result.longest.size()) result.longest = std::move(valid);
    });
    return result;
}

std::int64_t ImageWaves::length(ImageAxis axis) const {
    return axis == axis_t ? frames : axis == axis_y ? height : width;
}

std::int64_t ImageWaves::step(ImageAxis axis) const {
    return axis == axis_t ? height * width : axis == axis_y ? width : 1;
}

double ImageWaves::value(std::int64_t channel, std::int64_t pixel) const {
    const std::int64_t size = height * width, channels = features * std::ssize(axes);
    return sample.values[(pixel / size * channels + channel) * size + pixel % size];
}

double ImageWaves::sine(std::int64_t block, std::int64_t pair, std::int64_t pixel) const {
    return value(block * features + (is_halved ? pair : 2 * pair), pixel);
}

double ImageWaves::cosine(std::int64_t block, std::int64_t pair, std::int64_t pixel) const {
    return value(block * features + (is_halved ? features / 2 + pair : 2 * pair + 1), pixel);
}

evidence::WavePairs ImageWaves::pairs(std::int64_t block,
                                      const std::vector<std::int64_t>& pixels) const {
    evidence::WavePairs waves{.rows = std::ssize(pixels), .pairs = features / 2};
    for (std::int64_t pair = 0; pair < features / 2; ++pair) {
        for (const std::int64_t pixel : pixels) {
            waves.sines.push_back(sine(block, pair, pixel));
            waves.cosines.push_back(cosine(block, pair, pixel));
            waves.sine_errors.push_back(sample.error_of(waves.sines.back()));
            waves.cosine_errors.push_back(sample.error_of(waves.cosines.back()));
        }
    }
    return waves;
}

/// Returns the axis of each block of channels, if each block advances along a different axis; none
/// otherwise. A block that is the same everywhere belongs to t, for a single frame.
std::optional<std::vector<ImageAxis>> order_of(const ImageWaves& images) {
    std::vector<ImageAxis> order;
    for (std::int64_t block = 0; block < std::ssize(images.axes); ++block) {
        ImageAxis own = axis_t;
        double most = 0;
        for (const ImageAxis axis : images.axes) {
            if (images.length(axis) == 1) continue;
            // At the edge of the padding, an angle also advances along other axes.
            const auto share =
                static_cast<double>(std::ranges::count(advances_of(images, block, axis), true)) /
                (1 - 1 / static_cast<double>(images.length(axis)));
            if (share <= most) continue;
            most = share;
            own = axis;
        }
        order.push_back(own);
    }
    if (!std::ranges::is_permutation(order, images.axes)) return std::nullopt;
    return order;
}

/// Returns the valid pixels, where the angle of some axis advances. The first pixel of an image or
/// video is valid if a neighbour is.
Padding padding_of(const ImageWaves& images) {
    Padding padding{.is_valid = std::vector<bool>(images.pixels())};
    for (std::int64_t block = 0; block < std::ssize(images.axes); ++block) {
        const std::vector<bool> advances = advances_of(images, block, images.axes[block]);
        for (std::size_t pixel = 0; pixel < advances.size(); ++pixel) {
            if (advances[pixel]) padding.is_valid[pixel] = true;
        }
    }
    const std::int64_t size = images.frames * images.height * images.width;
    for (std::int64_t first = 0; first < images.pixels(); first += size) {
        padding.is_valid[first] = std::ranges::any_of(images.axes, [&](ImageAxis axis) -> bool {
            return images.length(axis) > 1 && padding.is_valid[first + images.step(axis)];
        });
    }
    for (const ImageAxis axis : images.axes) {
        padding.axes[axis] = counted(images, axis, padding.is_valid);
    }
    return padding;
}

/// Returns the sizes of the valid parts, "20x30,15x30", if each part is at the top left of its
/// image and the same in all frames of a video; "" otherwise.
std::string valid_parts(const ImageWaves& images, const Padding& padding) {
    std::string parts;
    const std::int64_t size = images.height * images.width;
    for (std::int64_t video = 0; video < images.batch; ++video) {
        const auto is_valid = [&](std::int64_t frame, std::int64_t y, std::int64_t x) -> bool {
            const std::int64_t image = video * images.frames + frame;
            return padding.is_valid[image * size + y * images.width + x];
        };
        std::int64_t height = 0, width = 0;
        while (height < images.height && is_valid(0, height, 0)) ++height;
        while (width < images.width && is_valid(0, 0, width)) ++width;
        for (std::int64_t frame = 0; frame < images.frames; ++frame) {
            for (std::int64_t y = 0; y < images.height; ++y) {
                for (std::int64_t x = 0; x < images.width; ++x) {
                    if (is_valid(frame, y, x) != (y < height && x < width)) return "";
                }
            }
        }
        parts += fmt::format("{}{}x{}", parts.empty() ? "" : ",", height, width);
    }
    return parts;
}

/// Returns the mask, true for padding: (batch, height, width) for images, (batch, frames, height,
/// width) for videos.
Table mask_of(const ImageWaves& images, const Padding& padding) {
    auto bytes = std::make_shared<std::vector<std::byte>>();
    for (const bool is_valid : padding.is_valid) bytes->push_back(std::byte{!is_valid});
    std::vector<std::int64_t> extents{images.batch, images.height, images.width};
    if (images.axes.size() == 3) extents.insert(extents.begin() + 1, images.frames);
    Table mask;
    mask.axes.assign(extents.size(), Axis{});
    mask.shape = Shape(std::move(extents));
    mask.dtype = DType::boolean;
    mask.rows =
        rows_like(mask, [bytes, width = images.width](RowRange range, std::span<std::byte> out) {
            std::memcpy(out.data(), bytes->data() + range.first * width, out.size());
        });
    return mask;
}

constexpr double usual_eps = 1e-6;

/// Measurements along the line with the most valid pixels of an axis.
struct AxisOfImages {
    Measured advance;                 ///< from one valid pixel to the next
    Measured first;                   ///< the position of the first valid pixel
    std::int64_t last;                ///< the number of valid pixels
    std::vector<SimpleNumber> bases;  ///< simplest first; empty for one frequency
};

std::vector<SimpleNumber> bases_of(const MeasuredAxis& axis) {
    std::vector<SimpleNumber> bases;
    for (const evidence::Spacing& spacing :
         evidence::spacings(*axis.log_ratio, 2, static_cast<double>(axis.channels), 16)) {
        if (spacing.shift.value == 0) bases.push_back(spacing.base);
    }
    return bases;
}

std::optional<AxisOfImages> measured(const ImageWaves& images, const Padding& padding,
                                     ImageAxis axis) {
    // A single frame does not show the temperature of t, so the temperature of y is used.
    if (axis == axis_t && images.frames == 1) axis = axis_y;
    const std::vector<std::int64_t>& pixels = padding.axes[axis].longest;
    if (pixels.size() < 2) return std::nullopt;
    const std::int64_t block = std::ranges::find(images.axes, axis) - images.axes.begin();
    const auto line =
        measured_line({.channels = images.features}, images.pairs(block, pixels), images.sample);
    if (!line || std::fabs(line->radius.value - 1) > line->radius.error + 0x1p-20) {
        return std::nullopt;
    }
    AxisOfImages found{*line->axis.advance, line->axis.phases.front(), std::ssize(pixels), {}};
    if (line->axis.log_ratio) {
        found.bases = bases_of(line->axis);
        if (found.bases.empty()) return std::nullopt;
        const auto start = start_of(line->axis, found.bases.front().value, 0);
        if (!start) return std::nullopt;
        found.first = *start;
    }
    return found;
}

using Axes = std::vector<AxisOfImages>;  ///< (t,) y and x

bool is_near(const Measured& number, double value) {
    return std::fabs(number.value - value) <= number.error + 0x1p-20 * std::fabs(value);
}

/// The parameters of --normalize, as numbers and as text.
struct Normalized {
    SimpleNumber scale, offset, eps;
};

SimpleNumber simplest(const Measured& number) { return evidence::simple_numbers(number).front(); }

/// Returns the possible parameters of --normalize, with a usual --eps.
std::vector<Normalized> normalizations(const Axes& axes) {
    const auto longest = std::ranges::max_element(axes, {}, &AxisOfImages::last);
    const auto last = static_cast<double>(longest->last);
    const double advance = longest->advance.value;
    const Measured offset{longest->first.value / advance - 1,
                          (longest->first.error + longest->advance.error) / std::fabs(advance)};
    std::vector<Normalized> found;
    // In float32 code, --eps may vanish when added to the count.
    const double share = 0x1p-21 + usual_eps / last;
    const double error = longest->advance.error * last + share * std::fabs(advance * last);
    for (const double eps : {usual_eps, 1e-5, 1e-8, 0.0}) {
        const Measured scale{advance * (last + eps), error};
        std::vector<SimpleNumber> numbers = evidence::simple_numbers(scale, 2);
        for (const double usual : {2 * std::numbers::pi, 6.28}) {
            if (std::fabs(scale.value - usual) > 4 * scale.error) continue;
            numbers.push_back(simplest({usual, 0}));
        }
        for (SimpleNumber& number : numbers) {
            found.push_back({std::move(number), simplest(offset), simplest({eps, 0})});
        }
    }
    return found;
}

/// Returns a function for the largest angle of a cell, for Proposal::angle. `bases` has the order
/// of Axes.
std::function<double(std::int64_t, std::int64_t)> angle_of(
    const ImageWaves& images, const Padding& padding, const std::vector<const SimpleNumber*>& bases,
    const std::optional<Normalized>& normalized) {
    struct Block {
        double base = 0;
        std::vector<float> positions{};  ///< by pixel
    };
    auto blocks = std::make_shared<std::vector<Block>>();
    const std::size_t first = bases.size() == 3 ? axis_t : axis_y;
    for (const ImageAxis axis : images.axes) {
        Block& block = blocks->emplace_back(Block{bases[axis - first]->value});
        const CountedAxis& counted = padding.axes[axis];
        for (std::size_t pixel = 0; pixel < counted.counts.size(); ++pixel) {
            auto count = static_cast<double>(counted.counts[pixel]);
            if (normalized) {
                count = (count + normalized->offset.value) /
                        (static_cast<double>(counted.lasts[pixel]) + normalized->eps.value) *
                        normalized->scale.value;
            }
            block.positions.push_back(static_cast<float>(std::fabs(count)));
        }
    }
    const std::int64_t features = images.features, size = images.height * images.width;
    const std::int64_t channels = features * std::ssize(images.axes);
    const std::int64_t columns = images.pixels() * channels / images.sample.extents.front();
    return [=, is_halved = images.is_halved](std::int64_t row, std::int64_t column) {
        const std::int64_t element = row * columns + column;
        const std::int64_t channel = element / size % channels;
        const std::int64_t pixel = element / (channels * size) * size + element % size;
        const Block& block = (*blocks)[channel / features];
        const std::int64_t own = channel % features;
        const std::int64_t pair = is_halved ? own % (features / 2) : own / 2;
        const double exponent = static_cast<double>(2 * pair) / static_cast<double>(features);
        return static_cast<double>(block.positions[pixel]) * std::pow(block.base, -exponent);
    };
}

void add_extents(Proposal& proposal, const ImageWaves& images, const Padding& padding) {
    const auto add = [&](std::string_view name, std::int64_t extent) {
        proposal.settings.push_back({name, fmt::format("{}", extent)});
    };
    add("num-pos-feats", images.features);
    const bool has_padding = std::ranges::count(padding.is_valid, false) > 0;
    const std::string parts = has_padding ? valid_parts(images, padding) : "";
    if (has_padding && parts.empty()) {
        proposal.data.push_back({"mask", "mask.npy", mask_of(images, padding)});
        return;
    }
    if (images.axes.size() == 3) add("frames", images.frames);
    add("height", images.height);
    add("width", images.width);
    if (has_padding) {
        proposal.settings.push_back({"valid", parts});
    } else if (images.batch > 1) {
        add("batch", images.batch);
    }
}

/// Adds the settings for the order of axes and for the layout, unless they have their defaults.
void add_order(Proposal& proposal, const ImageWaves& images) {
    if (!std::ranges::is_sorted(images.axes)) {
        std::string order;
        for (const ImageAxis axis : images.axes) order += "tyx"[axis];
        proposal.settings.push_back({"axes", order});
    }
    if (images.is_halved) proposal.settings.push_back({"layout", "halves"});
}

Proposal proposal_of(const ImageWaves& images, const Padding& padding,
                     const std::vector<const SimpleNumber*>& bases,
                     const std::optional<Normalized>& normalized) {
    Proposal proposal;
    add_extents(proposal, images, padding);
    const auto is_first = [&](const SimpleNumber* base) {
        return base->value == bases.front()->value;
    };
    if (!std::ranges::all_of(bases, is_first)) {
        std::vector<std::string_view> texts;
        for (const SimpleNumber* const base : bases) texts.push_back(base->text);
        proposal.settings.push_back({"temperature", joined(texts, ",")});
    } else if (bases.front()->value != 10000) {
        proposal.settings.push_back({"temperature", bases.front()->text});
    }
    if (normalized) {
        proposal.settings.push_back({"normalize", "true"});
        if (normalized->scale.value != 2 * std::numbers::pi) {
            proposal.settings.push_back({"scale", normalized->scale.text});
        }
        if (normalized->offset.value != 0) {
            proposal.settings.push_back({"offset", normalized->offset.text});
        }
        if (normalized->eps.value != usual_eps) {
            proposal.settings.push_back({"eps", normalized->eps.text});
        }
    }
    add_order(proposal, images);
    proposal.angle = angle_of(images, padding, bases, normalized);
    return proposal;
}

/// Returns the possible temperatures of the axes: one common to all axes, or one for each.
std::vector<std::vector<const SimpleNumber*>> temperatures(const Axes& axes) {
    static const SimpleNumber usual{"10000", 10000, 0};
    if (axes[0].bases.empty()) return {{axes.size(), &usual}};
    std::vector<std::vector<const SimpleNumber*>> found;
    for (const SimpleNumber& base : axes[0].bases) {
        const bool is_of_all = std::ranges::all_of(axes, [&](const AxisOfImages& axis) {
            return std::ranges::count(axis.bases, base.value, &SimpleNumber::value) > 0;
        });
        if (is_of_all && found.size() < 2) found.emplace_back(axes.size(), &base);
    }
    std::vector<const SimpleNumber*> own;
    for (const AxisOfImages& axis : axes) own.push_back(&axis.bases.front());
    const auto have_same_values = [](const SimpleNumber* a, const SimpleNumber* b) {
        return a->value == b->value;
    };
    const bool is_new = std::ranges::none_of(
        found, [&](const auto& bases) { return std::ranges::equal(bases, own, have_same_values); });
    if (is_new) found.push_back(std::move(own));
    return found;
}

/// Adds the proposals for the images. `images.axes` names the axes in any order.
void add_recognized(std::vector<Proposal>& proposals, ImageWaves images) {
    const auto order = order_of(images);
    if (!order) return;
    images.axes = *order;
    const Padding padding = padding_of(images);
    std::vector<ImageAxis> sorted = images.axes;
    std::ranges::sort(sorted);
    Axes axes;
    for (const ImageAxis axis : sorted) {
        const auto found = measured(images, padding, axis);
        if (!found) return;
        axes.push_back(*found);
    }
    const bool is_counted = std::ranges::all_of(axes, [](const AxisOfImages& axis) {
        return is_near(axis.advance, 1) && is_near(axis.first, 1);
    });
    std::vector<std::optional<Normalized>> forms;
    if (is_counted) {
        forms.push_back(std::nullopt);
    } else {
        for (Normalized& normalized : normalizations(axes)) forms.push_back(std::move(normalized));
    }
    for (const auto& bases : temperatures(axes)) {
        for (const auto& form : forms) {
            proposals.push_back(proposal_of(images, padding, bases, form));
        }
    }
}

/// True if the first pixels lie on circles. A few pixels suffice to reject most arrays.
bool may_be_waves(const ImageWaves& images) {
    const double error = 8 * images.sample.error_of(1);
    for (std::int64_t block = 0; block < std::ssize(images.axes); ++block) {
        for (std::int64_t pixel = 0; pixel < std::min<std::int64_t>(images.pixels(), 4); ++pixel) {
            const double sine = images.sine(block, 0, pixel);
            const double cosine = images.cosine(block, 0, pixel);
            if (!(std::fabs(sine * sine + cosine * cosine - 1) <= error)) return false;
        }
    }
    return true;
}

/// A reading of the axes before the channels: numbers of videos and frames.
struct Batch {
    std::int64_t videos;
    std::int64_t frames;
    std::vector<ImageAxis> axes;
};

std::vector<Batch> batches_of(const std::vector<std::int64_t>& extents) {
    const std::vector<ImageAxis> image{axis_y, axis_x}, video{axis_t, axis_y, axis_x};
    switch (extents.size()) {
        case 3:
            return {{1, 1, image}, {1, 1, video}};
        case 4:
            return {{extents[0], 1, image}, {1, extents[0], video}, {extents[0], 1, video}};
        case 5:
            return {{extents[0], extents[1], video}};
        default:
            return {};
    }
}

}  // namespace

/// Returns the proposals for an array of DETR's family: (batch, channels, height, width), or
/// (batch, frames, channels, height, width), where a batch of one may be left out. The order of
/// axes, of sines and cosines, and the padding are read from the array; --pairing per-channel is
/// not recognized.
std::vector<Proposal> recognize_detr(const Sample& array) {
    std::vector<Proposal> proposals;
    if (!is_floating(array.table.dtype) || array.leading != array.extents.front()) return proposals;
    for (const auto& [videos, frames, axes] : batches_of(array.extents)) {
        const auto* const image = &array.extents[array.extents.size() - 3];
        const std::int64_t features = image[0] / std::ssize(axes);
        if (image[0] % (2 * std::ssize(axes)) != 0) continue;
        for (const bool is_halved : {false, true}) {
            // With one sine and one cosine, both orders are the same.
            if (is_halved && features == 2) continue;
            const ImageWaves images{array,    videos,   frames,    features,
                                    image[1], image[2], is_halved, axes};
            if (may_be_waves(images)) add_recognized(proposals, images);
        }
    }
    return proposals;
}

}  // namespace pegen::recognition
