#include "identify/kernel_rivals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>

#include "identify/frequency_model.h"

namespace pegen::identify {
namespace {

/// Returns the kernel with its base and each usual scaling that slows down the slow pairs alone,
/// which a few positions in a coarse format may not show.
std::vector<RotaryKernel> with_slower_pairs(const RotaryKernel& kernel) {
    if (kernel.rounds()) return {};
    using Settings = std::vector<evidence::Setting>;
    const auto llama3 = [](const char* factor) {
        return Settings{{"scaling", "llama3"},
                        {"factor", factor},
                        {"original-max-position-embeddings", "8192"}};
    };
    const auto proportional = [](const char* part) {
        return Settings{{"scaling", "proportional"}, {"partial-rotary-factor", part}};
    };
    Settings base = kernel.settings;
    std::erase_if(base, [](const evidence::Setting& setting) { return setting.name != "base"; });
    std::vector<RotaryKernel> others;
    for (const Settings& scaling : {llama3("8"), llama3("32"), proportional("0.75"),
                                    proportional("0.5"), proportional("0.25")}) {
        others.push_back(kernel);
        others.back().settings = base;
        others.back().settings.insert(others.back().settings.end(), scaling.begin(), scaling.end());
    }
    return others;
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
        }
    }
    return others;
}

/// Returns the kernel that rounds angles in the place of frequencies, or the other way round: at a
/// few positions both may be the same.
std::vector<RotaryKernel> with_other_rounding(const RotaryKernel& kernel) {
    if (kernel.frequency_format.has_value() == kernel.angle_format.has_value()) return {};
    RotaryKernel other = kernel;
    std::swap(other.frequency_format, other.angle_format);
    other.frequencies = frequencies_of(kernel.settings, kernel.convention.dim);
    if (other.frequency_format) {
        for (double& frequency : other.frequencies) {
            frequency = rounded(frequency, *other.frequency_format);
        }
    }
    return {other};
}

}  // namespace

bool turn_alike(const RotaryKernel& a, const RotaryKernel& b) {
    const auto are_near = [](double p, double q) {
        return std::fabs(p - q) <= 1e-9 * std::max(std::fabs(p), std::fabs(q));
    };
    const double sign = a.is_inverse == b.is_inverse ? 1 : -1;
    const Positions first = a.positions(2), second = b.positions(2);
    const std::int64_t rows = std::min(first.size(), second.size());
    if (terms_of(a.convention) != terms_of(b.convention) || first.size() != second.size() ||
        a.angle_format != b.angle_format) {
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
    std::vector<RotaryKernel> others;
    if (!best.kernel.rounds()) others = with_other_lengths(best.kernel);
    std::ranges::move(with_slower_pairs(best.kernel), std::back_inserter(others));
    for (RotaryKernel& other : others) {
        other.frequencies = frequencies_of(other.settings, other.convention.dim);
        if (other.frequencies.empty() || turn_alike(best.kernel, other)) continue;
        const bool is_named = std::ranges::any_of(
            rivals, [&](const RotaryFinding& rival) { return turn_alike(rival.kernel, other); });
        if (!is_named) rivals.push_back({other, {}});
    }
    for (RotaryKernel& other : with_other_rounding(best.kernel)) rivals.push_back({other, {}});
    return rivals;
}

}  // namespace pegen::identify
