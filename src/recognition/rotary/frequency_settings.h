#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/parameters.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/parameters/priced_settings.h"

// The base and the scaling of rope, found from frequencies.
namespace pegen::recognition {

/// Measurements of a rope table, or of code that rotates.
struct ShownTurning {
    /// Frequencies of all pairs 0, 1, ..., in radians per position. Each error is a bound: the true
    /// frequency is never farther off.
    std::vector<Measured> frequencies;
    /// The factor of cos and sin; none if the array does not show it.
    std::optional<Measured> attention_factor{};
    std::int64_t positions = 0;  ///< the length of the sequence, for dynamic scaling; 0 if unknown
};

/// Returns the settings of rope that have these frequencies and this attention factor, always with
/// --d, cheapest first, `most` at most; none if no scaling explains the frequencies. Different
/// settings that make the same frequencies (ntk, or another base) are all returned. Longrope, which
/// can have any frequencies, is proposed only if nothing else explains the frequencies and they
/// look like divided ones.
std::vector<PricedSettings> rope_settings(const ShownTurning& shown, std::size_t most = 12);

/// Returns the parameters of rope with these settings and this number of channels.
/// Throws: UsageError if the settings do not go together.
Parameters rope_parameters(const std::vector<Setting>& settings, std::int64_t channels);

/// Returns the frequencies of `dim` rotated channels; none if the settings do not go together.
std::vector<double> frequencies_of(const std::vector<Setting>& settings, std::int64_t dim);

/// Returns the attention factor that these settings have. Throws: UsageError if they do not go
/// together.
double attention_factor_of(const std::vector<Setting>& settings, std::int64_t dim);

}  // namespace pegen::recognition
