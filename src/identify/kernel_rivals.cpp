#include "identify/kernel_rivals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "identify/frequency_model.h"

namespace pegen::identify {
namespace {

/// Returns a kernel of a base with Llama 3's scaling as well; none if it has a scaling. That slows
/// down the slow pairs alone, which a few positions in a coarse format may not show.
std::optional<RotaryKernel> with_llama3(RotaryKernel kernel) {
    const bool is_plain =
        !kernel.frequency_format &&
        std::ranges::all_of(kernel.settings, [](const evidence::Setting& setting) {
            return setting.name == "base";
        });
    if (!is_plain) return {};
    kernel.settings.insert(
        kernel.settings.end(),
        {{"scaling", "llama3"}, {"factor", "8"}, {"original-max-position-embeddings", "8192"}});
    kernel.frequencies = frequencies_of(kernel.settings, kernel.convention.dim);
    return kernel;
}

/// Returns a scaled kernel whose model was trained with twice and with half as many positions: that
/// moves the pairs between those that are scaled and those that are not.
std::vector<RotaryKernel> with_other_lengths(const RotaryKernel& kernel) {
    std::vector<RotaryKernel> others;
    for (std::size_t i = 0; i < kernel.settings.size(); ++i) {
        if (kernel.settings[i].name != "original-max-position-embeddings") continue;
        const std::int64_t length = std::stoll(kernel.settings[i].value);
        for (const std::int64_t other : {2 * length, length / 2}) {
            others.push_back(kernel);
            others.back().settings[i].value = fmt::format("{}", other);
            others.back().frequencies =
                frequencies_of(others.back().settings, kernel.convention.dim);
            if (others.back().frequencies.empty()) others.pop_back();
        }
    }
    return others;
}

}  // namespace

bool turn_alike(const RotaryKernel& a, const RotaryKernel& b) {
    const auto are_near = [](double p, double q) {
        return std::fabs(p - q) <= 1e-9 * std::max(std::fabs(p), std::fabs(q));
    };
    const double sign = a.is_inverse == b.is_inverse ? 1 : -1;
    const Positions first = a.positions(2), second = b.positions(2);
    const std::int64_t rows = std::min(first.size(), second.size());
    if (terms_of(a.convention) != terms_of(b.convention) || first.size() != second.size()) {
        return false;
    }
    for (std::size_t m = 0; m < a.frequencies.size(); ++m) {
        for (std::int64_t row = 0; row < rows; ++row) {
            if (!are_near(a.frequencies[m] * first[row], sign * b.frequencies[m] * second[row])) {
                return false;
            }
        }
    }
    return true;
}

std::vector<RotaryFinding> rivals_of(const RotaryFinding& best,
                                     const std::vector<RotaryFinding>& agreeing) {
    constexpr double close = 3, close_of_other_pairs = 16, close_to_known = 40;  // bits
    std::vector<RotaryFinding> rivals;
    for (const RotaryFinding& other : agreeing) {
        const RotaryKernel &a = best.kernel, &b = other.kernel;
        if (turn_alike(a, b)) continue;
        const bool is_usual = b.has_known_frequencies && a.start == b.start && a.step == b.step;
        // Pairs that hardly turn do not show whether they are rotated at all.
        const bool has_other_pairs = a.convention.dim != b.convention.dim;
        const double most = is_usual          ? close_to_known
                            : has_other_pairs ? close_of_other_pairs
                                              : close;
        if (b.bits - a.bits <= most) rivals.push_back(other);
    }
    std::vector<RotaryKernel> others = with_other_lengths(best.kernel);
    if (const auto scaled = with_llama3(best.kernel)) others.push_back(*scaled);
    for (const RotaryKernel& other : others) {
        const bool is_named = std::ranges::any_of(
            rivals, [&](const RotaryFinding& rival) { return turn_alike(rival.kernel, other); });
        if (!is_named && !turn_alike(best.kernel, other)) rivals.push_back({other, {}});
    }
    return rivals;
}

}  // namespace pegen::identify
