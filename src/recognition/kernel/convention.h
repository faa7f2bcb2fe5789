#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rows/rotated.h"

// How code turns the channels of a row by cos and sin, rightly or wrongly.
namespace pegen::recognition {

/// In which order a kernel sees the channels of a row.
enum class ReadOrder {
    as_stored,
    neighbours_to_halves,  ///< 0, 2, 4, ..., then 1, 3, 5, ...: DeepSeek's code
    halves_to_neighbours,  ///< 0, r/2, 1, r/2 + 1, ...
};

/// A kernel by its conventions: result[j] = x[j] cos[a(j)] -+ x[partner of j] sin[a(j)].
struct Convention {
    std::int64_t first;     ///< of the rotated channels
    std::int64_t dim;       ///< how many are rotated, r
    rows::Pairing pairing;  ///< which channel is the partner of which
    rows::Pairing layout;   ///< half: a(j) = j mod r/2; interleaved: a(j) = j / 2
    ReadOrder order = ReadOrder::as_stored;
    bool lacks_minus = false;  ///< + for both channels of a pair

    /// True if pairs are rotated: angles are laid out as channels are paired, and one sign is -.
    bool is_rotation() const { return pairing == layout && !lacks_minus; }
};

/// What a channel of the result is made of: x[own] cos[angle] + sign x[partner] sin[angle].
/// Channels count from the first of the row.
struct Term {
    std::int64_t own;
    std::int64_t partner;
    std::int64_t angle;
    double sign;

    bool operator==(const Term&) const = default;
};

/// Returns the terms of the rotated channels, `dim` of them.
std::vector<Term> terms_of(const Convention& convention);

/// Returns the conventions that turn these channels, the usual ones first.
std::vector<Convention> conventions_of(std::int64_t first, std::int64_t dim);

/// Returns what is unusual in words, a sentence each; none for what `apply rope` does.
std::vector<std::string> oddities_of(const Convention& convention, std::int64_t channels);

/// "half" or "interleaved"
std::string_view name_of(rows::Pairing pairing);

}  // namespace pegen::recognition
