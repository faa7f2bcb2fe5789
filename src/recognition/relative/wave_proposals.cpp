#include "recognition/relative/wave_proposals.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/evidence/wave_table.h"

namespace pegen::recognition {
namespace {

using evidence::WaveColumns;

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
bool may_be_distances(const Sample& array, std::span<const std::int64_t> rows,
                      std::span<const evidence::WaveColumns> columns) {
    constexpr std::size_t some = 16;
    const auto tables =
        evidence::wave_tables(array, rows.first(std::min(rows.size(), some)), columns);
    return std::ranges::any_of(tables, [](const evidence::WaveTable& table) {
        return !table.steps || std::fabs(std::fabs(table.steps->step.value) - 1) < 0.1;
    });
}

}  // namespace

std::vector<DistanceWaves> distance_waves_in(const Sample& array) {
    const std::int64_t d = array.extents.back();
    constexpr std::int64_t most_channels = 65536;
    if (array.rank() != 2 || !is_floating(array.table.dtype) || d % 2 != 0 || d > most_channels) {
        return {};
    }
    std::vector<std::int64_t> rows(array.leading);
    std::iota(rows.begin(), rows.end(), 0);
    std::vector<DistanceWaves> found;
    for (const bool has_halves : {true, false}) {
        const auto [columns, pair_of_channel] =
            evidence::columns_of(has_halves ? numerics::halves(d) : numerics::interleaved(d));
        std::vector<evidence::WaveTable> tables;
        if (may_be_distances(array, rows, columns)) {
            tables = evidence::wave_tables(array, rows, columns);
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
