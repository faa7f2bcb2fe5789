#pragma once

#include <cstddef>
#include <cstdint>

namespace pegen {

/// Converts an extent, which is never negative, to the type in which the standard library counts:
/// where it is compared with such a number, or a template takes its type from it.
constexpr std::size_t to_size(std::int64_t n) { return static_cast<std::size_t>(n); }

}  // namespace pegen
