#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rows/rotated.h"

// Conventions by which code turns the channels of a row with cos and sin, correct ones and
// mistakes.
namespace pegen::recognition {

/// A part of result[j] that code may leave out.
enum class Lacking { nothing, cosines, sines };

/// The conventions of a kernel that makes result[j] = x[j] cos[a(j)] -+ x[partner of j] sin[a(j)].
struct Convention {
    std::int64_t first;     ///< the first rotated channel
    std::int64_t dim;       ///< r, the number of rotated channels
    rows::Pairing pairing;  ///< decides which channel is the partner of which
    rows::Pairing layout;   ///< half: a(j) = j mod r/2; interleaved: a(j) = j / 2
    /// Channels are read in the order 0, 2, 4, ..., then 1, 3, 5, ...: DeepSeek's code.
    bool reads_neighbours = false;
    bool lacks_minus = false;  ///< both channels of a pair have the sign +
    Lacking lacking = Lacking::nothing;

    /// True if pairs are rotated: angles are laid out as channels are paired, one sign is -, and
    /// both parts are there.
    bool is_rotation() const {
        return pairing == layout && !lacks_minus && lacking == Lacking::nothing;
    }
};

/// The formula of one channel of the result:
/// of_own x[own] cos[angle] + sign x[partner] sin[angle].
/// Channels are counted from the first channel of the row.
struct Term {
    std::int64_t own;
    std::int64_t partner;
    std::int64_t angle;
    double sign;        ///< 1 or -1; 0 if the sines are lacking
    double of_own = 1;  ///< 0 if the cosines are lacking

    bool operator==(const Term&) const = default;
};

/// Returns the terms of the `dim` rotated channels.
std::vector<Term> terms_of(const Convention& convention);

/// Returns the conventions that may turn these channels, the usual ones first; none lacks a part.
std::vector<Convention> conventions_of(std::int64_t first, std::int64_t dim);

/// Returns what is unusual about the convention, one sentence for each oddity; nothing if `apply
/// rope` does the same.
std::vector<std::string> oddities_of(const Convention& convention, std::int64_t channels);

/// Returns "half" or "interleaved".
std::string_view name_of(rows::Pairing pairing);

}  // namespace pegen::recognition
