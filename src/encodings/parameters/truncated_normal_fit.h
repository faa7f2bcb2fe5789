#pragma once

#include <optional>
#include <span>

#include "encodings/parameters/fitted_initializer.h"
#include "evidence/simple_number.h"

namespace pegen::encodings {

/// A truncated normal distribution as measured.
struct TruncatedNormal {
    evidence::Measured mean;
    evidence::Measured std;
    std::optional<evidence::Measured> low;  ///< none if too far from the mean to be seen
    std::optional<evidence::Measured> high;
};

/// Returns the truncated normal distribution whose quantiles of `units` the values are; nothing if
/// there is none. Values that are not known are NaN.
std::optional<TruncatedNormal> fit_truncated_normal(std::span<const double> values,
                                                    std::span<const double> units,
                                                    const FitContext& context);

}  // namespace pegen::encodings
