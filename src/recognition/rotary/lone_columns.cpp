#include "recognition/rotary/lone_columns.h"

#include <algorithm>

#include "recognition/evidence/lone_wave.h"

namespace pegen::recognition {
namespace {

using evidence::Measured;
using evidence::Sample;

/// Returns the wave in a column whose rows have equal distances; none if there is no such wave.
/// Errors grow with the row, like the errors of angles in float32 code.
std::optional<evidence::LoneWave> wave_in(const Sample& array, std::int64_t column,
                                          const evidence::KnownOfWave& known) {
    constexpr std::int64_t most_rows = 512;
    std::vector<double> values, errors;
    for (std::int64_t row = 0; row < std::min(array.leading, most_rows); ++row) {
        const Measured value = cell(array, row, column);
        values.push_back(value.value);
        errors.push_back(value.error + 0x1p-22 * static_cast<double>(row));
    }
    return evidence::lone_wave(values, errors, known);
}

}  // namespace

std::optional<Measured> amplitude_in(const Sample& array, std::int64_t column) {
    const std::optional<evidence::LoneWave> wave = wave_in(array, column, {});
    if (!wave) return std::nullopt;
    return wave->amplitude;
}

std::optional<std::vector<Measured>> lone_advances(const TurningTable& table) {
    const RotaryColumns& columns = table.columns();
    std::vector<Measured> advances;
    for (const std::int64_t column : columns.cosines.empty() ? columns.sines : columns.cosines) {
        const auto wave = wave_in(table.array(), column, {.amplitude = table.radius().value});
        if (!wave) return std::nullopt;
        // The fit is unreliable for a wave that hardly turns.
        constexpr double caution = 3;
        advances.push_back({wave->advance.value, caution * wave->advance.error});
    }
    return advances;
}

}  // namespace pegen::recognition
