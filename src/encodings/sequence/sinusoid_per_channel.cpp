#include "encodings/sequence/sinusoid_per_channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "core/to_size.h"
#include "encodings/sequence/sinusoid_channels.h"
#include "encodings/sequence/sinusoid_lone_channels.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Sample;
using evidence::WaveTable;

/// What a --odd makes of channels that have a frequency each.
struct LoneChannels {
    LoneFunctions functions;
    std::string_view odd;  ///< "" for an even d
    std::int64_t filled;   ///< the channels behind these are zero
    std::int64_t d;
    std::int64_t width;  ///< the d of the formula

    bool is_half() const {
        return functions == LoneFunctions::sines || functions == LoneFunctions::cosines;
    }
    bool is_cos_first() const {
        return functions == LoneFunctions::cosines || functions == LoneFunctions::cos_sin;
    }
};

std::vector<LoneChannels> lone_channels(std::int64_t d) {
    std::vector<LoneChannels> choices;
    for (const LoneFunctions functions : {LoneFunctions::sin_cos, LoneFunctions::cos_sin}) {
        if (d % 2 == 0) {
            choices.push_back({functions, "", d, d, d});
        } else {
            choices.push_back({functions, "exact", d, d, d});
            choices.push_back({functions, "zero-pad", d - 1, d, d - 1});
            choices.push_back({functions, "round-up", d, d, d + 1});
        }
    }
    choices.push_back({LoneFunctions::sines, "", d, 2 * d, 2 * d});
    choices.push_back({LoneFunctions::cosines, "", d, 2 * d, 2 * d});
    return choices;
}

}  // namespace

void add_lone(std::vector<PricedProposal>& found, const Sample& array, const SinusoidRows& rows) {
    std::vector<std::int64_t> indices(to_size(rows.channels));
    std::iota(indices.begin(), indices.end(), 0);
    for (const LoneChannels& choice : lone_channels(rows.channels)) {
        PricedSettings common = priced("d", fmt::format("{}", choice.d), 0);
        common = joined(common, choice.is_half() ? priced("layout", "halves", 3)
                                                 : priced("pairing", "per-channel", 3));
        if (choice.is_cos_first()) common = joined(common, priced("first", "cos", 3));
        if (!choice.odd.empty()) common = joined(common, priced("odd", std::string(choice.odd), 3));
        for (const WaveTable& table : lone_channel_tables(
                 array, {rows.zeros_in_front, std::ssize(rows.others), rows.zero_row},
                 choice.filled, choice.functions)) {
            SinusoidWaves waves{.table = table, .pair_of_channel = indices, .channels = {}};
            if (choice.is_half()) waves.selected = indices;
            for (const PricedSettings& spacing :
                 spacing_proposals(table.log_ratio, choice.is_half() ? 2 : 1,
                                   static_cast<double>(choice.width), choice.filled)) {
                waves.channels.push_back(joined(common, spacing));
            }
            add_proposals(found, array, rows, waves);
        }
    }
}

void add_usual_per_channel(std::vector<PricedProposal>& found, const Sample& array,
                           const SinusoidRows& rows) {
    constexpr std::int64_t many_rows = 64;
    const bool is_bounded =
        std::ranges::all_of(array.values, [](double v) { return std::fabs(v) <= 1.01; });
    if (!is_bounded || rows.count > many_rows) return;
    const std::string_view odd = rows.channels % 2 == 0          ? "error"
                                 : has_constant_end(array, rows) ? "zero-pad"
                                                                 : "exact";
    const std::int64_t width = rows.channels - (odd == "zero-pad" ? 1 : 0);
    for (const double base : {1e4, 1e8}) {
        for (const std::int64_t shift : {0, 1, 2}) {
            if (shift >= width) continue;
            PricedSettings channels{.settings = {{"d", fmt::format("{}", rows.channels)},
                                                 {"pairing", "per-channel"},
                                                 {"base", fmt::format("{:.0f}", base)},
                                                 {"denom-shift", fmt::format("{}", shift)},
                                                 {"odd", std::string(odd)}}};
            for (const std::string_view first : {"sin", "cos"}) {
                for (const bool is_falling : {false, true}) {
                    for (const std::int64_t lowest : {0, 1, 2}) {
                        const std::int64_t last = lowest + std::ssize(rows.others) - 1;
                        const auto start = static_cast<double>(is_falling ? last : lowest);
                        const WaveTable table{
                            .circle = {{1, 1e-12}, {0, 0}},
                            .log_ratio =
                                Measured{std::log(base) / static_cast<double>(width - shift), 0},
                            .steps = evidence::WaveSteps{{start, 0}, {is_falling ? -1.0 : 1.0, 0}}};
                        std::vector<std::int64_t> indices(to_size(rows.channels));
                        std::iota(indices.begin(), indices.end(), 0);
                        add_proposals(found, array, rows,
                                      {.table = table,
                                       .pair_of_channel = std::move(indices),
                                       .channels = {joined(
                                           channels, priced("first", std::string(first), 3))}});
                    }
                }
            }
        }
    }
}

}  // namespace pegen::encodings
