#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

/// Reads `bytes` as the input of the target and returns if they are refused properly, or accepted
/// and the laws hold. Otherwise it aborts, or a sanitizer does.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace pegen::fuzz {

inline std::string_view as_text(const std::uint8_t* bytes, std::size_t size) {
    return {reinterpret_cast<const char*>(bytes), size};
}

/// Aborts unless the law holds.
inline void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace pegen::fuzz
