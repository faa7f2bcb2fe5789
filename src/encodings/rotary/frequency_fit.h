#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "encodings/rotary/bounds.h"
#include "encodings/rotary/frequency_settings.h"

// What the searches for a base and a scaling share.
namespace pegen::encodings {

/// Bases and factors of published models, the most frequent first.
std::span<const double> known_bases();
std::span<const double> known_factors();

/// Returns the bases with which frequency m is base^(-m / pairs) / factor for all m < count. Open
/// towards infinity if the frequencies do not say.
Bounds base_bounds(std::span<const evidence::Measured> frequencies, std::size_t count,
                   double factor = 1);

/// Returns the bases of published models within the bounds, or else the cheapest numbers.
std::vector<evidence::SimpleNumber> bases_within(const Bounds& bounds, std::size_t most);

/// Returns the frequencies divided by base^(-m / pairs).
std::vector<evidence::Measured> ratios_to(double base,
                                          std::span<const evidence::Measured> frequencies);

/// Adds a setting and its cost.
void add(RopeSettings& settings, std::string_view name, const evidence::SimpleNumber& number);
void add_word(RopeSettings& settings, std::string_view name, std::string_view word);

/// Returns --scaling and --base, unless that is the default.
RopeSettings scaled(std::string_view type, const evidence::SimpleNumber& base);

/// Returns the settings of the types that keep fast pairs and divide slow ones: llama3, yarn,
/// part-ntk.
std::vector<RopeSettings> ramp_settings(std::span<const evidence::Measured> frequencies);

}  // namespace pegen::encodings
