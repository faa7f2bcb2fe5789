#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "recognition/evidence/proposal.h"

namespace pegen::recognition {

/// Settings that were read from an array, with what they cost to name, in bits.
struct PricedSettings {
    std::vector<evidence::Setting> settings{};
    double bits = 0;
};

/// Returns one setting.
PricedSettings priced(std::string_view name, std::string value, double bits);

/// Returns the settings of both, at the price of both.
PricedSettings joined(const PricedSettings& a, const PricedSettings& b);

}  // namespace pegen::recognition
