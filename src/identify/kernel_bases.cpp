#include "identify/kernel_bases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/number.h"
#include "encodings/rotary/frequency_fit.h"

namespace pegen::identify {
namespace {

using evidence::Measured;
using evidence::SimpleNumber;

constexpr double rough_error = 2e-3;

/// A number that stands in the place of the rotary dimension in the exponent.
struct Denominator {
    double value;
    std::string finding;
};

std::vector<Denominator> denominators(std::int64_t dim, std::int64_t channels) {
    const auto r = static_cast<double>(dim);
    std::vector<Denominator> all{{r, ""}};
    const auto sentence = [&](std::string_view what) {
        return fmt::format(
            "The exponent of the frequencies is divided by {}, not by {}, the "
            "number of rotated channels.",
            what, dim);
    };
    if (channels != dim) {
        all.push_back({static_cast<double>(channels),
                       sentence(fmt::format("{}, the channels of a head", channels))});
    }
    if (dim > 4) {
        all.push_back({r - 2, sentence(fmt::format("{}", dim - 2))});
        all.push_back({r - 1, sentence(fmt::format("{}", dim - 1))});
    }
    all.push_back({2 * r, sentence(fmt::format("{}", 2 * dim))});
    return all;
}

/// Says of which usual base and other number of channels the same frequencies are.
void add_hint(FrequencyModel& model, double base, std::int64_t dim, std::int64_t channels) {
    constexpr std::array usual{10000.0, 500000.0, 1000000.0};
    if (std::ranges::find(usual, base) != usual.end()) return;
    for (const std::int64_t other : {channels, 2 * dim}) {
        const double share = static_cast<double>(other) / static_cast<double>(dim);
        const double same = std::pow(base, share);
        const auto found = std::ranges::find_if(
            usual, [&](double number) { return std::fabs(same - number) < 1e-9 * number; });
        if (other == dim || found == usual.end()) continue;
        model.findings.push_back(
            fmt::format("Base {} of {} channels has the first frequencies of base {} of {}.",
                        shortest(base), dim, shortest(*found), other));
        return;
    }
}

/// Returns what is to be paid for a base that is far from those of models.
double bits_of_size(double base) {
    constexpr double usual = 5, farthest = 3, bits_of_decade = 4;
    return bits_of_decade * std::max(std::fabs(std::log10(base) - usual) - farthest, 0.0);
}

FrequencyModel with_base(const SimpleNumber& base, double relative_error,
                         const Denominator& denominator, std::int64_t dim, std::int64_t channels) {
    const double own = static_cast<double>(dim) / denominator.value;
    const double value = own == 1 ? base.value : std::pow(base.value, own);
    FrequencyModel model{.settings = {}, .frequencies = {}, .bits = base.bits};
    model.bits += bits_of_size(base.value);
    // Another divisor and a usual base come near any base that is measured roughly.
    const bool may_be_another = own != 1 && is_rough(relative_error);
    if (may_be_another || is_doubtful(base, relative_error)) {
        model.doubts.push_back("--base " + shortest(value));
    }
    if (own != 1) model.bits += 8;
    if (value != 10000) model.settings.push_back({"base", shortest(value)});
    if (!denominator.finding.empty()) {
        model.findings.push_back(denominator.finding);
        model.findings.push_back(fmt::format("Base {} of {} channels is {} of {}.",
                                             shortest(base.value), denominator.value,
                                             shortest(value), dim));
    }
    if (own == 1) add_hint(model, value, dim, channels);
    model.frequencies = frequencies_of(model.settings, dim);
    return model;
}

/// Adds the same frequencies as NTK-aware scaling of a usual base, if its factor is simple.
void add_stretched(std::vector<FrequencyModel>& models, const Measured& base, std::int64_t dim) {
    const double exponent = (static_cast<double>(dim) - 2) / static_cast<double>(dim);
    if (dim <= 2) return;
    for (const double original : {10000.0, 500000.0, 1000000.0}) {
        const double factor = std::pow(base.value / original, exponent);
        if (factor < 1.01 || factor > 1024) continue;
        const Measured measured{factor, exponent * factor * base.error / base.value};
        const std::vector<SimpleNumber> simple = evidence::simple_numbers(measured, 1);
        if (simple.empty() || simple.front().bits > 12) continue;
        FrequencyModel model{.settings = {}, .frequencies = {}, .bits = 8 + simple.front().bits};
        if (original != 10000) model.settings.push_back({"base", shortest(original)});
        model.settings.push_back({"scaling", "ntk"});
        model.settings.push_back({"factor", simple.front().text});
        const double relative_error = measured.error / factor;
        // Another factor of another base comes near any base that is measured roughly.
        if (is_rough(relative_error) || is_doubtful(simple.front(), relative_error)) {
            model.doubts.push_back("--factor " + simple.front().text);
        }
        model.frequencies = frequencies_of(model.settings, dim);
        models.push_back(std::move(model));
    }
}

/// Returns how many digits of a decimal say something: 1 for 10000, 3 for 0.707.
std::ptrdiff_t digits_of(std::string text) {
    text.resize(std::min(text.find('e'), text.size()));
    std::erase_if(text, [](char c) { return c < '0' || c > '9'; });
    const std::size_t first = text.find_first_not_of('0'), last = text.find_last_not_of('0');
    return first == std::string::npos ? 0 : static_cast<std::ptrdiff_t>(last - first) + 1;
}

}  // namespace

bool is_rough(double relative_error) { return relative_error > rough_error; }

bool is_doubtful(const SimpleNumber& number, double relative_error) {
    constexpr std::ptrdiff_t most_digits = 4;
    const auto has = [&](std::span<const double> usual) {
        return std::ranges::find(usual, number.value) != usual.end();
    };
    if (has(encodings::known_bases()) || has(encodings::known_factors())) return false;
    // How many numbers of as many digits, at most, are within the error.
    const std::ptrdiff_t digits = digits_of(number.text);
    const double near = relative_error * std::pow(10, digits);
    return digits > most_digits || near > 10 * rough_error;
}

FrequencyModel with_step(FrequencyModel model, const SimpleNumber& step, const Measured& measured,
                         std::int64_t dim) {
    const double factor = 1 / step.value;
    const double second = model.frequencies.size() > 1 ? model.frequencies[1] : 0;
    if (model.settings.size() < 2 && std::fabs(step.value - second) < 1e-3 * second) {
        model.findings.emplace_back(
            "The frequencies begin with base^(-2/r), not with 1: m counts from 1 in the exponent.");
        model.bits += 8;
        model.step = second;
        return model;
    }
    const bool is_scaled = std::ranges::find(model.settings, "scaling", &evidence::Setting::name) !=
                           model.settings.end();
    model.bits += 3 + step.bits;
    const double relative_error = measured.error / measured.value;
    if (is_scaled || factor < 2 || std::rint(factor) != factor) {
        model.step = step.value;
        if (std::rint(step.value) != step.value && is_doubtful(step, relative_error)) {
            model.doubts.push_back("--step " + step.text);
        }
        return model;
    }
    model.settings.push_back({"scaling", "linear"});
    model.settings.push_back({"factor", shortest(factor)});
    if (is_doubtful({shortest(factor), factor, 0}, relative_error)) {
        model.doubts.push_back("--factor " + shortest(factor));
    }
    model.frequencies = frequencies_of(model.settings, dim);
    return model;
}

std::vector<FrequencyModel> geometric_models(const Line& line, std::int64_t dim,
                                             std::int64_t channels) {
    std::vector<FrequencyModel> models;
    for (const Denominator& denominator : denominators(dim, channels)) {
        const double half = denominator.value / 2;
        const double base = std::exp(half * line.slope.value);
        const Measured measured{base, base * half * line.slope.error};
        if (!std::isfinite(base) || !std::isfinite(measured.error) || !(base > 0)) continue;
        for (const SimpleNumber& number : evidence::simple_numbers(measured, 6)) {
            if (!(number.value > 0)) continue;
            models.push_back(with_base(number, measured.error / base, denominator, dim, channels));
        }
        if (denominator.finding.empty()) add_stretched(models, measured, dim);
    }
    return models;
}

}  // namespace pegen::identify
