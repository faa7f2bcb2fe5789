#include "recognition/relative/wave_proposals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/evidence/wave_table.h"

namespace pegen::recognition {
namespace {

using evidence::Measured;

using evidence::Sample;
using evidence::WaveColumns;

/// The distance of row 0, and the difference from row to row.
struct WholeSteps {
    std::int64_t start;
    std::int64_t step;

    double at(std::int64_t row) const { return static_cast<double>(start + step * row); }
};

struct Cell {
    Measured sine;
    Measured cosine;
};

Cell cell(const Sample& array, std::int64_t row, const WaveColumns& columns) {
    const auto at = [&](std::int64_t column) {
        const double value = array.values[row * array.extents[1] + column];
        return Measured{value, array.error_of(value) + 0x1p-20};
    };
    return {at(columns.sine), at(columns.cosine)};
}

/// True if the pair of frequency 1 has these distances as its angles.
bool turns_by(const WholeSteps& steps, const Sample& array, const WaveColumns& fastest) {
    for (std::int64_t row = 0; row < array.leading; ++row) {
        const auto [sine, cosine] = cell(array, row, fastest);
        const double distance = steps.at(row);
        if (!(std::fabs(sine.value - std::sin(distance)) <= 2 * sine.error)) return false;
        if (!(std::fabs(cosine.value - std::cos(distance)) <= 2 * cosine.error)) return false;
    }
    return true;
}

std::optional<WholeSteps> steps_of(const Sample& array, const WaveColumns& fastest) {
    const std::int64_t farthest = array.leading;
    for (std::int64_t size = 0; size <= farthest; ++size) {
        for (const WholeSteps& steps : {WholeSteps{-size, 1}, WholeSteps{size, -1}}) {
            if (turns_by(steps, array, fastest)) return steps;
        }
    }
    return std::nullopt;
}

/// Returns the frequency of a pair at these distances; none if no frequency fits. Distances are
/// used from the nearest to 0 outwards, since the angles of far ones wrap.
std::optional<Measured> frequency_of(const Sample& array, const WholeSteps& steps,
                                     const WaveColumns& pair) {
    std::vector<std::int64_t> rows(array.leading);
    std::iota(rows.begin(), rows.end(), 0);
    std::ranges::stable_sort(rows, {}, [&](std::int64_t row) { return std::fabs(steps.at(row)); });
    double low = 0, high = 1;
    for (const std::int64_t row : rows) {
        const double distance = std::fabs(steps.at(row));
        constexpr double turn = 2 * std::numbers::pi, half = 3;
        if (distance == 0 || (high - low) * distance > half) continue;
        const auto [sine, cosine] = cell(array, row, pair);
        const double sign = steps.at(row) < 0 ? -1 : 1;
        const double wrapped = std::atan2(sign * sine.value, cosine.value);
        const double error =
            2 * (std::fabs(sine.value) * cosine.error + std::fabs(cosine.value) * sine.error);
        const double expected = (low + high) / 2 * distance;
        const double angle = wrapped + turn * std::rint((expected - wrapped) / turn);
        low = std::max(low, (angle - error) / distance);
        high = std::min(high, (angle + error) / distance);
        if (!(low <= high)) return std::nullopt;
    }
    return Measured{(low + high) / 2, (high - low) / 2};
}

/// Returns the waves of an array whose rows have whole distances with a step of 1 or -1, and whose
/// first pair has the frequency 1; none if the array has no such waves. In 16 bits, this
/// restriction determines the numbers better than the angles alone.
std::optional<evidence::WaveTable> whole_distance_waves(const Sample& array,
                                                        std::span<const WaveColumns> columns) {
    constexpr std::int64_t most_rows = 1024;
    if (columns.size() < 2 || array.leading < 3 || array.leading > most_rows) return std::nullopt;
    const std::optional<WholeSteps> steps = steps_of(array, columns.front());
    if (!steps) return std::nullopt;
    // the logarithm of the ratio of neighbouring frequencies
    double low = 0, high = 100;
    for (std::size_t k = 1; k < columns.size(); ++k) {
        const std::optional<Measured> frequency = frequency_of(array, *steps, columns[k]);
        if (!frequency) return std::nullopt;
        const auto index = static_cast<double>(k);
        const auto [value, error] = *frequency;
        low = std::max(low, -std::log(value + error) / index);
        if (value > error) high = std::min(high, -std::log(value - error) / index);
        if (!(low <= high)) return std::nullopt;
    }
    const Measured start{static_cast<double>(steps->start), 0};
    const Measured step{static_cast<double>(steps->step), 0};
    return evidence::WaveTable{.circle = {.radius = {1, 0}, .offset = {0, 0}},
                               .log_ratio = Measured{(low + high) / 2, (high - low) / 2},
                               .steps = evidence::WaveSteps{start, step}};
}

/// The relative error of frequencies in float32 code.
constexpr double float32_share = 0x1p-20;

/// Returns the possible values of --base: the ratio of neighbouring frequencies is base^(2 / d).
std::vector<std::string> bases(const std::optional<Measured>& log_ratio, std::int64_t d) {
    if (!log_ratio) return {"10000"};
    const double power = static_cast<double>(d) / 2;
    const double base = std::exp(log_ratio->value * power);
    std::vector<std::string> found;
    for (const double error :
         {std::max(2 * log_ratio->error * power, float32_share), log_ratio->error * power}) {
        for (const auto& number : evidence::simple_numbers({base, base * error}, 2)) {
            const bool is_new = std::ranges::find(found, number.text) == found.end();
            if (number.value > 0 && is_new) found.push_back(number.text);
        }
    }
    return found;
}

/// True if the first rows may be waves of distances with a step of 1, or limited distances. Most
/// arrays are rejected quickly.
bool may_be_distances(const evidence::Sample& array, std::span<const std::int64_t> rows,
                      std::span<const evidence::WaveColumns> columns) {
    constexpr std::size_t some = 16;
    const auto tables =
        evidence::wave_tables(array, rows.first(std::min(rows.size(), some)), columns);
    return std::ranges::any_of(tables, [](const evidence::WaveTable& table) {
        return !table.steps || std::fabs(std::fabs(table.steps->step.value) - 1) < 0.1;
    });
}

}  // namespace

std::vector<DistanceWaves> distance_waves_in(const evidence::Sample& array) {
    const std::int64_t d = array.extents.back();
    constexpr std::int64_t most_channels = 65536;
    if (array.rank() != 2 || !is_floating(array.table.dtype) || d % 2 != 0 || d > most_channels) {
        return {};
    }
    std::vector<std::int64_t> rows(array.leading);
    std::iota(rows.begin(), rows.end(), 0);
    std::vector<DistanceWaves> found;
    const std::array usual{2 * std::log(10000.0) / static_cast<double>(d)};
    for (const bool has_halves : {true, false}) {
        const auto [columns, pair_of_channel] =
            evidence::columns_of(has_halves ? numerics::halves(d) : numerics::interleaved(d));
        std::vector<evidence::WaveTable> tables;
        if (may_be_distances(array, rows, columns)) {
            tables = evidence::wave_tables(array, rows, columns, usual);
        }
        // In 16 bits, angles alone determine the slow pairs poorly.
        if (array.precision.digits < 24) {
            if (auto whole = whole_distance_waves(array, columns)) tables.push_back(*whole);
        }
        for (const evidence::WaveTable& table : tables) {
            if (std::fabs(table.circle.radius.value - 1) > 0.01 || table.circle.offset.value != 0) {
                continue;
            }
            for (const std::string& base : bases(table.log_ratio, d)) {
                found.push_back({has_halves, base, table, pair_of_channel});
            }
        }
    }
    return found;
}

}  // namespace pegen::recognition
