#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "recognition/evidence/point_grid.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"

namespace pegen::recognition {
namespace {

/// Returns a proposal for each image with this number of tokens, with these settings.
std::vector<Proposal> with_images(std::int64_t tokens, const char* table,
                                  const std::vector<Setting>& settings) {
    std::vector<Proposal> proposals;
    for (const std::vector<std::int64_t>& grid : evidence::grids_of(tokens, 2, 1)) {
        Proposal proposal{
            .table = table,
            .settings = {{"height", std::to_string(grid[0])}, {"width", std::to_string(grid[1])}}};
        append(proposal.settings, settings);
        proposals.push_back(std::move(proposal));
    }
    return proposals;
}

}  // namespace

/// Returns the proposals for an array as offsets, or as scores, whose strength is in the score of
/// the first query and its neighbour: -sqrt(heads) times it.
std::vector<Proposal> recognize_gpsa(const Sample& sample) {
    if (sample.rank() < 2 || sample.values.size() < 6 || sample.values[0] != 0) return {};
    const std::int64_t last = sample.extents.back(), before = sample.extents[sample.rank() - 2];
    const std::int64_t heads = sample.rank() == 3 ? sample.extents[0] : 1;
    if (heads == before && last == 3 && sample.values[5] == 1) {
        return with_images(before, "offsets", {});
    }
    const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(heads)));
    if (side * side != heads || before != last || !(sample.values[1] < 0)) return {};
    const auto divisor = static_cast<double>(side);
    std::vector<Proposal> proposals;
    for (const SimpleNumber& strength : evidence::simple_numbers(
             {-sample.values[1] / divisor, sample.error_of(sample.values[1]) / divisor}, 2)) {
        std::vector<Setting> settings{{"heads", std::to_string(heads)}};
        if (strength.value != 1) settings.push_back({"locality-strength", strength.text});
        std::ranges::move(with_images(last, "scores", settings), std::back_inserter(proposals));
    }
    return proposals;
}

}  // namespace pegen::recognition
