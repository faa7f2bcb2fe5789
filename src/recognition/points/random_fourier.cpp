#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/names.h"
#include "encodings/points/random_fourier_presets.h"
#include "recognition/evidence/point_grid.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"

namespace pegen::recognition {
namespace {

/// The parameters for the extents of a grid; a grid of fewer axes has the last ones.
constexpr std::array<std::string_view, 3> extents{"depth", "height", "width"};

/// True if the array holds sines and cosines in halves: for each pair, the squares of a value in
/// the first half of a row and of its partner in the second half add up to 1.
bool has_halves(const Sample& sample) {
    const std::int64_t channels = sample.extents[1], frequencies = channels / 2;
    if (channels % 2 != 0) return false;
    for (std::int64_t row = 0; row < sample.leading; ++row) {
        for (std::int64_t k = 0; k < frequencies; ++k) {
            const double sine = sample.values[row * channels + k];
            const double cosine = sample.values[row * channels + frequencies + k];
            const double error = 2 * (sample.error_of(sine) + sample.error_of(cosine)) + 1e-9;
            if (!(std::fabs(sine * sine + cosine * cosine - 1) <= error)) return false;
        }
    }
    return true;
}

/// The settings of a preset, except its extents.
struct Convention {
    std::vector<Setting> settings;
    std::size_t axes = 0;  ///< number of axes of its grid
};

Convention convention_of(const PresetSpec& preset) {
    Convention convention;
    const std::vector<std::string_view> typed = words(preset.settings);
    for (std::size_t i = 0; i < typed.size(); ++i) {
        const std::string_view name = typed[i].substr(2);
        const bool is_flag = i + 1 == typed.size() || typed[i + 1].starts_with("--");
        const std::string_view value = is_flag ? "true" : typed[++i];
        if (std::ranges::find(extents, name) != extents.end()) {
            ++convention.axes;
        } else if (name != "d") {
            convention.settings.push_back({name, std::string(value)});
        }
    }
    return convention;
}

}  // namespace

/// Returns the proposals of the presets' matrices, on grids of any size, if sines and cosines are
/// in halves. Other drawn matrices are not recognized.
std::vector<Proposal> recognize_random_fourier(const Sample& sample) {
    constexpr std::int64_t most_points = 1 << 24;
    if (sample.rank() != 2 || sample.extents[0] > most_points || !has_halves(sample)) return {};
    std::vector<Proposal> proposals;
    for (const PresetSpec& preset : encodings::random_fourier_presets) {
        const Convention convention = convention_of(preset);
        for (const std::vector<std::int64_t>& grid :
             evidence::grids_of(sample.extents[0], convention.axes)) {
            Proposal proposal{.settings = convention.settings};
            proposal.settings.push_back({"d", std::to_string(sample.extents[1])});
            for (std::size_t axis = 0; axis < grid.size(); ++axis) {
                proposal.settings.push_back(
                    {extents[extents.size() - grid.size() + axis], std::to_string(grid[axis])});
            }
            proposals.push_back(std::move(proposal));
        }
    }
    return proposals;
}

}  // namespace pegen::recognition
