// Any bytes as a PNG file: refused as malformed, or a picture of the size it declares.

#include "core/error.h"
#include "files/read_png.h"
#include "fuzz_target.h"

using namespace pegen;
using pegen::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    try {
        const PngContents picture =
            decode_png(std::as_bytes(std::span(bytes, size)), "a file of any bytes");
        require(picture.rgb.size() == std::size_t{3} * static_cast<std::size_t>(picture.width) *
                                          static_cast<std::size_t>(picture.height));
    } catch (const FormatError&) {
    }
    return 0;
}
