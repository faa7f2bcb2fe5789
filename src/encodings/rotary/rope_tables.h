#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "core/axis.h"
#include "core/dtype.h"
#include "core/parameters.h"
#include "core/positions.h"
#include "core/table.h"
#include "encodings/encoding.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/waves.h"
#include "numerics/channel_layout.h"
#include "numerics/frequencies.h"
#include "numerics/real.h"

namespace pegen::encodings {

// The parameters of the channels of a head, the same in every rotary encoding.

inline constexpr ParameterSpec rotary_d_parameter{.name = "d",
                                                  .aliases = "d head-dim dim d-head rotary-dim",
                                                  .type = ParameterType::integer,
                                                  .default_value = "64",
                                                  .range = any_channel_count,
                                                  .summary = "rotated channels of a head"};

inline constexpr ParameterSpec rotary_layout_parameter{
    .name = "layout",
    .type = ParameterType::word,
    .default_value = "half",
    .choices = "half interleaved single",
    .summary = "layout of cos and sin: all frequencies twice, each one twice, or each one once"};

/// Checks that --d is even. Throws: UsageError.
void check_pairs(const Parameters& parameters);

// The tables that rotate pairs of channels: their form and their rows.

/// The `count` pairs first, first + stride, ...
struct PairRun {
    std::int64_t first;
    std::int64_t count;
    std::int64_t stride = 1;

    std::int64_t pair(std::int64_t k) const { return first + k * stride; }
};

/// The place of a function of the pairs' angles in a token's row: pair p is at first + stride * p.
struct Place {
    numerics::Function function;
    std::int64_t first;
    std::int64_t stride;
    bool is_negative = false;  ///< holds the function of the negative angle
};

/// The form in which a table holds the rotations of a token.
struct RotaryForm {
    std::vector<std::int64_t> extents;  ///< of the axes after the token axis
    std::vector<Axis> axes;             ///< the axes after the token axis
    std::vector<Place> places;

    std::int64_t values() const;  ///< number of values for a token
    std::int64_t bytes(DType dtype) const;
    bool has_negatives() const;
};

/// Returns the form of `table`, which is cos, sin, signed-sin, sin-cos, cos-sin, freqs-cis or
/// matrices, for `pairs` pairs. `layout` says where tables of cos and sin have the two values of a
/// pair: half, interleaved, axis-half (halves within each axis), or single (only one value).
/// `block` is the run of the axis's own pairs, for axis-half. In signed-sin the first value of a
/// pair is negative.
RotaryForm rotary_form(std::string_view table, std::string_view layout, std::int64_t pairs,
                       PairRun block = {});

/// Returns base^(-2 pair / channels), in radians per position.
numerics::Real rotary_frequency(double base, std::int64_t pair, std::int64_t channels);

/// Returns the frequencies, followed by the negated frequencies if the form needs them.
numerics::Frequencies turning_frequencies(const RotaryForm& form,
                                          const numerics::Frequencies& frequencies);

/// Returns the frequencies as floats; each is a float already.
std::vector<float> nearest_floats(const numerics::Frequencies& frequencies);

/// Returns the layout of a row of form.values() in which only the pairs of `runs` are not 0. It
/// refers to the frequencies by their index in turning_frequencies(), in the order of the runs.
numerics::ChannelLayout turning_layout(const RotaryForm& form, const std::vector<PairRun>& runs);

/// Returns the cell of value number `value`, counted in C order, in the row of a token: `factor`
/// times a function of the pair's angle. The cell gives a pair the number that it has in the runs.
Cell turning_cell(const RotaryForm& form, const std::vector<PairRun>& runs, std::int64_t value,
                  double factor, const std::function<Term(std::int64_t pair)>& position,
                  const FrequencyTerms& frequencies);

/// Some pairs of a head that rotate by the same positions.
struct TurningPairs {
    Positions positions;
    std::vector<PairRun> runs;
    numerics::Frequencies frequencies;  ///< of the pairs, in the order of the runs
    /// False to compute like float32 code; `frequencies` are then its frequencies.
    bool is_exact = true;
};

/// Returns a row of form.values() for each position, in which only these pairs are not 0. Values
/// are correctly rounded, or rounded to float32 at each step if not `is_exact`. Throws: UsageError,
/// naming `options`, if an angle is beyond numerics::largest_angle.
Rows turning_rows(const TurningPairs& pairs, const RotaryForm& form, DType dtype,
                  std::string_view options);

/// Returns the plan of a table in this form, with `tokens` tokens along `token_axis`. `token_rows`
/// makes a row of form.values() for each token; `cell_of` returns the cell of one of these values.
Plan rotary_plan(Parameters parameters, std::int64_t tokens, Axis token_axis, RotaryForm form,
                 std::function<Rows(DType dtype)> token_rows,
                 std::function<Cell(std::int64_t token, std::int64_t value)> cell_of = nullptr);

}  // namespace pegen::encodings
