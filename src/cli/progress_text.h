#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pegen::cli {

/// How far a piece of work is.
struct Work {
    std::int64_t done = 0;           ///< rows
    std::int64_t total = 0;          ///< rows; 0: not known
    std::int64_t bytes_per_row = 0;  ///< 0: not worth saying
    double seconds = 0;              ///< since it began
};

/// "sinusoid  37 %  1.2 GB of 3.2 GB  2.1 GB/s  1 s left": at most `width` characters, for which
/// first the speed is left out, then the amount, the time, the title.
std::string progress_text(std::string_view title, const Work& work, std::size_t width);

}  // namespace pegen::cli
