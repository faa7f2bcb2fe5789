#include "encodings/sequence/sinusoid_proposals.h"

#include <algorithm>
#include <utility>

#include "encodings/channel_choice.h"
#include "encodings/sequence/sinusoid_channels.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Proposal;
using evidence::Sample;
using evidence::Setting;
using evidence::WaveTable;

/// Of the ways to say positions and frequencies, both are taken as far as their ranks, the cheapest
/// being 0, add up to this.
constexpr std::size_t most_ranks = 6;

WaveTable scaled(WaveTable table, double factor) {
    const auto scale = [=](Measured& m) { m = {m.value * factor, m.error * factor}; };
    if (table.steps) {
        scale(table.steps->start);
        scale(table.steps->step);
    }
    for (Measured& position : table.positions) scale(position);
    return table;
}

bool has_list(const Proposal& proposal) {
    return std::ranges::find(proposal.settings, "positions", &evidence::Setting::name) !=
           proposal.settings.end();
}

bool are_same(const Proposal& a, const Proposal& b) {
    const auto is_same = [](const Setting& x, const Setting& y) {
        return x.name == y.name && x.value == y.value;
    };
    return std::ranges::equal(a.settings, b.settings, is_same);
}

}  // namespace

void add_proposals(std::vector<PricedProposal>& found, const Sample& array,
                   const SinusoidRows& rows, const SinusoidWaves& waves) {
    const std::vector<PricedSettings> finish = finish_proposals(array, rows, waves.table.circle);
    if (finish.empty() || waves.channels.empty()) return;
    const std::vector<PricedSettings> positions =
        row_proposals(scaled(waves.table, waves.first_angle), rows);
    const auto angle =
        evidence::wave_angle(waves.table, rows.zeros_in_front, waves.pair_of_channel);
    const auto of_vector = [angle](std::int64_t channel, std::int64_t) {
        return angle(0, channel);
    };
    for (std::size_t i = 0; i < waves.channels.size(); ++i) {
        for (std::size_t k = 0; k < positions.size() && i + k <= most_ranks; ++k) {
            for (const PricedSettings& last : finish) {
                PricedSettings all = joined(joined(positions[k], waves.channels[i]), last);
                if (!waves.selected.empty()) {
                    all.settings.push_back({"keep-channels", channels_text(waves.selected)});
                }
                found.push_back(
                    {{.settings = all.settings, .angle = array.rank() == 1 ? of_vector : angle},
                     all.bits + (waves.selected.empty() ? 0 : 12)});
            }
        }
    }
}

std::vector<Proposal> cheapest(std::vector<PricedProposal> found, std::size_t most) {
    std::ranges::stable_sort(found, {}, &PricedProposal::bits);
    constexpr double too_dear = 80;  // bits
    // Rows may have nearly equal distances, and be a list, which costs much more.
    constexpr std::size_t most_lists = 2;
    std::size_t lists = 0;
    std::vector<Proposal> proposals;
    for (PricedProposal& priced : found) {
        if (proposals.size() == most) break;
        if (priced.bits > found.front().bits + too_dear &&
            (!has_list(priced.proposal) || ++lists > most_lists)) {
            continue;
        }
        const bool is_new = std::ranges::none_of(
            proposals, [&](const Proposal& other) { return are_same(other, priced.proposal); });
        if (is_new) proposals.push_back(std::move(priced.proposal));
    }
    return proposals;
}

}  // namespace pegen::encodings
