#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "core/table.h"

namespace pegen {

/// A table in memory: the channels of the positions of a sequence or a grid.
struct PositionTable {
    std::vector<std::int64_t> extents;          ///< extents of the axes of positions, slowest first
    std::vector<std::vector<double>> channels;  ///< [channel][position], the last axis fastest
    std::vector<Axis> axes;                     ///< the axes that the extents belong to
    Axis channel_axis;           ///< the axis of the channels; unnamed if there is one channel
    bool is_by_columns = false;  ///< the table lists the points of its grid by columns

    std::int64_t positions() const;
};

/// Reads the table according to its axes. The channels run along the axis of kind channel, else
/// along the last of several axes; a table of one axis has one channel. All other axes are axes of
/// positions: the points of a grid lie along the axes of the grid, slowest first; rows before the
/// first position are left out, and so is the axis of a batch of one.
PositionTable read_positions(const Table& table);

/// True if compare() looks for positions shifted along this axis, which does not count heads,
/// functions or the images of a batch.
bool is_shifted_along(const Axis& axis);

/// Returns the same positions as the positions of a sequence.
PositionTable flattened(PositionTable table);

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

/// The way in which the positions of the first table are matched with positions of the second.
struct Alignment {
    std::int64_t shift;
    bool is_without_zeros;
};

/// Positions that coincide: position first[i] of the first table and second[i] of the second.
struct Overlap {
    Closeness closeness;
    std::vector<std::size_t> first;
    std::vector<std::size_t> second;
    std::vector<double> positions;    ///< the larger |p| of each pair
    std::vector<std::int64_t> zeros;  ///< positions of the first table that are left out
};

/// Returns the positions that both tables have; no positions if too little is left to compare.
Overlap overlap_of(const PositionTable& first, const PositionTable& second,
                   const Alignment& alignment, const Closeness& closeness);

/// True if all channels of a position are 0.
bool is_zero(const PositionTable& table, std::size_t position);

/// Returns the bits of a value of a PositionTable: equal values have equal bits.
inline std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

/// Returns |a - b|; 0 for equal values, infinity if only one of them is finite.
double difference(double a, double b);

/// The differences between two tables.
struct Comparison {
    std::vector<Axis> axes;           ///< the axes of positions, as they were compared
    std::int64_t compared;            ///< number of values at equal channels and positions
    std::int64_t differing;           ///< number of compared values that differ
    double largest;                   ///< largest difference; infinity if only one value is finite
    std::vector<std::int64_t> place;  ///< position of the first of the largest, along each axis
    std::int64_t channel;             ///< channel of the first of the largest differences
    std::optional<Rearrangement> rearrangement;  ///< the one that leaves no other difference
};

/// Compares the tables as they are, and looks for a rearrangement: first for one that leaves no
/// difference, then for one that leaves only differences within `closeness`, if it allows any.
/// Positions are shifted by up to three either way, along all axes together; at least half of the
/// shorter table, and two positions of each axis, must remain to compare. Tables with different
/// numbers of axes are compared as sequences. Values are equal if they are the same number, or both
/// NaN. If the second table has more channels than the first, only the channels of the first must
/// be found in it. Precondition: the second table has no fewer channels than the first.
Comparison compare(const PositionTable& first, const PositionTable& second,
                   const Closeness& closeness = {});

}  // namespace pegen
