#pragma once

#include <cstdint>
#include <functional>

namespace pegen {

/// A function that is called from time to time with the number of rows done so far and the number
/// of all rows; `total` is 0 if it is not known. Calls come from several threads at once, and a
/// later call may have a smaller `done`. Must be quick.
using Progress = std::function<void(std::int64_t done, std::int64_t total)>;

/// A Progress that does nothing.
inline void ignore_progress(std::int64_t, std::int64_t) {}

}  // namespace pegen
