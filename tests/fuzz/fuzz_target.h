#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

/// Takes `bytes` for what the target reads. Whatever they are, it returns: with an honest refusal
/// or with what holds for all that is accepted. Else it aborts, or a sanitizer does.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace pegen::fuzz {

inline std::string_view as_text(const std::uint8_t* bytes, std::size_t size) {
    return {reinterpret_cast<const char*>(bytes), size};
}

/// A law that every accepted input keeps.
inline void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace pegen::fuzz
