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

    bool operator==(const Setting&) const = default;
};

inline void append(std::vector<Setting>& settings, const std::vector<Setting>& more) {
    settings.insert(settings.end(), more.begin(), more.end());
}

/// An array that a command reads from a file: the points of `fourier`, the mask of `detr`.
struct DataFile {
    std::string_view parameter;  ///< the parameter that names the file: "points"
    std::string_view name;       ///< the name under which the file is written: "points.npy"
    Table table;
};

/// A table that the array may be. A proposal claims nothing: the encoding itself computes the table
/// from the settings, and the table is compared with the array, value by value.
struct Proposal {
    std::string_view table = "";    ///< one of the encoding's tables; "" for the first
    std::vector<Setting> settings;  ///< extents included, if they are not the defaults
    std::vector<DataFile> data{};
    /// The rows (indices along the first axis longer than 1) and the channels (indices along the
    /// last axis) of the table that the array has, in this order. An empty list means all of them.
    std::vector<std::int64_t> rows{};
    std::vector<std::int64_t> channels{};
    /// The magnitude of the angle, in radians, whose sine or cosine a cell holds; code in float32
    /// is off by some 2^-24 of it. `row` is an index of the array along its first axis, `column` an
    /// index in C order along all other axes. Null if the table is not made of waves.
    std::function<double(std::int64_t row, std::int64_t column)> angle = nullptr;
    bool has_powers = false;           ///< see TableSpec; candidate_of() sets it
    std::vector<std::string> notes{};  ///< what the user should know of the proposal, one line each
    bool is_complete = true;           ///< false if `data` has zeros where the array shows no value
};

}  // namespace pegen::evidence

namespace pegen::recognition {

using evidence::Proposal;
using evidence::Setting;

}  // namespace pegen::recognition
