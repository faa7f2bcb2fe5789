#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"

namespace pegen::cli {

/// The value of an option in a manifest, in the form in which it is typed on a command line.
struct TypedValue {
    std::string text;                  ///< for a list: its items, separated by commas
    bool is_text;                      ///< true if the value is a JSON string
    std::vector<std::string> items{};  ///< the items of a list; empty for other values
};

/// A part of a manifest and its place.
struct Part {
    std::string_view path;  ///< path of the manifest
    std::string place;      ///< "jobs[3]"; "" for the whole manifest
    const Json& json;

    /// Throws: FormatError, always: its message has the place and `failure`.
    [[noreturn]] void refuse(std::string_view failure) const;

    Part at(const std::string& key) const;
    Part at(std::size_t index) const;

    /// Throws: FormatError unless the part is an object. `example` is an object for the message.
    void check_object(std::string_view example) const;
    /// Throws: FormatError unless the part is an array.
    void check_array() const;
};

/// Reads a text, a number, true or false, or a list of such values. Throws: FormatError.
TypedValue typed_value(const Part& part);

/// The maximum number of jobs in a manifest.
inline constexpr std::size_t most_jobs = 1'000'000;

/// The values of an option in a sweep. Each value is made when `at` is called.
struct SweepValues {
    std::size_t count;  ///< from 1 to most_jobs
    std::function<TypedValue(std::size_t index)> at;
};

/// Reads the values of an option in a sweep: a list of values, or a range:
///   {"from": 0, "to": 1, "step": 0.1}    from + i step, up to and including `to`; the default of
///                                        "step" is 1
///   {"linspace": [0, 1, 11]}             as in NumPy: first value, last value, number of values
///   {"logspace": [0, 4, 5]}              as in NumPy: 10 to the power of each value of linspace
///   {"geomspace": [16, 4096, 9]}         as in NumPy: linspace, but with constant ratios
/// Ranges are computed from the exact decimals in the manifest, and each value is rounded once.
/// Throws: FormatError with the place.
SweepValues sweep_values(const Part& part);

/// Returns the names "linspace", "logspace" and "geomspace".
std::vector<std::string_view> spacing_names();

/// A distribution of the values of an option in the samples of a job.
struct Distribution {
    std::size_t longest;  ///< length of the longest value in bytes
    /// Returns the value for two random numbers, each of any 64 bits.
    std::function<TypedValue(std::uint64_t a, std::uint64_t b)> value;
};

/// Reads a distribution. With u, a fraction between 0 and 1 made of the first random number, and v,
/// made of the second, its value is
///   {"uniform": [low, high]}       low + (high - low) u
///   {"loguniform": [low, high]}    low (high / low)^u
///   {"normal": [mean, std]}        mean + std sqrt(-2 log u) cos(2 pi v)
///   {"integers": [low, high]}      the floor of low + (high - low + 1) u, from low to high
///   {"logintegers": [low, high]}   the floor of low ((high + 1) / low)^u, from low to high
///   {"choice": values}             number floor(n u) of n values, which are as in a sweep
/// A fraction is (floor(number / 2^12) + 1/2) / 2^52. Values are computed from the exact decimals
/// in the manifest, and rounded once.
/// Throws: FormatError with the place.
Distribution distribution(const Part& part);

/// Returns the names of the distributions that have two numbers: "uniform" and so on.
std::vector<std::string_view> distribution_names();

}  // namespace pegen::cli
