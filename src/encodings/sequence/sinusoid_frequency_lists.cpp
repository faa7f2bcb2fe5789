#include "encodings/sequence/sinusoid_frequency_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "core/to_size.h"
#include "evidence/simple_number.h"
#include "evidence/spacing.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Proposal;

struct Progression {
    Measured first;
    Measured log_ratio;  ///< of a frequency to the next one
};

/// Returns the geometric progression of these positive numbers; none if their ratios differ.
std::optional<Progression> progression_of(const evidence::Sample& array, bool is_wavelengths) {
    const std::vector<double>& values = array.values;
    const auto n = static_cast<double>(values.size());
    const double turn = 2 * std::numbers::pi;
    if (!std::ranges::all_of(values, [](double v) { return v > 0 && std::isfinite(v); })) return {};
    const double share = 2 * array.error_of(values.front()) / values.front() + 0x1p-52;
    double x = 0, y = 0, xx = 0, xy = 0;
    const auto logarithm = [&](std::size_t i) {
        return std::log(is_wavelengths ? turn / values[i] : values[i]);
    };
    for (std::size_t i = 0; i < values.size(); ++i) {
        x += static_cast<double>(i);
        y += logarithm(i);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double off = static_cast<double>(i) - x / n;
        xx += off * off;
        xy += off * (logarithm(i) - y / n);
    }
    const double slope = xy / xx, height = (y - slope * x) / n;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double error =
            array.error_of(values[i]) / values[i] + 0x1p-51 * (1 + std::fabs(logarithm(i)));
        const double drift = array.precision.digits > 24 ? 0 : 0x1p-20;
        const double off = logarithm(i) - height - slope * static_cast<double>(i);
        if (std::fabs(off) > 2 * error + drift) return {};
    }
    const double first = is_wavelengths ? turn / values.front() : values.front();
    return Progression{{first, first * share},
                       {-slope, std::max(2 * share / std::sqrt(xx), 0x1p-46)}};
}

/// How many channels so many frequencies stand for.
struct Width {
    std::int64_t channels;
    std::int64_t width;  ///< the d of the formula
    double step;
    std::string_view setting;
    std::string_view value;
};

void add(std::vector<Proposal>& found, const Progression& progression, const Width& width,
         std::string_view table) {
    for (const evidence::Spacing& spacing : evidence::spacings(
             progression.log_ratio, width.step, static_cast<double>(width.width), 3)) {
        for (const auto& scale : evidence::simple_numbers(progression.first, 2)) {
            Proposal proposal{.table = table,
                              .settings = {{"d", fmt::format("{}", width.channels)}}};
            const auto set = [&](std::string_view name, std::string_view value) {
                proposal.settings.push_back({name, std::string(value)});
            };
            if (!width.setting.empty()) set(width.setting, width.value);
            if (width.setting == "pairing" && width.channels % 2 != 0) set("odd", "exact");
            if (spacing.base.value != 10000) set("base", spacing.base.text);
            if (spacing.shift.value != 0) set("denom-shift", spacing.shift.text);
            if (scale.value != 1) set("freq-scale", scale.text);
            found.push_back(std::move(proposal));
        }
    }
}

}  // namespace

std::vector<Proposal> sinusoid_frequency_lists(const evidence::Sample& array) {
    const std::int64_t n = array.extents[0];
    constexpr std::int64_t most_frequencies = std::int64_t{1} << 19;
    if (array.rank() != 1 || n < 3 || n > most_frequencies || std::ssize(array.values) != n) {
        return {};
    }
    std::vector<Proposal> found;
    for (const std::string_view table : {"frequencies", "wavelengths"}) {
        const auto progression = progression_of(array, table == "wavelengths");
        if (!progression || progression->log_ratio.value < 0) continue;
        for (const Width& width :
             {Width{2 * n, 2 * n, 2, "", ""}, Width{n, n, 1, "pairing", "per-channel"},
              Width{2 * n - 1, 2 * n - 1, 2, "odd", "exact"},
              Width{2 * n - 1, 2 * n, 2, "odd", "round-up"},
              Width{2 * n + 1, 2 * n, 2, "odd", "zero-pad"}}) {
            add(found, *progression, width, table);
        }
    }
    return found;
}

}  // namespace pegen::encodings
