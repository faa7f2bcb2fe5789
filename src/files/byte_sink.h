#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace pegen {

/// Bytes of a file, and a function that takes the bytes of a file in order.
using Bytes = std::span<const std::byte>;
using WriteBytes = std::function<void(Bytes bytes)>;

/// A receiver of the bytes of a file, in order, which can also replace bytes it has received.
struct ByteSink {
    WriteBytes write;
    std::function<void(std::int64_t offset, Bytes bytes)> rewrite;
};

}  // namespace pegen
