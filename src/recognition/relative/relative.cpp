#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/relative/wave_proposals.h"

namespace pegen::recognition {

std::vector<Proposal> recognize_relative(const Sample& array) {
    if (array.rank() != 2 || array.extents[0] % 2 == 0 || array.extents[0] < 3) return {};
    std::vector<Proposal> proposals;
    for (DistanceWaves& waves : distance_waves_in(array)) {
        if (!waves.table.steps) continue;
        const auto& [start, step] = *waves.table.steps;
        const double middle =
            start.value + step.value * static_cast<double>(array.extents[0] - 1) / 2;
        if (!(std::fabs(middle) < 0.5)) continue;
        Proposal proposal{.settings = {{"len", fmt::format("{}", (array.extents[0] + 1) / 2)},
                                       {"d", fmt::format("{}", array.extents[1])},
                                       {"base", waves.base},
                                       {"layout", waves.has_halves ? "halves" : "interleaved"}}};
        if (waves.table.steps->step.value < 0) {
            proposal.settings.push_back({"order", "descending"});
        }
        proposal.angle = evidence::wave_angle(waves.table, 0, std::move(waves.pair_of_channel));
        proposals.push_back(std::move(proposal));
    }
    return proposals;
}

}  // namespace pegen::recognition
