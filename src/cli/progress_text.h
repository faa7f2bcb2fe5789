#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pegen::cli {

/// The progress of a piece of work.
struct Work {
    std::int64_t done = 0;           ///< rows that are done
    std::int64_t total = 0;          ///< rows in total; 0 if not known
    std::int64_t bytes_per_row = 0;  ///< 0 if amounts are not shown
    double seconds = 0;              ///< since the work began
};

/// Returns the text of a progress line: "sinusoid  37 %  1.2 GB of 3.2 GB  2.1 GB/s  1 s left". If
/// it is longer than `width` characters, leaves out the speed, then the amount, the time and the
/// title.
std::string progress_text(std::string_view title, const Work& work, std::size_t width);

}  // namespace pegen::cli
