#include "identify/kernel_frequencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/number.h"
#include "encodings/rotary/frequency_fit.h"
#include "encodings/rotary/frequency_settings.h"
#include "identify/geometric_steps.h"
#include "identify/kernel_bases.h"
#include "identify/kernel_steps.h"
#include "identify/rotary_kernel.h"

namespace pegen::identify {
namespace {

using evidence::Measured;
using evidence::Setting;
using evidence::SimpleNumber;

double tolerance(const Measured& step, double angle) {
    return 4 * step.error + float32_share * std::fabs(angle);
}

bool are_consistent(std::span<const Measured> steps, const FrequencyModel& model) {
    std::size_t known = 0, misses = 0;
    for (std::size_t m = 0; m < steps.size(); ++m) {
        if (!(steps[m].error < 0.25)) continue;
        ++known;
        const double angle = model.step * model.frequencies[m];
        if (std::fabs(wrapped(steps[m].value - angle)) > tolerance(steps[m], angle)) ++misses;
    }
    // A pair or two may be spoiled, which the comparison of the whole arrays will show.
    return known > 0 && misses * 16 <= known;
}

/// Returns by how much the frequencies must be multiplied to be the steps.
std::optional<Measured> scale_of(std::span<const Measured> steps, const FrequencyModel& model,
                                 std::size_t begin) {
    double weights = 0, sum = 0;
    for (std::size_t m = begin; m < steps.size(); ++m) {
        const double frequency = model.frequencies[m];
        const auto [value, error] = steps[m];
        if (!(value > 8 * error) || !(frequency > 0)) continue;
        const double relative = error / value + float32_share / 4;
        const double weight = 1 / (relative * relative);
        weights += weight;
        sum += weight * value / frequency;
    }
    if (weights == 0) return {};
    const double scale = sum / weights;
    return Measured{scale, 4 * scale / std::sqrt(weights)};
}

/// Adds the model with frequencies rounded to a half precision, as in a model cast as a whole.
void add_rounded(std::vector<FrequencyModel>& models, const FrequencyModel& exact) {
    for (const DType format : {DType::bfloat16, DType::float16}) {
        FrequencyModel model = exact;
        model.format = format;
        model.bits += 6;
        model.is_known = false;
        for (double& frequency : model.frequencies) frequency = rounded(frequency, format);
        models.push_back(std::move(model));
    }
}

/// Returns the base and the factor among the settings if they may as well be other numbers.
std::vector<std::string> doubts_of(const std::vector<Setting>& settings, double relative_error) {
    // A factor of NTK-aware scaling is another one of another base.
    const bool is_ntk =
        std::ranges::find(settings, "ntk", &evidence::Setting::value) != settings.end();
    std::vector<std::string> doubts;
    for (const auto& [name, value] : settings) {
        if (name != "base" && name != "factor") continue;
        const SimpleNumber number{value, parse_real(value, name), 0};
        const bool may_be_another = is_ntk && name == "factor" && is_rough(relative_error);
        if (may_be_another || is_doubtful(number, relative_error))
            doubts.push_back(fmt::format("--{} {}", name, value));
    }
    return doubts;
}

/// Returns the models of all scaling types, of rows that are `step` positions apart.
std::vector<FrequencyModel> scaled_models(std::span<const Measured> steps, double step) {
    const std::optional<Line> line = line_of(steps, 0);
    const double error_of_base = line ? static_cast<double>(steps.size()) * line->slope.error : 0;
    constexpr double unknown = 16;  // beyond any frequency
    encodings::ShownTurning shown;
    for (const Measured& angle : steps) {
        const double error = 2 * angle.error + float32_share * std::fabs(angle.value);
        shown.frequencies.push_back({angle.value / step, std::min(error / step, unknown)});
    }
    std::vector<FrequencyModel> models;
    for (const encodings::RopeSettings& found : encodings::rope_settings(shown)) {
        FrequencyModel model{.settings = found.settings, .frequencies = {}, .bits = found.bits};
        std::erase_if(model.settings, [](const Setting& setting) { return setting.name == "d"; });
        model.frequencies = frequencies_of(model.settings, 2 * std::ssize(steps));
        model.doubts = doubts_of(model.settings, error_of_base);
        model.step = step;
        models.push_back(std::move(model));
    }
    return models;
}

/// Returns how many positions rows are apart by the fastest pair, which most scalings leave alone;
/// 1 if it does not say.
double step_of(std::span<const Measured> steps) {
    const auto [angle, error] = steps.front();
    const double whole = std::rint(angle);
    return whole > 1 && std::fabs(angle - whole) <= 4 * error + float32_share * whole ? whole : 1;
}

/// Returns the usual factor of YaRN whose attention factor is nearest; none if none is within the
/// error.
std::optional<double> yarn_factor(const Measured& attention) {
    const auto off = [&](double factor) {
        return std::fabs(0.1 * std::log(factor) + 1 - attention.value);
    };
    const double nearest = *std::ranges::min_element(encodings::known_factors(), {}, off);
    return off(nearest) <= attention.error ? std::optional(nearest) : std::nullopt;
}

/// Returns the models of YaRN by the factor that makes this attention factor. At few positions, or
/// in a coarse format, the frequencies alone look like those of a base.
std::vector<FrequencyModel> yarn_models(std::int64_t dim, const Measured& attention) {
    constexpr std::size_t usual_bases = 8;
    constexpr std::array lengths{"4096", "8192", "32768", "2048", "16384", "65536"};
    constexpr double bits = 16;
    const std::optional<double> factor = yarn_factor(attention);
    std::vector<FrequencyModel> models;
    if (!factor) return models;
    for (const double base : encodings::known_bases().first(usual_bases)) {
        for (const char* const length : lengths) {
            FrequencyModel model{.settings = {}, .frequencies = {}, .bits = bits};
            if (base != 10000) model.settings.push_back({"base", shortest(base)});
            model.settings.push_back({"scaling", "yarn"});
            model.settings.push_back({"factor", shortest(*factor)});
            model.settings.push_back({"original-max-position-embeddings", length});
            model.frequencies = frequencies_of(model.settings, dim);
            models.push_back(std::move(model));
        }
    }
    return models;
}

/// Adds, to those that agree with the steps, `model` with the simplest steps from row to row.
void add_consistent(std::vector<FrequencyModel>& agreeing, const FrequencyModel& model,
                    std::span<const Measured> steps, std::size_t begin) {
    if (model.frequencies.size() != steps.size()) return;
    if (are_consistent(steps, model)) {
        agreeing.push_back(model);
        return;
    }
    const std::optional<Measured> scale = scale_of(steps, model, begin);
    if (!scale) return;
    for (const SimpleNumber& step : evidence::simple_numbers(*scale, 3)) {
        if (!(step.value > 0)) continue;
        FrequencyModel scaled = with_step(model, step, *scale, 2 * std::ssize(steps));
        if (are_consistent(steps, scaled)) agreeing.push_back(std::move(scaled));
    }
}

/// Returns each model once, cheapest first: those with the same frequencies are one.
std::vector<FrequencyModel> distinct(std::vector<FrequencyModel> models) {
    std::vector<FrequencyModel> different;
    for (FrequencyModel& model : models) {
        const auto same = std::ranges::find_if(different, [&](const FrequencyModel& other) {
            return other.frequencies == model.frequencies && other.step == model.step;
        });
        if (same == different.end()) {
            different.push_back(std::move(model));
        } else if (model.is_known && !same->is_known) {
            // What a preset calls it, for what the other costs.
            model.bits = same->bits;
            *same = std::move(model);
        }
    }
    return different;
}

}  // namespace

std::vector<FrequencyModel> models_with_steps(std::span<const Measured> steps,
                                              const Measured& factor, std::int64_t channels,
                                              KnownModels& all_known) {
    const std::int64_t dim = 2 * std::ssize(steps);
    const std::vector<FrequencyModel>& known = all_known.of(dim);
    std::vector<FrequencyModel> agreeing;
    for (const FrequencyModel& model : known) add_consistent(agreeing, model, steps, 0);
    // Steps of more than half a turn are wrapped; slower pairs are not.
    for (const std::size_t begin : {std::size_t{0}, steps.size() / 2, steps.size() * 3 / 4}) {
        const std::optional<Line> line = line_of(steps, begin);
        if (!line) continue;
        const std::size_t before = agreeing.size();
        for (const FrequencyModel& model : geometric_models(*line, dim, channels)) {
            add_consistent(agreeing, model, steps, begin);
        }
        if (agreeing.size() > before) break;
    }
    std::vector<FrequencyModel> coarse;
    for (const FrequencyModel& model : known) add_rounded(coarse, model);
    for (const FrequencyModel& model : coarse) {
        if (are_consistent(steps, model)) agreeing.push_back(model);
    }
    for (const FrequencyModel& model : scaled_models(steps, step_of(steps))) {
        add_consistent(agreeing, model, steps, 0);
    }
    for (const FrequencyModel& model : yarn_models(dim, factor)) {
        if (are_consistent(steps, model)) agreeing.push_back(model);
    }
    std::ranges::stable_sort(agreeing, {}, &FrequencyModel::bits);
    return distinct(std::move(agreeing));
}

}  // namespace pegen::identify
