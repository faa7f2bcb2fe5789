#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pegen::cli {

/// The progress of a piece of work.
struct Work {
    std::int64_t done = 0;           ///< rows
    std::int64_t total = 0;          ///< rows; 0: not known
    std::int64_t bytes_per_row = 0;  ///< 0: not worth saying
    double seconds = 0;              ///< since it began
};

/// Returns "sinusoid  37 %  1.2 GB of 3.2 GB  2.1 GB/s  1 s left". To stay within `width`
/// characters it leaves out first the speed, then the amount, the time and the title.
std::string progress_text(std::string_view title, const Work& work, std::size_t width);

}  // namespace pegen::cli
