#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/table.h"
#include "recognition/evidence/sample.h"

namespace pegen::recognition {

/// A way to look at an array: with its axes in another order, or with some axes merged into one.
struct View {
    std::string note;  ///< what is done to the array; "" if only axes of extent 1 are removed
    Table table;       ///< the whole array as it is seen
    std::function<Sample()> sample;  ///< reads the leading values
    bool is_part = false;            ///< one of several equal parts of the array
};

/// The halves of an array that may be two tables, such as cosines and sines.
struct Halves {
    enum class Along { first_axis, last_axis, channels };

    Along along;
    View first;
    View second;
    std::string at_first;  ///< where the first table is: "index 0 of the first axis"
    std::string at_second;
};

/// Returns the table with other extents; its elements keep their order.
Table reshaped(const Table& array, const std::vector<std::int64_t>& extents);

/// Returns the array with its axes in another order. Takes all values into memory.
Table with_axes(const Table& array, const std::vector<int>& order);

/// The most values of an array whose axes are put into another order, because reordering takes all
/// values into memory.
inline constexpr std::int64_t most_reordered = std::int64_t{1} << 26;

/// Returns the ways in which `array` may be a table, the most usual first: as it is, transposed,
/// with the channels last, with leading axes merged into one, without channels of zeros at the end,
/// with half of the channels of angles that are there twice, with -inf in the place of a mask's
/// number, and, if all images of a batch are equal, one image alone. Precondition: the array has
/// values.
/// Throws: what the rows throw.
std::vector<View> views_of(const Table& array);

/// Returns the ways in which `array` may be two tables: along a first axis of extent 2; and, if the
/// tables have the same values in two channels of each pair, along a last axis of extent 2, or as
/// the first and the second half of the channels.
std::vector<Halves> halves_of(const Table& array);

}  // namespace pegen::recognition
