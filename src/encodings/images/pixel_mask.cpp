#include "encodings/images/pixel_mask.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "core/error.h"
#include "core/to_size.h"
#include "files/array_file.h"

namespace pegen::encodings {

Table open_mask(std::string_view path) {
    constexpr std::int64_t most_pixels = std::int64_t{1} << 28;
    Table mask = read_array(path);
    const auto refuse = [&](std::string_view what, std::string_view rule) {
        throw FormatError(path, fmt::format("{}: {}", what, rule));
    };
    const std::string shape = fmt::format("shape {}", to_string(mask.shape));
    if (mask.dtype != DType::boolean) {
        refuse(
            fmt::format("dtype {}", info(mask.dtype).name),
            "a mask must be bool, true where there is padding; save mask == 1, or mask == 0 where "
            "1 marks valid pixels, as in Hugging Face's");
    }
    if (mask.shape.rank() != 3 && mask.shape.rank() != 4) {
        refuse(shape, "a mask must be (batch, height, width) or (batch, frames, height, width)");
    }
    if (mask.shape.size() == 0) refuse(shape, "a mask must have at least one pixel");
    if (mask.shape.size() > most_pixels) refuse(shape, "a mask must have at most 2^28 pixels");
    return mask;
}

PixelMask read_mask(const Table& mask) {
    std::vector<std::int64_t> extents = mask.shape.extents();
    if (extents.size() == 3) extents.insert(extents.begin() + 1, 1);
    PixelMask result{Shape(std::move(extents)), std::vector<std::byte>(to_size(total_bytes(mask)))};
    mask.rows({0, mask.shape.rows()}, result.padding);
    return result;
}

}  // namespace pegen::encodings
