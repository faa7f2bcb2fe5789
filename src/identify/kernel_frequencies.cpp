#include "identify/kernel_frequencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/element.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "core/to_size.h"
#include "encodings/registry.h"
#include "encodings/rotary/frequency_settings.h"
#include "identify/geometric_steps.h"
#include "identify/kernel_steps.h"

namespace pegen::identify {
namespace {

using evidence::Measured;
using evidence::Setting;
using evidence::SimpleNumber;
using Settings = std::vector<Setting>;

const Encoding& rope() { return *find_encoding("rope"); }

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

std::vector<double> frequencies_of(const Settings& settings, std::int64_t dim) {
    try {
        const Table table = make_table(rope(), *find_table(rope(), "inv-freq"),
                                       rope_parameters(settings, dim), DType::float64);
        return read_rows(table, {0, table.shape.rows()});
    } catch (const UsageError&) {
        return {};
    }
}

/// Returns the settings of a preset that its frequencies depend on.
Settings frequency_settings(const Preset& preset) {
    constexpr std::array<std::string_view, 7> others{
        "d", "rotary-dim", "partial-rotary-factor", "pairing", "layout", "len", "config"};
    const Parameters parameters = parameters_of(preset);
    Settings settings;
    for (const Parameters::Entry& entry : parameters.entries()) {
        if (entry.origin == Origin::specification ||
            std::ranges::find(others, entry.spec->name) != others.end()) {
            continue;
        }
        settings.push_back({entry.spec->name, to_string(entry)});
    }
    return settings;
}

double bits_of(const Settings& settings) {
    double bits = 0;
    for (const Setting& setting : settings) bits += 3 + evidence::bits_of_number(setting.value);
    return bits;
}

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

/// Returns the model with steps of `step` positions: with linear scaling if that is usual.
FrequencyModel with_step(FrequencyModel model, const SimpleNumber& step, std::int64_t dim) {
    const double factor = 1 / step.value;
    const double second = model.frequencies.size() > 1 ? model.frequencies[1] : 0;
    if (model.settings.size() < 2 && std::fabs(step.value - second) < 1e-3 * second) {
        model.findings.emplace_back(
            "The frequencies begin with base^(-2/r), not with 1: m counts from 1 in the exponent.");
    }
    const bool is_scaled =
        std::ranges::find(model.settings, "scaling", &Setting::name) != model.settings.end();
    model.bits += 3 + step.bits;
    if (is_scaled || factor < 2 || std::rint(factor) != factor) {
        model.step = step.value;
        return model;
    }
    model.settings.push_back({"scaling", "linear"});
    model.settings.push_back({"factor", shortest(factor)});
    model.frequencies = frequencies_of(model.settings, dim);
    return model;
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
    if (base < 1) {
        model.findings.emplace_back("The frequencies rise from pair to pair: they are reversed.");
    }
}

FrequencyModel with_base(const SimpleNumber& base, const Denominator& denominator, std::int64_t dim,
                         std::int64_t channels) {
    const double own = static_cast<double>(dim) / denominator.value;
    const double value = own == 1 ? base.value : std::pow(base.value, own);
    FrequencyModel model{.settings = {}, .frequencies = {}, .bits = base.bits};
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
        model.frequencies = frequencies_of(model.settings, dim);
        models.push_back(std::move(model));
    }
}

/// Returns geometric series that may be the steps, with the step from row to row still 1.
std::vector<FrequencyModel> geometric_models(const Line& line, std::int64_t dim,
                                             std::int64_t channels) {
    std::vector<FrequencyModel> models;
    for (const Denominator& denominator : denominators(dim, channels)) {
        const double half = denominator.value / 2;
        const double base = std::exp(half * line.slope.value);
        const Measured measured{base, base * half * line.slope.error};
        if (!std::isfinite(base) || !std::isfinite(measured.error) || !(base > 0)) continue;
        for (const SimpleNumber& number : evidence::simple_numbers(measured, 6)) {
            if (number.value > 0) models.push_back(with_base(number, denominator, dim, channels));
        }
        if (denominator.finding.empty()) add_stretched(models, measured, dim);
    }
    return models;
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

double rounded(double value, DType dtype) {
    return dtype == DType::bfloat16 ? widen(round_to<bfloat16>(value))
                                    : widen(round_to<float16>(value));
}

/// Adds the model with frequencies rounded to a half precision, as in a model cast as a whole.
void add_rounded(std::vector<FrequencyModel>& models, const FrequencyModel& exact) {
    for (const DType format : {DType::bfloat16, DType::float16}) {
        FrequencyModel model = exact;
        model.format = format;
        model.bits += 6;
        model.is_known = false;
        for (double& frequency : model.frequencies) frequency = rounded(frequency, format);
        model.findings.push_back(fmt::format(
            "The frequencies are rounded to {}, as if the buffer inv_freq had been cast with the "
            "model; keep it in float32.",
            info(format).name));
        models.push_back(std::move(model));
    }
}

/// Returns the models of all scaling types, for steps of one position.
std::vector<FrequencyModel> scaled_models(std::span<const Measured> steps) {
    constexpr double unknown = 16;  // beyond any frequency
    encodings::ShownTurning shown;
    for (const Measured& step : steps) {
        const double error = 2 * step.error + float32_share * std::fabs(step.value);
        shown.frequencies.push_back({step.value, std::min(error, unknown)});
    }
    std::vector<FrequencyModel> models;
    for (const encodings::RopeSettings& found : encodings::rope_settings(shown)) {
        FrequencyModel model{.settings = found.settings, .frequencies = {}, .bits = found.bits};
        std::erase_if(model.settings, [](const Setting& setting) { return setting.name == "d"; });
        model.frequencies = frequencies_of(model.settings, 2 * std::ssize(steps));
        models.push_back(std::move(model));
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
        FrequencyModel scaled = with_step(model, step, 2 * std::ssize(steps));
        if (are_consistent(steps, scaled)) agreeing.push_back(std::move(scaled));
    }
}

}  // namespace

Parameters rope_parameters(const Settings& settings, std::int64_t channels) {
    Parameters parameters(rope().parameters);
    parameters.set("d", fmt::format("{}", channels), Origin::user);
    for (const Setting& setting : settings) {
        parameters.set(setting.name, setting.value, Origin::user);
    }
    return parameters;
}

const std::vector<FrequencyModel>& FrequencyModels::known(std::int64_t dim) {
    if (known_.contains(dim)) return known_[dim];
    std::vector<FrequencyModel>& models = known_[dim];
    const auto add = [&](const Settings& settings) {
        FrequencyModel model{.settings = settings,
                             .frequencies = frequencies_of(settings, dim),
                             .bits = bits_of(settings),
                             .is_known = true};
        const bool is_there = std::ranges::any_of(models, [&](const FrequencyModel& other) {
            return other.frequencies == model.frequencies;
        });
        if (!model.frequencies.empty() && !is_there) models.push_back(std::move(model));
    };
    add({});
    for (const Preset& preset : all_presets()) {
        if (preset.encoding == &rope()) add(frequency_settings(preset));
    }
    return models;
}

std::vector<FrequencyModel> FrequencyModels::with_steps(std::span<const Measured> steps,
                                                        std::int64_t channels) {
    const std::int64_t dim = 2 * std::ssize(steps);
    std::vector<FrequencyModel> agreeing;
    for (const FrequencyModel& model : known(dim)) add_consistent(agreeing, model, steps, 0);
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
    for (const FrequencyModel& model : known(dim)) add_rounded(coarse, model);
    for (const FrequencyModel& model : coarse) {
        if (are_consistent(steps, model)) agreeing.push_back(model);
    }
    for (const FrequencyModel& model : scaled_models(steps)) {
        add_consistent(agreeing, model, steps, 0);
    }
    std::ranges::stable_sort(agreeing, {}, &FrequencyModel::bits);
    std::vector<FrequencyModel> distinct;
    for (FrequencyModel& model : agreeing) {
        const auto same = std::ranges::find_if(distinct, [&](const FrequencyModel& other) {
            return other.frequencies == model.frequencies && other.step == model.step;
        });
        if (same == distinct.end()) {
            distinct.push_back(std::move(model));
        } else if (model.is_known && !same->is_known) {
            // What a preset calls it, for what the other costs.
            model.bits = same->bits;
            *same = std::move(model);
        }
    }
    return distinct;
}

}  // namespace pegen::identify
