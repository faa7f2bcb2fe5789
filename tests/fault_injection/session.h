#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rule.h"

/// All data needed to try a kind of fault, and whether an earlier kind broke the rule.
struct Session {
    const Stage& stage;
    bool is_whole;  ///< true for the whole test, false for the quick part
    std::vector<Trial> trials;
    bool is_broken = false;

    /// The trial of the scene with this name. Throws: std::out_of_range.
    const Trial& trial(std::string_view scene) const;

    /// Returns all trials; in the quick part only the trial with the most files.
    std::span<const Trial> trials_of_part() const;

    /// Prints the row of this fault.
    void report(const std::string& fault, const Tally& tally);

    /// Prints that this fault is skipped, and the feature that it needs.
    void skip(const std::string& fault, const std::string& need) const;
};

/// The trial of a command that compares two tables and draws the result.
Trial comparison(const Session& session);
