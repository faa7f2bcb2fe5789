#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rule.h"

/// All that a kind of fault needs to be tried, and what came of those before it.
struct Session {
    const Stage& stage;
    bool is_whole;  ///< not only what takes some seconds
    std::vector<Trial> trials;
    bool is_broken = false;

    /// Of the scene with this name. Throws: std::out_of_range.
    const Trial& trial(std::string_view scene) const;

    /// All, or of the quick part only the one that has most in it.
    std::span<const Trial> trials_of_part() const;

    /// Prints the row of this fault.
    void report(const std::string& fault, const Tally& tally);

    /// Prints that there is none, and what it needs.
    void skip(const std::string& fault, const std::string& need) const;
};
