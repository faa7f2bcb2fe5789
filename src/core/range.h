#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace pegen {

/// The numbers a parameter may have. An open end is not itself allowed.
struct Range {
    double lowest = -std::numeric_limits<double>::infinity();
    double highest = std::numeric_limits<double>::infinity();
    bool lowest_is_open = false;

    constexpr bool contains(double value) const {
        return (lowest_is_open ? value > lowest : value >= lowest) && value <= highest;
    }

    /// True if the range has the whole number, which need not be a double.
    constexpr bool contains_whole(std::int64_t number) const {
        const auto nearest = static_cast<double>(number);
        const bool is_rounded_to_end =
            nearest == highest && highest < 0x1p63 && number > static_cast<std::int64_t>(highest);
        return contains(nearest) && !is_rounded_to_end;
    }
};

inline constexpr double two_to_53 = 0x1p53;  ///< up to here every whole number is a double
inline constexpr Range any_number{};
inline constexpr Range positive{.lowest = 0, .lowest_is_open = true};
inline constexpr Range any_position{.lowest = -two_to_53, .highest = two_to_53};
inline constexpr Range any_index{.lowest = 0, .highest = two_to_53};
inline constexpr Range any_count{.lowest = 1, .highest = two_to_53};

/// Returns the rule in words: "must be greater than 0", "must be between 1 and 9".
std::string describe(const Range& range);

}  // namespace pegen
