#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/axis.h"
#include "core/parameters.h"
#include "core/positions.h"
#include "encodings/cell.h"
#include "encodings/encoding.h"
#include "numerics/channel_layout.h"
#include "numerics/float32_angles.h"
#include "numerics/frequencies.h"

namespace pegen::encodings {

// Formulas with the values of parameters filled in, as a textbook would write them.

/// The names of the quantities in a formula: "pos", "2i", "d".
struct WaveNames {
    std::string_view position;
    std::string_view exponent;
    std::string_view width;
};

/// Returns "0.5 * sin(1000 * pos / 10000^(2i / (d - 2)))" for the values of base, denom-shift,
/// freq-scale and out-scale. The base is called base_a if each axis has its own.
std::string wave_text(const Parameters& parameters, std::string_view function,
                      const WaveNames& names);

/// Returns "first + step * index", without `first` if it is 0 and without `step` if it is 1.
std::string progression_text(std::string_view first, std::string_view step, std::string_view index);

// Cells of sines and cosines, for Plan::cell.

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

/// A table (positions, channels) of  scale * function(position * frequency),  said once for its
/// values, for the cells that explain them, and for its pairs.
struct Waves {
    Positions positions;
    numerics::ChannelLayout layout;  ///< the function and the frequency of each channel
    std::function<numerics::Frequencies()> frequencies;
    FrequencyTerms terms;      ///< the frequencies in the formulas of cells; null without cells
    std::string_view options;  ///< what to change where an angle is too large: "--base, --step"
    double scale = 1;
    std::string_view scale_name = "";  ///< the parameter that the scale comes from
    /// Returns the angles that float32 code computes. Null for the exact formula.
    std::function<numerics::Float32Angles()> float32 = nullptr;
};

/// Returns waves with the frequencies of the progression and a scale of 1, exact or, as --arith of
/// `parameters` says, in float32: position * freq-scale * (1 / base^u).
Waves geometric_waves(const Parameters& parameters, const Positions& positions,
                      numerics::ChannelLayout layout,
                      const numerics::GeometricProgression& progression, std::string_view options);

/// Returns the rows of the table, each value correctly rounded, or rounded to float32 at each step
/// if `float32` is not null. Throws: UsageError if an angle is beyond numerics::largest_angle, or
/// if `dtype` cannot hold the scale.
Rows wave_rows(const Waves& waves, DType dtype);

/// Returns the cell of the value in row `row` and channel `channel`, by the exact formula.
Cell cell_of(const Waves& waves, std::int64_t row, std::int64_t channel);

/// Plans the table with the axes `rows` and channel.
Plan wave_plan(Parameters parameters, const Waves& waves, Axis rows);

/// Returns the plan of a table (frequency) of `count` values: the frequencies, in radians per
/// position, or the wavelengths 2 pi / frequency if `table` is wavelengths. Each value is correctly
/// rounded. `terms` returns the formula of each frequency; null if a frequency has no short
/// formula.
Plan frequency_plan(Parameters parameters, std::string_view table, std::int64_t count,
                    std::function<numerics::Frequencies()> frequencies,
                    FrequencyTerms terms = nullptr);

}  // namespace pegen::encodings
