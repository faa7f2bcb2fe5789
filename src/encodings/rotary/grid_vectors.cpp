#include "encodings/rotary/grid_vectors.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

#include "core/to_size.h"
#include "encodings/rotary/grid_spectrum.h"
#include "encodings/rotary/usual_spectra.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Proposal;
using evidence::Sample;

using Measurements = std::vector<Measured>;

Measurements frequencies_in(const Sample& array, bool are_wavelengths) {
    Measurements frequencies;
    for (const double value : array.values) {
        const double error = array.error_of(value);
        if (!are_wavelengths) {
            frequencies.push_back({value, error});
        } else {
            const double frequency = 2 * std::numbers::pi / value;
            frequencies.push_back({frequency, frequency * error / value});
        }
    }
    return frequencies;
}

/// Returns the blocks of two and three axes: equal ones, and those that begin with the frequency
/// of the first pair.
std::vector<Blocks> blocks_in(const Measurements& frequencies) {
    const std::int64_t count = std::ssize(frequencies);
    std::vector<Blocks> found;
    Blocks seen{"", {}};
    for (const Measured& frequency : frequencies) {
        const Measured& first = frequencies.front();
        const bool is_first = std::fabs(frequency.value - first.value) <= 2 * first.error;
        if (seen.pairs.empty() || is_first) seen.pairs.push_back(0);
        ++seen.pairs.back();
    }
    for (const std::string_view axes : {"yx", "tyx"}) {
        const std::int64_t blocks = std::ssize(axes);
        const Blocks equal{std::string(axes), std::vector(axes.size(), count / blocks)};
        if (count % blocks == 0) found.push_back(equal);
        if (seen.pairs.size() != axes.size() || seen.pairs == equal.pairs) continue;
        seen.axes = axes;
        found.push_back(seen);
    }
    return found;
}

/// Returns the spectra of usual numbers or, if there are none, of fitted ones.
std::vector<RopeSettings> spectra_of(const Blocks& blocks, const Measurements& frequencies,
                                     bool is_noisy) {
    std::vector<RopeSettings> found;
    for (const double units : {1.01, 8.0}) {
        const auto may_turn = [&](std::int64_t pair, double frequency) {
            const Measured& shown = frequencies[to_size(pair)];
            return std::fabs(frequency - shown.value) <= units * shown.error + 0x1p-50 * frequency;
        };
        for (GridSpectrum& spectrum : usual_spectra({blocks, {}, may_turn, is_noisy})) {
            found.push_back(std::move(spectrum.settings));
        }
        if (!found.empty()) return found;
    }
    std::vector<AxisTurning> axes;
    for (std::size_t rank = 0; rank < blocks.axes.size(); ++rank) {
        const auto first = frequencies.begin() + blocks.first(rank);
        axes.push_back({blocks.axes[rank], 1, {first, first + blocks.pairs[rank]}});
    }
    return grid_settings(axes);
}

bool has(const RopeSettings& settings, std::string_view name, std::string_view value = "") {
    return std::ranges::any_of(settings.settings, [=](const evidence::Setting& setting) {
        return setting.name == name && (value.empty() || setting.value == value);
    });
}

void add_vectors(std::vector<Proposal>& proposals, std::string_view table,
                 const Measurements& frequencies, bool is_noisy) {
    for (const Blocks& blocks : blocks_in(frequencies)) {
        for (const RopeSettings& settings : spectra_of(blocks, frequencies, is_noisy)) {
            // Coordinates do not count here, and one spectrum in sections is rope's.
            const bool is_rope = has(settings, "spectrum", "sections");
            if (has(settings, "ref-extent") || (is_rope && !has(settings, "freq-scale"))) continue;
            Proposal proposal{.table = table, .settings = settings.settings};
            if (blocks.axes == "tyx") proposal.settings.push_back({"depth", "1"});
            proposal.settings.push_back({"d", std::to_string(2 * blocks.count())});
            const std::string split = blocks.split(blocks.axes);
            if (!split.empty()) proposal.settings.push_back({"split", split});
            proposals.push_back(std::move(proposal));
        }
    }
}

}  // namespace

std::vector<Proposal> recognize_grid_frequencies(const Sample& array) {
    std::vector<Proposal> proposals;
    constexpr std::int64_t fewest = 4, most = 1024;
    const std::int64_t count = array.leading;
    const bool is_positive = std::ranges::all_of(
        array.values, [](double value) { return value > 0 && std::isfinite(value); });
    if (count != array.extents[0] || count < fewest || count > most || !is_positive) {
        return proposals;
    }
    add_vectors(proposals, "inv-freq", frequencies_in(array, false), array.noise > 0);
    add_vectors(proposals, "wavelengths", frequencies_in(array, true), array.noise > 0);
    return proposals;
}

}  // namespace pegen::encodings
