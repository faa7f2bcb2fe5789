#include "encodings/relative/wave_proposals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "core/to_size.h"
#include "encodings/relative/whole_distances.h"
#include "evidence/simple_number.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;

/// Code in float32 has frequencies that are off by this share.
constexpr double float32_share = 0x1p-20;

/// Returns what --base may be: the ratio of neighbours is base^(2 / d).
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

/// Says quickly what most arrays are not: waves of rows that are 1 apart, limits aside.
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
    std::vector<std::int64_t> rows(to_size(array.leading));
    std::iota(rows.begin(), rows.end(), 0);
    std::vector<DistanceWaves> found;
    const std::array usual{2 * std::log(10000.0) / static_cast<double>(d)};
    for (const bool has_halves : {true, false}) {
        std::vector<evidence::WaveColumns> columns;
        std::vector<std::int64_t> pair_of_channel(to_size(d));
        for (std::int64_t k = 0; k < d / 2; ++k) {
            const evidence::WaveColumns pair = has_halves ? evidence::WaveColumns{k, d / 2 + k}
                                                          : evidence::WaveColumns{2 * k, 2 * k + 1};
            columns.push_back(pair);
            pair_of_channel[to_size(pair.sine)] = k;
            pair_of_channel[to_size(pair.cosine)] = k;
        }
        std::vector<evidence::WaveTable> tables;
        if (may_be_distances(array, rows, columns)) {
            tables = evidence::wave_tables(array, rows, columns, usual);
        }
        // In 16 bits, angles alone say little of the slow pairs.
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

}  // namespace pegen::encodings
