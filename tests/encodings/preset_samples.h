#pragma once

#include <array>
#include <span>
#include <string_view>

/// A preset and elements 5, 42, 79, ... of its table. An index beyond the end continues from the
/// start.
struct PresetSample {
    std::string_view command;
    std::array<double, 6> elements;

    std::string_view preset() const { return command.substr(0, command.find(' ')); }
};

/// Checks that every preset of the encoding has a sample, and every table the elements of its
/// sample: to the bit in float32 for tables that are drawn, to 11 digits in float64 for others.
void check_presets(std::string_view encoding, std::span<const PresetSample> samples);
