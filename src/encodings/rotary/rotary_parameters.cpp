#include "encodings/rotary/rotary_parameters.h"

#include <fmt/format.h>

#include "core/error.h"

namespace pegen::encodings {

void check_pairs(const Parameters& p) {
    if (p.integer("d") % 2 == 0) return;
    throw UsageError(
        fmt::format("--d {}: must be even, since channels turn in pairs", p.integer("d")));
}

}  // namespace pegen::encodings
