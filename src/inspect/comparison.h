#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/table.h"

namespace pegen {

/// A table in memory: the channels of the positions of a sequence or a grid.
struct PositionTable {
    std::vector<std::int64_t> extents;          ///< of the axes of positions, slowest first
    std::vector<std::vector<double>> channels;  ///< [channel][position], the last axis fastest
    std::vector<Axis> axes;                     ///< what the extents are of
    Axis channel_axis;  ///< what the indices of the channels count; unnamed if there is one
    bool is_by_columns = false;  ///< the table lists the points of its grid by columns

    std::int64_t positions() const;
};

/// Reads the table by what its axes say. The channels run along the axis of kind channel, else
/// along the last of several axes; a table of one axis has one channel. All other axes are those of
/// positions: points of a grid lie along its axes, slowest first, rows before the first position
/// are left out, and so is the axis of a batch of one.
PositionTable read_positions(const Table& table);

/// True if compare() looks for positions shifted along this axis: not along heads, functions or the
/// images of a batch.
bool is_shifted_along(const Axis& axis);

/// How far values may be apart to count as equal: |a - b| <= position |p| + relative max(1, |b|),
/// but never more than max(1, |b|) / 64. p is the position that they belong to, in the table in
/// which it is farther from 0; of several axes, the farthest.
struct Closeness {
    double position = 0;
    double relative = 0;

    bool is_exact() const { return position == 0 && relative == 0; }
};

/// Returns how far a table of `dtype`, computed in float32, may be from the exact one: the angle
/// p f is rounded, and the frequency f before that, by up to p 2^-24 each; twice that is allowed,
/// and two units in the last place of the dtype.
Closeness closeness_of_float32(DType dtype);

/// How the values of one table are found in another: position p, channel c of the first is position
/// p + shift (along every axis that positions are shifted along), channel channels[c] of the
/// second, wherever both positions exist.
struct Rearrangement {
    std::int64_t shift;
    std::vector<std::int64_t> channels;
    std::string_view order;  ///< of the channels in words; empty: unchanged, or an unusual order
    /// Positions of the first table that are left out because one of the tables has only zeros
    /// there.
    std::vector<std::int64_t> zeros;
    double largest = 0;   ///< difference that is left, which a Closeness allowed
    double in_units = 0;  ///< the largest |a - b| / (max(1, |p|) 2^-23)
};

/// Returns the order of the channels as the end of a sentence, ", with its two halves exchanged";
/// an unusual one as a list of `channels`. "" if it is unchanged.
std::string order_text(const Rearrangement& found, std::string_view channels);

/// Returns what is left out as the end of a sentence, ", but for row 3, which is zeros in one of
/// them"; "" if nothing is.
std::string exceptions_text(const Rearrangement& found);

/// What separates two tables.
struct Comparison {
    std::vector<Axis> axes;           ///< of positions, as they were compared
    std::int64_t compared;            ///< values that both have: of equal channels and positions
    std::int64_t differing;           ///< of these
    double largest;                   ///< difference; infinity if only one value is finite
    std::vector<std::int64_t> place;  ///< position of the first of the largest, along each axis
    std::int64_t channel;             ///< of the first of the largest
    std::optional<Rearrangement> rearrangement;  ///< that leaves no other difference
};

/// Compares the tables as they are, and looks for a rearrangement: first for one that leaves no
/// difference, then for one that leaves only differences within `closeness`, if it allows any.
/// Positions are shifted by up to three either way, along all axes together; at least half of the
/// shorter table, and two positions of each axis, must remain to compare. Tables with different
/// numbers of axes are compared as sequences. Values are equal if they are the same number, or both
/// NaN. If the second table has more channels than the first, it needs only to have those of the
/// first. Precondition: it has no fewer.
Comparison compare(const PositionTable& first, const PositionTable& second,
                   const Closeness& closeness = {});

}  // namespace pegen
