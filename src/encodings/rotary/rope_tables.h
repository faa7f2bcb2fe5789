#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "core/axis.h"
#include "core/dtype.h"
#include "core/positions.h"
#include "core/table.h"
#include "encodings/encoding.h"
#include "encodings/parameters/wave_cell.h"
#include "numerics/channel_layout.h"
#include "numerics/frequencies.h"
#include "numerics/real.h"

// The tables that turn pairs of channels: how they hold the rotations of a token, and their rows.
namespace pegen::encodings {

/// Pairs first, first + 1, ..., `count` of them.
struct PairRun {
    std::int64_t first;
    std::int64_t count;
};

/// Where a function of the angle of pair p stands among the values of a token: at first + stride *
/// p.
struct Place {
    numerics::Function function;
    std::int64_t first;
    std::int64_t stride;
    bool is_negative = false;  ///< the function of the negative angle
};

/// How a table holds the rotations of a token.
struct RotaryForm {
    std::vector<std::int64_t> extents;  ///< of the axes behind the tokens'
    std::vector<Axis> axes;             ///< those
    std::vector<Place> places;

    std::int64_t values() const;  ///< of a token
    std::int64_t bytes(DType dtype) const;
    bool has_negatives() const;
};

/// Returns the form of `table`, cos, sin, sin-cos, freqs-cis or matrices, of `pairs` pairs.
/// `layout` says where the first three have the two values of a pair: half, interleaved, axis-half,
/// halves within each axis, or single, where there is one. `block` is the axis's own pairs, which
/// axis-half needs to know.
RotaryForm rotary_form(std::string_view table, std::string_view layout, std::int64_t pairs,
                       PairRun block = {});

/// Returns base^(-2 pair / channels), in radians per position.
numerics::Real rotary_frequency(double base, std::int64_t pair, std::int64_t channels);

/// Returns the frequencies, followed by their negatives if the form has some.
numerics::Frequencies turning_frequencies(const RotaryForm& form,
                                          const numerics::Frequencies& frequencies);

/// Returns the layout of a row of form.values() in which only the pairs of `runs` are not 0. Their
/// frequencies are turning_frequencies(), in the order of the runs.
numerics::ChannelLayout turning_layout(const RotaryForm& form, const std::vector<PairRun>& runs);

/// Returns the cell of value number `value`, counted in C order, of the row of a token: `factor`
/// times a function of the pair's angle. A pair has the number that the runs give it.
Cell turning_cell(const RotaryForm& form, const std::vector<PairRun>& runs, std::int64_t value,
                  double factor, const std::function<Term(std::int64_t pair)>& position,
                  const FrequencyTerms& frequencies);

/// Some pairs of a head, which turn by the same positions.
struct TurningPairs {
    Positions positions;
    std::vector<PairRun> runs;
    numerics::Frequencies frequencies;  ///< of the pairs, in the order of the runs
    /// False if float32 code is to be followed, whose frequencies these are.
    bool is_exact = true;
};

/// Returns a row of form.values() for each position, in which only these pairs are not 0. Correctly
/// rounded, or rounded to float32 at each step. Throws: UsageError, naming `options`, if an angle
/// has no meaning left.
RowSource turning_rows(const TurningPairs& pairs, const RotaryForm& form, DType dtype,
                       std::string_view options);

/// Returns the plan of a table of `tokens` tokens, counted by `token_axis`, in this form.
/// `token_rows` makes a row of form.values() for each of them, and `cell_of` says how one of these
/// values comes about.
Plan rotary_plan(Parameters parameters, std::int64_t tokens, Axis token_axis, RotaryForm form,
                 std::function<RowSource(DType dtype)> token_rows,
                 std::function<Cell(std::int64_t token, std::int64_t value)> cell_of = nullptr);

}  // namespace pegen::encodings
