#include "core/range.h"

#include <fmt/format.h>

#include <cmath>

#include "core/number.h"

namespace pegen {

std::string describe(const Range& range) {
    const bool from_below = std::isfinite(range.lowest);
    const bool from_above = std::isfinite(range.highest);
    if (from_below && range.lowest_is_open) {
        return from_above ? fmt::format("must be greater than {} and at most {}",
                                        shortest(range.lowest), shortest(range.highest))
                          : fmt::format("must be greater than {}", shortest(range.lowest));
    }
    if (from_below && from_above) {
        return fmt::format("must be between {} and {}", shortest(range.lowest),
                           shortest(range.highest));
    }
    if (from_below) return fmt::format("must be at least {}", shortest(range.lowest));
    if (from_above) return fmt::format("must be at most {}", shortest(range.highest));
    return "may be any number";
}

}  // namespace pegen
