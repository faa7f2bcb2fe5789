#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "encodings/parameters/priced_settings.h"
#include "encodings/sequence/sinusoid_rows.h"
#include "evidence/circle.h"
#include "evidence/sample.h"

// What the waves of an array say of the parameters of `sinusoid` for amplitudes and frequencies.
namespace pegen::encodings {

/// Returns the ways to say the amplitude and the offset of the waves: --out-scale, --standardize.
/// None if there is no way.
std::vector<PricedSettings> finish_proposals(const evidence::Sample& array,
                                             const SinusoidRows& rows,
                                             const evidence::Circle& circle);

/// Returns the ways to say the ratio of neighbouring frequencies, base^(step / (width - shift)),
/// given by its logarithm, cheapest first: --base, --denom-shift.
std::vector<PricedSettings> spacing_proposals(const std::optional<evidence::Measured>& log_ratio,
                                              double step, double width, std::int64_t pairs);

/// Returns the logarithms of the ratios that code bases have.
std::vector<double> usual_log_ratios(double width);

}  // namespace pegen::encodings
