#pragma once

#include <cstdint>
#include <functional>

namespace pegen {

/// Told from time to time how many rows of how many are done; `total` is 0 where it is not known.
/// Called from several threads at once, not always in the order of `done`. Must be quick.
using Progress = std::function<void(std::int64_t done, std::int64_t total)>;

/// The Progress of those who do not care.
inline void ignore_progress(std::int64_t, std::int64_t) {}

}  // namespace pegen
