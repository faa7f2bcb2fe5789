#include "core/bytes_text.h"

#include <fmt/format.h>

#include <array>

namespace pegen {

std::string bytes_text(double bytes) {
    constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    std::size_t unit = 0;
    // Values from 999.5 on would be printed as 1000.
    for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit) bytes /= 1000;
    return fmt::format("{:.{}f} {}", bytes, unit > 0 && bytes < 99.95 ? 1 : 0, units[unit]);
}

}  // namespace pegen
