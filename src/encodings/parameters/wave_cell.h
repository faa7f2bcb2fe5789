#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "encodings/cell.h"
#include "numerics/channel_layout.h"
#include "numerics/frequencies.h"

// Cells of sines and cosines, for Plan::cell.
namespace pegen::encodings {

/// Returns a term for the number, with all digits of an integer: "1000000", "0.1".
Term number_term(double number);

/// Returns the term of frequency k of the progression: "1000 * 10000^(-4/(128 - 2))".
Term frequency_term(const numerics::GeometricProgression& progression, std::int64_t k);

/// Returns the term of a number without a short formula. Its text has 17 digits.
Term digits_term(std::function<numerics::Real()> value);

/// Returns the term numerator / denominator: "27/14", or "27" if the denominator is 1.
Term ratio_term(double numerator, double denominator);

/// Returns the cell of factor * function(position * frequency).
Cell wave_cell(double factor, numerics::Function function, const Term& position,
               const Term& frequency);

/// A coordinate of a point, or the number 1, with its weight.
struct WeightedTerm {
    Term coordinate;
    double weight;
};

/// Returns the cell of function(factor * (sum of `terms`)).
Cell wave_cell_of_sum(numerics::Function function, double factor, std::vector<WeightedTerm> terms);

/// Returns the cell of the angle position * frequency of pair number `pair`.
Cell angle_cell(const Term& position, const Term& frequency, std::int64_t pair);

/// A function that returns the term of frequency k.
using FrequencyTerms = std::function<Term(std::int64_t k)>;

/// Returns the digits_term() of each frequency. Makes `frequencies` only when a term is asked for.
FrequencyTerms digits_terms(std::function<numerics::Frequencies()> frequencies);

/// Returns the cell of a channel of numerics::sinusoid_rows(), including pair and partner.
Cell layout_cell(double factor, const numerics::ChannelLayout& layout, std::int64_t channel,
                 const Term& position, const FrequencyTerms& frequencies);

/// Returns the cell of a value 0; `note` says why the value is 0.
Cell zero_cell(std::string note);

}  // namespace pegen::encodings
