#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/table.h"

namespace pegen::evidence {

/// A parameter and its value, as one would type it: {"denom-shift", "2"}, {"reverse", "true"}.
struct Setting {
    std::string_view name;
    std::string value;
};

/// An array that a parameter names the file of: the points of `fourier`, the mask of `detr`.
struct DataFile {
    std::string_view parameter;  ///< "points"
    std::string_view name;       ///< of the file, where it is written: "points.npy"
    Table table;
};

/// What an array may be. Nobody believes it: the table is computed from the settings by the
/// encoding itself and compared with the array, value by value.
struct Proposal {
    std::string_view table = "";    ///< one of the encoding's tables; "" for the first
    std::vector<Setting> settings;  ///< extents included, if they are not the defaults
    std::vector<DataFile> data{};
    /// The array has only these rows (indices along the first axis longer than 1) and these
    /// channels (along the last one) of the table, in this order. Empty: all.
    std::vector<std::int64_t> rows{};
    std::vector<std::int64_t> channels{};
    /// Returns the magnitude of the angle whose sine or cosine a cell holds, in radians: code in
    /// float32 is off by some 2^-24 of it. Indices are those of the array: along the first axis,
    /// and in C order along all others. Null for what is not made of waves.
    std::function<double(std::int64_t row, std::int64_t column)> angle = nullptr;
    std::vector<std::string> notes{};  ///< what the user should know of it, a line each
};

}  // namespace pegen::evidence
