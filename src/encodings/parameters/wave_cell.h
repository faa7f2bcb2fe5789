#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "encodings/cell.h"
#include "numerics/channel_layout.h"
#include "numerics/frequencies.h"

// How a sine or a cosine of a table comes about: Plan::cell.
namespace pegen::encodings {

/// Returns a number as it is: "1000000", "0.1".
Term number_term(double number);

/// Returns frequency k of the progression: "1000 * 10000^(-4/(128 - 2))".
Term frequency_term(const numerics::GeometricProgression& progression, std::int64_t k);

/// Returns a number that has no short formula: its text has 17 digits.
Term digits_term(std::function<numerics::Real()> value);

/// Returns numerator / denominator: "27/14", or "27" if the denominator is 1.
Term ratio_term(double numerator, double denominator);

/// Returns the cell of  factor * function(position * frequency).
Cell wave_cell(double factor, numerics::Function function, const Term& position,
               const Term& frequency);

/// Returns the cell of  position * frequency,  the angle of pair number `pair`.
Cell angle_cell(const Term& position, const Term& frequency, std::int64_t pair);

/// Returns the frequency number k.
using FrequencyTerms = std::function<Term(std::int64_t k)>;

/// Returns the numbers of a list, which is made when one is asked for, as digits_term() has them.
FrequencyTerms digits_terms(std::function<numerics::Frequencies()> frequencies);

/// Returns the cell of a channel of numerics::sinusoid_rows(), with pair and partner.
Cell layout_cell(double factor, const numerics::ChannelLayout& layout, std::int64_t channel,
                 const Term& position, const FrequencyTerms& frequencies);

/// Returns a cell that is 0, and says why.
Cell zero_cell(std::string note);

}  // namespace pegen::encodings
