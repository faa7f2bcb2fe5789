#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace pegen {

/// Takes the bytes of a file, in order.
using Bytes = std::span<const std::byte>;
using WriteBytes = std::function<void(Bytes bytes)>;

/// Takes the bytes of a file, in order, and replaces some of those it has taken.
struct ByteSink {
    WriteBytes write;
    std::function<void(std::int64_t offset, Bytes bytes)> rewrite;
};

}  // namespace pegen
