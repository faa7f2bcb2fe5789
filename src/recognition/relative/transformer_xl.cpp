#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/relative/wave_proposals.h"

namespace pegen::recognition {
namespace {

/// The distances of the rows, which fall by 1 from row to row unless they are limited.
struct Distances {
    std::int64_t first;  ///< the distance of row 0 without limits
    std::optional<std::int64_t> clamp{};
};

constexpr double most_first = 1e15;

/// Returns the distances, determined at the row with distance 0, since other distances may be
/// limited. None if the rows do not fall by 1.
std::optional<Distances> distances_in(const evidence::WaveTable& table) {
    if (table.steps) {
        const double first = table.steps->start.value;
        if (std::fabs(table.steps->step.value + 1) > 0.01 || std::fabs(first) > most_first) {
            return std::nullopt;
        }
        return Distances{std::llrint(first)};
    }
    double largest = 0;
    for (const auto& position : table.positions) {
        largest = std::max(largest, std::fabs(position.value));
    }
    for (std::size_t row = 0; row < table.positions.size(); ++row) {
        if (std::fabs(table.positions[row].value) < 0.1) {
            return Distances{static_cast<std::int64_t>(row), std::llrint(std::min(largest, 1e15))};
        }
    }
    return std::nullopt;
}

struct Lengths {
    std::string_view range;
    std::int64_t len;
    std::int64_t keys;
};

}  // namespace

/// Returns the proposals for an array of distance waves. For --range causal, the array shows only
/// the sum len + mem-len.
std::vector<Proposal> recognize_transformer_xl(const Sample& array) {
    if (array.rank() != 2) return {};
    const std::int64_t rows = array.extents[0];
    std::vector<Proposal> proposals;
    for (const DistanceWaves& waves : distance_waves_in(array)) {
        const auto distances = distances_in(waves.table);
        if (!distances) continue;
        const std::int64_t first = distances->first;
        for (const Lengths& lengths :
             {Lengths{"causal", first + 1, first + 1}, Lengths{"full", rows - first, first + 1},
              Lengths{"xlnet", rows - first, first}}) {
            const bool is_causal = lengths.range == "causal";
            if (lengths.len < 1 || lengths.keys < lengths.len) continue;
            if (is_causal != (rows == first + 1)) continue;
            Proposal proposal{
                .settings = {{"len", fmt::format("{}", lengths.len)},
                             {"mem-len", fmt::format("{}", lengths.keys - lengths.len)},
                             {"d", fmt::format("{}", array.extents[1])},
                             {"base", waves.base},
                             {"layout", waves.has_halves ? "halves" : "interleaved"},
                             {"range", std::string(lengths.range)}}};
            if (distances->clamp) {
                proposal.settings.push_back({"clamp", fmt::format("{}", *distances->clamp)});
            }
            proposal.angle = evidence::wave_angle(waves.table, 0, waves.pair_of_channel);
            proposals.push_back(std::move(proposal));
        }
    }
    return proposals;
}

}  // namespace pegen::recognition
