#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"

// The table of a rotary encoding that an array may be, and the columns of its values.
namespace pegen::recognition {

/// The columns of an array that hold the cosine and the sine of each pair. Columns count all values
/// of a row in C order.
struct RotaryColumns {
    std::string_view table;
    /// The layout or pairing, unless it is the default. Empty for sin-cos, which holds each value
    /// once.
    std::vector<Setting> settings{};
    std::vector<std::int64_t> channels{};  ///< as in Proposal
    std::string_view layout = "";          ///< the layout of the cosines, and of the sines
    bool has_cosines_first = false;        ///< for sin-cos
    std::vector<std::int64_t> cosines{};   ///< columns of the cosines, by pair; may be empty
    std::vector<std::int64_t> sines{};     ///< columns of the sines, by pair; may be empty
    std::vector<std::int64_t> pair_of_column{};
    std::vector<std::string> notes{};  ///< as in Proposal

    std::int64_t pairs() const { return std::ssize(cosines.empty() ? sines : cosines); }
};

/// Returns the tables that the array may be: cos, sin, sin-cos, freqs-cis, matrices, rotation, most
/// likely first. `default_layout` is the layout of cos and sin that needs no setting. None if the
/// rank fits no table, or if some values are not finite.
std::vector<RotaryColumns> rotary_columns(const Sample& array, std::string_view default_layout);

/// Returns the same for the table signed-sin of rope, in layout half or interleaved: the first
/// channel of each pair has the values of the second one with a minus.
std::vector<RotaryColumns> signed_columns(const Sample& array);

/// Returns the number of values of a row. A row is everything at one index of the first axis.
std::int64_t row_size(const Sample& array);

/// Returns some of the rows in memory, ascending: the first ones, a thinning selection of the
/// others, and the last.
std::vector<std::int64_t> some_rows(const Sample& array, std::int64_t dense = 64);

/// Returns the value in a row and column, with its error.
Measured cell(const Sample& array, std::int64_t row, std::int64_t column);

}  // namespace pegen::recognition
