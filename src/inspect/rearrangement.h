#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "inspect/position_table.h"

namespace pegen {

/// How far values may be apart to count as equal: |a - b| <= position |p| + relative max(1, |b|),
/// but never more than max(1, |b|) / 64. p is the position of the values, in the table in which it
/// is farther from 0; with several axes, the position farthest from 0.
struct Closeness {
    double position = 0;
    double relative = 0;

    bool is_exact() const { return position == 0 && relative == 0; }
};

/// Returns how far a table of `dtype`, computed in float32, may be from the exact table. The angle
/// p f is rounded, and before it the frequency f, each by up to p 2^-24; twice that is allowed, and
/// two units in the last place of the dtype.
Closeness closeness_of_float32(DType dtype);

/// The places of one table's values in another table: position p, channel c of the first table is
/// position p + shift (along every axis along which positions are shifted), channel channels[c] of
/// the second, wherever both positions exist.
struct Rearrangement {
    std::int64_t shift;
    std::vector<std::int64_t> channels;
    std::string_view order;  ///< of the channels, in words; empty: unchanged, or unusual
    /// Positions of the first table that are left out because one of the tables has only zeros
    /// there.
    std::vector<std::int64_t> zeros;
    double largest = 0;   ///< the largest difference that is left, which a Closeness allowed
    double in_units = 0;  ///< the largest |a - b| / (max(1, |p|) 2^-23)
};

/// Returns the order of the channels as the end of a sentence, ", with its two halves exchanged";
/// an unusual order as a list of `channels`. Returns "" if the order is unchanged.
std::string order_text(const Rearrangement& found, std::string_view channels);

/// Returns the positions that are left out as the end of a sentence, ", but for row 3, which is
/// zeros in fairseq"; "" if none is left out. `owner` is the table that has the zeros.
std::string exceptions_text(const Rearrangement& found, std::string_view owner);

/// Looks for a rearrangement that leaves no other difference than `closeness` allows. Positions are
/// shifted by up to three either way, along all axes together; at least half of the shorter table,
/// and two positions of each axis, must remain to compare. Precondition: the tables have equally
/// many axes of positions, and the second has no fewer channels than the first.
std::optional<Rearrangement> find_rearrangement(const PositionTable& first,
                                                const PositionTable& second,
                                                const Closeness& closeness);

}  // namespace pegen
