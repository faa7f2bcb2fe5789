#include "files/deflate.h"

#include <libdeflate.h>

#include <memory>
#include <new>

namespace pegen {

std::string deflated(std::string_view bytes) {
    constexpr int level = 1;
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(level), &libdeflate_free_compressor);
    if (!compressor) throw std::bad_alloc();
    std::string stream(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()), '\0');
    stream.resize(libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(),
                                           stream.data(), stream.size()));
    return stream;
}

std::optional<std::string> inflated(std::string_view stream, std::size_t size) {
    const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>
        decompressor(libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
    if (!decompressor) throw std::bad_alloc();
    std::string bytes(size, '\0');
    const libdeflate_result result = libdeflate_zlib_decompress(
        decompressor.get(), stream.data(), stream.size(), bytes.data(), size, nullptr);
    if (result != LIBDEFLATE_SUCCESS) return {};
    return bytes;
}

}  // namespace pegen
