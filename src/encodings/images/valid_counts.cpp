#include "encodings/images/valid_counts.h"

#include <algorithm>
#include <memory>
#include <set>

#include "core/to_size.h"

namespace pegen::encodings {
namespace {

/// Fills in everything except ValidCounts::row.
ValidCounts numbered(const std::set<std::int64_t>& lasts, Dependence dependence) {
    ValidCounts counts{{}, 0, nullptr};
    for (const std::int64_t last : lasts) {
        const bool has_its_own = dependence == Dependence::on_count_and_last;
        const std::int64_t first = has_its_own ? counts.size : 0;
        counts.first_number[last] = first;
        counts.size = first + last + 1;
    }
    return counts;
}

struct ValidPart {
    ImageSize size;
    std::uint32_t first_number;  ///< the number of count 0 in its lines
};

/// The number of all pixels of a line beyond the valid part: count 0 of last 0, the first pair.
constexpr std::uint32_t number_of_padding = 0;

/// A row of pixels.
struct PixelRow {
    std::int64_t frame;
    std::int64_t y;
};

void number_frames(const ValidPart& part, PixelRow row, std::span<std::uint32_t> numbers) {
    const std::int64_t width = row.y < part.size.height ? part.size.width : 0;
    const auto beyond = numbers.begin() + width;
    std::fill(numbers.begin(), beyond,
              part.first_number + static_cast<std::uint32_t>(row.frame + 1));
    std::fill(beyond, numbers.end(), number_of_padding);
}

void number_columns(const ValidPart& part, PixelRow row, std::span<std::uint32_t> numbers) {
    const auto count = static_cast<std::uint32_t>(std::min(row.y + 1, part.size.height));
    const auto beyond = numbers.begin() + part.size.width;
    std::fill(numbers.begin(), beyond, part.first_number + count);
    std::fill(beyond, numbers.end(), number_of_padding);
}

void number_row(const ValidPart& part, PixelRow row, std::span<std::uint32_t> numbers) {
    if (row.y >= part.size.height) {
        std::ranges::fill(numbers, number_of_padding);
        return;
    }
    const auto last = static_cast<std::uint32_t>(part.size.width);
    for (std::uint32_t x = 0; x < numbers.size(); ++x) {
        numbers[x] = part.first_number + std::min(x + 1, last);
    }
}

/// A mask as lines of `length` pixels: pixel i of line (outer, inner) is
/// padding[(outer * length + i) * inners + inner].
struct Lines {
    std::int64_t outers;
    std::int64_t length;
    std::int64_t inners;
};

Lines lines_of(const Shape& shape, Direction direction) {
    const std::int64_t videos = shape[0], frames = shape[1], height = shape[2], width = shape[3];
    switch (direction) {
        case Direction::through:
            return {videos, frames, height * width};
        case Direction::down:
            return {videos * frames, height, width};
        case Direction::across:
            break;
    }
    return {videos * frames * height, width, 1};
}

/// Calls visit(line, pixel) for all pixels, those of a line in their order.
template <class Visit>
void for_each_pixel(const Lines& lines, Visit visit) {
    std::size_t pixel = 0;
    for (std::int64_t outer = 0; outer < lines.outers; ++outer) {
        for (std::int64_t i = 0; i < lines.length; ++i) {
            for (std::int64_t inner = 0; inner < lines.inners; ++inner) {
                visit(to_size(outer * lines.inners + inner), pixel++);
            }
        }
    }
}

}  // namespace

ValidCounts count_valid(const std::vector<ImageSize>& valid, const VideoSize& whole,
                        Direction direction, Dependence dependence) {
    const bool is_through = direction == Direction::through, is_down = direction == Direction::down;
    const auto last_within = [=](ImageSize size) {
        if (!is_through) return is_down ? size.height : size.width;
        return size.height * size.width == 0 ? 0 : whole.frames;
    };
    const auto has_padding_lines = [=](ImageSize size) {
        const bool is_narrow = size.width < whole.image.width;
        const bool is_low = size.height < whole.image.height;
        return is_through ? is_narrow || is_low : is_down ? is_narrow : is_low;
    };
    std::set<std::int64_t> lasts;
    for (const ImageSize size : valid) {
        lasts.insert(last_within(size));
        if (has_padding_lines(size)) lasts.insert(0);
    }
    ValidCounts counts = numbered(lasts, dependence);
    std::vector<ValidPart> parts;
    for (const ImageSize size : valid) {
        const std::int64_t first = counts.first_number.at(last_within(size));
        parts.push_back({size, static_cast<std::uint32_t>(first)});
    }
    const auto number = is_through ? number_frames : is_down ? number_columns : number_row;
    counts.row = [parts = std::move(parts), number, frames = whole.frames](
                     std::int64_t image, std::int64_t y, std::span<std::uint32_t> numbers) {
        const std::size_t video = parts.size() == 1 ? 0 : to_size(image / frames);
        number(parts[video], {image % frames, y}, numbers);
    };
    return counts;
}

ValidCounts count_valid(const PixelMask& mask, Direction direction, Dependence dependence) {
    const Lines lines = lines_of(mask.shape, direction);
    std::vector<std::uint32_t> lasts(to_size(lines.outers * lines.inners));
    const auto numbers = std::make_shared<std::vector<std::uint32_t>>(mask.padding.size());
    for_each_pixel(lines, [&](std::size_t line, std::size_t pixel) {
        (*numbers)[pixel] = lasts[line] += mask.padding[pixel] == std::byte{0};
    });
    ValidCounts counts = numbered({lasts.begin(), lasts.end()}, dependence);
    for (std::uint32_t& last : lasts) {
        last = static_cast<std::uint32_t>(counts.first_number.at(last));
    }
    for_each_pixel(lines,
                   [&](std::size_t line, std::size_t pixel) { (*numbers)[pixel] += lasts[line]; });
    counts.row = [numbers, height = mask.shape[2]](std::int64_t image, std::int64_t y,
                                                   std::span<std::uint32_t> row) {
        const auto width = std::ssize(row);
        std::copy_n(numbers->begin() + (image * height + y) * width, width, row.begin());
    };
    return counts;
}

}  // namespace pegen::encodings
