#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "recognition/rotary/bounds.h"
#include "recognition/rotary/frequency_settings.h"

// What the searches for a base and a scaling share.
namespace pegen::recognition {

/// Bases and factors of published models, the most frequent first.
std::span<const double> known_bases();
std::span<const double> known_factors();
bool is_known_base(double base);

/// True if the base is that of a model, or has two digits.
bool is_simple_base(const evidence::SimpleNumber& base);

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
void add_flag(RopeSettings& settings, std::string_view name);

/// Returns --scaling and --base, unless that is the default.
RopeSettings scaled(std::string_view type, const evidence::SimpleNumber& base);

// Of the types that change the base: ntk and dynamic.

/// A base of few digits, stretched by a usual factor, may be another one of few digits. Returns
/// such readings of a base that explains the frequencies by itself.
std::vector<RopeSettings> stretched_to(const evidence::SimpleNumber& plain,
                                       std::span<const evidence::Measured> frequencies);

/// Returns the settings of ntk with which a base of models is stretched by any short factor.
std::vector<RopeSettings> ntk_settings(std::span<const evidence::Measured> frequencies);

/// Returns the settings of dynamic scaling, whose base grows with the sequence beyond the longest
/// one of the model. None if `positions`, its length, is 0.
std::vector<RopeSettings> dynamic_settings(std::span<const evidence::Measured> frequencies,
                                           std::int64_t positions);

// Of the types that keep fast pairs and divide slow ones: llama3, yarn, part-ntk.

/// Returns settings with any numbers that the frequencies show.
std::vector<RopeSettings> ramp_settings(std::span<const evidence::Measured> frequencies);

/// Returns settings of llama3 and yarn with the numbers of models that have these frequencies.
std::vector<RopeSettings> usual_ramps(std::span<const evidence::Measured> frequencies);

/// Returns the most usual of them for a base that explains the frequencies without scaling: what
/// they change does not show.
std::vector<RopeSettings> hidden_ramps(std::span<const evidence::Measured> frequencies,
                                       const evidence::SimpleNumber& base);

}  // namespace pegen::recognition
