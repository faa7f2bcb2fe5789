#include "cli/progress_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/number.h"

namespace pegen::cli {
namespace {

/// The minimum time, in seconds, over which a speed is measured: over less time it would be a
/// guess.
constexpr double least_seconds = 0.5;

/// Returns a time with its unit, rounded up, so that "0 s" means the end.
std::string time_text(double seconds) {
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    constexpr double day = 24 * hour;
    if (seconds <= 100) return fmt::format("{:.0f} s", std::ceil(seconds));
    if (seconds <= 100 * minute) return fmt::format("{:.0f} min", std::ceil(seconds / minute));
    if (seconds <= 100 * hour) return fmt::format("{:.0f} h", std::ceil(seconds / hour));
    return fmt::format("{:.0f} days", std::ceil(seconds / day));
}

std::string percent_text(const Work& work) {
    if (work.total == 0) return "";
    // Rounded down, so that 100 % means the end.
    return fmt::format("{:.0f} %", std::floor(100 * (static_cast<double>(work.done) /
                                                     static_cast<double>(work.total))));
}

std::string amount_text(const Work& work) {
    const auto bytes = [&](std::int64_t rows) {
        return bytes_text(static_cast<double>(rows) * static_cast<double>(work.bytes_per_row));
    };
    if (work.bytes_per_row == 0 || work.done == 0) return "";
    return work.total == 0 ? bytes(work.done)
                           : fmt::format("{} of {}", bytes(work.done), bytes(work.total));
}

std::string speed_text(const Work& work) {
    if (work.bytes_per_row == 0 || work.done == 0 || work.seconds < least_seconds) return "";
    return bytes_text(static_cast<double>(work.done) * static_cast<double>(work.bytes_per_row) /
                      work.seconds) +
           "/s";
}

std::string remaining_text(const Work& work) {
    if (work.total == 0) return time_text(work.seconds);
    if (work.done == 0 || work.seconds < least_seconds) return "";
    return time_text(work.seconds * (static_cast<double>(work.total - work.done) /
                                     static_cast<double>(work.done))) +
           " left";
}

}  // namespace

std::string progress_text(std::string_view title, const Work& work, std::size_t width) {
    std::array<std::string, 5> parts{std::string(title), percent_text(work), amount_text(work),
                                     speed_text(work), remaining_text(work)};
    for (const std::size_t next_to_go : {3U, 2U, 4U, 0U, 1U}) {
        std::string line;
        for (const std::string& part : parts) {
            if (part.empty()) continue;
            if (!line.empty()) line += "  ";
            line += part;
        }
        if (line.size() <= width) return line;
        parts[next_to_go].clear();
    }
    return "";
}

}  // namespace pegen::cli
