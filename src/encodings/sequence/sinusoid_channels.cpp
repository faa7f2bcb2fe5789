#include "encodings/sequence/sinusoid_channels.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/to_size.h"
#include "evidence/simple_number.h"
#include "evidence/spacing.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Sample;
using evidence::Setting;

/// Code in float32 has frequencies that are off by this share.
constexpr double float32_share = 0x1p-20;

/// Returns the mean and the unbiased deviation of the values behind rows of zeros.
Measured moments(const Sample& array, const SinusoidRows& rows) {
    double n = 0, sum = 0, squares = 0;
    const auto each = [&](const auto& use) {
        for (const std::int64_t row : rows.others) {
            if (rows.zero_row == row - rows.zeros_in_front) continue;
            for (std::int64_t c = 0; c < rows.channels; ++c) {
                use(array.values[to_size(row * rows.channels + c)]);
            }
        }
    };
    each([&](double value) {
        n += 1;
        sum += value;
    });
    const double mean = sum / n;
    each([&](double value) { squares += (value - mean) * (value - mean); });
    return {mean, std::sqrt(squares / (n - 1))};
}

/// The ratio of neighbouring frequencies with the error that float32 code makes.
Measured loosened(const Measured& log_ratio, std::int64_t pairs) {
    const double share = float32_share / static_cast<double>(std::max<std::int64_t>(pairs - 1, 1));
    return {log_ratio.value, std::max(2 * log_ratio.error, share)};
}

}  // namespace

std::vector<PricedSettings> finish_proposals(const Sample& array, const SinusoidRows& rows,
                                             const evidence::Circle& circle) {
    if (circle.offset.value != 0) {
        const auto [mean, deviation] = moments(array, rows);
        if (!(std::fabs(mean) < 0.2 * deviation)) return {};
        std::vector<PricedSettings> options;
        // The deviation was that of all rows, before one of them became zero.
        const double zeros = rows.zero_row || rows.zeros_in_front > 0
                                 ? 2 / static_cast<double>(rows.others.size())
                                 : 0;
        const double error = std::min(1e-3 + zeros, 0.5) / deviation;
        for (const auto& number : evidence::simple_numbers({1 / deviation, error}, 3)) {
            if (number.value > 0)
                options.push_back(priced("standardize", number.text, number.bits));
        }
        return options;
    }
    const auto d = static_cast<double>(rows.channels);
    const Measured amplitude{circle.radius.value,
                             // The largest values are all rounded alike.
                             std::max({circle.radius.error, float32_share * circle.radius.value / 4,
                                       array.error_of(circle.radius.value) / 2})};
    const auto is_near = [&](double value) {
        return std::fabs(amplitude.value - value) <= amplitude.error;
    };
    if (is_near(1)) return {{}};
    std::vector<PricedSettings> options;
    if (is_near(std::sqrt(d))) options.push_back(priced("out-scale", "sqrt(d)", 4));
    if (is_near(1 / std::sqrt(d))) options.push_back(priced("out-scale", "1/sqrt(d)", 4));
    if (is_near(std::sqrt(2 / d))) options.push_back(priced("out-scale", "sqrt(2/d)", 4));
    for (const auto& number : evidence::simple_numbers(amplitude, 2)) {
        options.push_back(priced("out-scale", number.text, 4 + number.bits));
    }
    if (options.size() > 2) options.resize(2);
    return options;
}

std::vector<PricedSettings> spacing_proposals(const std::optional<Measured>& log_ratio, double step,
                                              double width, std::int64_t pairs) {
    if (!log_ratio) return {{}};
    std::vector<PricedSettings> options;
    for (const Measured& ratio : {loosened(*log_ratio, pairs), *log_ratio}) {
        for (const evidence::Spacing& spacing : evidence::spacings(ratio, step, width, 4)) {
            PricedSettings settings{.bits = spacing.bits};
            if (spacing.base.value != 10000) {
                settings.settings.push_back({"base", spacing.base.text});
            }
            if (spacing.shift.value != 0) {
                settings.settings.push_back({"denom-shift", spacing.shift.text});
            }
            const bool is_new = std::ranges::none_of(options, [&](const PricedSettings& other) {
                return std::ranges::equal(other.settings, settings.settings,
                                          [](const Setting& a, const Setting& b) {
                                              return a.name == b.name && a.value == b.value;
                                          });
            });
            if (is_new) options.push_back(std::move(settings));
        }
    }
    std::ranges::stable_sort(options, {}, &PricedSettings::bits);
    // The last one has all digits that were measured.
    constexpr std::size_t most = 6;
    if (options.size() > most) options.erase(options.begin() + most - 1, options.end() - 1);
    return options;
}

std::vector<double> usual_log_ratios(double width) {
    std::vector<double> ratios;
    for (const double base : {10000.0, 100.0, 1000.0, 20.0, 500000.0, 1000000.0}) {
        for (const double shift : {0.0, 2.0, 1.0}) {
            if (width > shift) ratios.push_back(2 * std::log(base) / (width - shift));
        }
    }
    return ratios;
}

}  // namespace pegen::encodings
