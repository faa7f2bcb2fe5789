#include "encodings/parameters/arith.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/number.h"

namespace pegen::encodings {

bool is_exact(const Parameters& p) { return p.word("arith") == "exact"; }

float to_float32(std::string_view name, double value) {
    using Limits = std::numeric_limits<float>;
    const double magnitude = std::fabs(value);
    if (value != 0 && !(magnitude >= Limits::min() && magnitude <= Limits::max())) {
        throw UsageError(fmt::format("--{} {}: must be a normal float32 number; use --arith exact",
                                     name, shortest(value)));
    }
    return static_cast<float>(value);
}

std::vector<float> checked_frequencies(std::vector<float> frequencies) {
    if (!std::ranges::all_of(frequencies, [](float w) { return std::isfinite(w); })) {
        throw UsageError(
            "--arith float32: a frequency is not a finite float32 number; use --arith exact");
    }
    return frequencies;
}

}  // namespace pegen::encodings
