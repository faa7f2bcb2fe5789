#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "recognition/evidence/simple_number.h"
#include "recognition/parameters/priced_settings.h"

// Declarations shared by the searches for the base and the scaling of rope.
namespace pegen::recognition {

/// Bases and factors of published models, the most frequent first.
std::span<const double> known_bases();
std::span<const double> known_factors();
bool is_known_base(double base);

/// Returns a number that published models have.
SimpleNumber usual_number(double value);

/// True if a published model has this base, or if it has at most two digits.
bool is_simple_base(const SimpleNumber& base);

/// Returns the bases with which frequency m is base^(-m / pairs) / factor for all m < count. The
/// upper bound is infinite if the frequencies do not limit the base.
evidence::Bounds base_bounds(std::span<const Measured> frequencies, std::size_t count,
                             double factor = 1);

/// A root of a popular base, base^(1 / heads): code that divides the exponent by the width of all
/// heads, not of one, makes it of the base.
struct BaseRoot {
    double base;
    double heads;
    double value;
};

/// Returns the roots of popular bases within the bounds.
std::vector<BaseRoot> roots_within(const evidence::Bounds& bounds);

/// Returns the bases of published models within the bounds, or else what mistakes make of popular
/// ones, and the cheapest numbers.
std::vector<SimpleNumber> bases_within(const evidence::Bounds& bounds, std::size_t most);

/// Returns the frequencies divided by base^(-m / pairs).
std::vector<Measured> ratios_to(double base, std::span<const Measured> frequencies);

/// Adds a setting and the bits of naming it.
void add(PricedSettings& settings, std::string_view name, const SimpleNumber& number);
void add_word(PricedSettings& settings, std::string_view name, std::string_view word);
void add_flag(PricedSettings& settings, std::string_view name);

/// Returns the setting --scaling, and --base unless it has its default value.
PricedSettings scaled(std::string_view type, const SimpleNumber& base);

// Scaling types that keep fast pairs and divide slow ones: llama3, yarn, part-ntk.

/// Returns settings of these types that fit the frequencies with numbers of published models.
std::vector<PricedSettings> ramps(std::span<const Measured> frequencies);

/// Returns the most usual settings of llama3 and yarn that leave these frequencies as they are with
/// this base, so that the array does not show their scaling.
std::vector<PricedSettings> hidden_ramps(std::span<const Measured> frequencies,
                                         const SimpleNumber& base);

}  // namespace pegen::recognition
