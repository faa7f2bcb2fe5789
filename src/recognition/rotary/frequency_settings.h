#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "recognition/evidence/proposal.h"
#include "recognition/evidence/simple_number.h"

// Rope settings from frequencies: which base and which scaling they are of.
namespace pegen::recognition {

/// What a table, or code that rotates, shows of its pairs.
struct ShownTurning {
    /// Of pairs 0, 1, ..., all of them, in radians per position. An error is a bound: the true
    /// frequency is nowhere beyond it.
    std::vector<evidence::Measured> frequencies;
    /// The factor of cos and sin; none if nothing shows it.
    std::optional<evidence::Measured> attention_factor{};
    std::int64_t positions = 0;  ///< the length of the sequence, for dynamic; 0 if it is not known
};

/// Settings as one would type them, and what they cost to name.
struct RopeSettings {
    std::vector<evidence::Setting> settings;
    double bits = 0;
};

/// Returns the settings of rope that have these frequencies and this factor, --d always among them,
/// cheapest first, `most` at most; none if no scaling explains them. Settings that differ in their
/// names only (ntk and another base) are all there. The frequencies of longrope, any at all, are
/// proposed only if nothing else explains them and they look like divided ones.
std::vector<RopeSettings> rope_settings(const ShownTurning& shown, std::size_t most = 12);

}  // namespace pegen::recognition
