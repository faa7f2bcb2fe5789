#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"

// Which table of a rotary encoding an array may be, and where its values stand.
namespace pegen::recognition {

/// Where an array holds the cosine and the sine of each pair. Columns count all values of a row in
/// C order.
struct RotaryColumns {
    std::string_view table;
    /// Layout or pairing, unless it is the default. Of sin-cos none, for sin-cos has each value
    /// once.
    std::vector<evidence::Setting> settings{};
    std::vector<std::int64_t> channels{};  ///< as in Proposal
    std::string_view layout = "";          ///< of the cosines, and of the sines
    bool has_cosines_first = false;        ///< of sin-cos
    std::vector<std::int64_t> cosines{};   ///< of each pair; empty if there are none
    std::vector<std::int64_t> sines{};     ///< likewise
    std::vector<std::int64_t> pair_of_column{};
    std::vector<std::string> notes{};  ///< as in Proposal

    std::int64_t pairs() const { return std::ssize(cosines.empty() ? sines : cosines); }
};

/// Returns what the array may be: cos, sin, sin-cos, freqs-cis, matrices, rotation, most likely
/// first. `default_layout` of cos and sin goes without saying. None if it is of another rank, or
/// has values that are not finite.
std::vector<RotaryColumns> rotary_columns(const evidence::Sample& array,
                                          std::string_view default_layout);

/// Returns the number of values of a row, which is an index of the first axis.
std::int64_t row_size(const evidence::Sample& array);

/// Returns some of the rows in memory, ascending: the first ones, fewer and fewer of the others,
/// and the last.
std::vector<std::int64_t> some_rows(const evidence::Sample& array, std::int64_t dense = 64);

/// Returns a value with its error.
evidence::Measured cell(const evidence::Sample& array, std::int64_t row, std::int64_t column);

}  // namespace pegen::recognition
