#include "recognition/kernel/frequency_model.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/number.h"
#include "encodings/registry.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/rotary/frequency_fit.h"
#include "recognition/rotary/frequency_settings.h"

namespace pegen::recognition {
namespace {

using Settings = std::vector<Setting>;

const Encoding& rope() { return *find_encoding("rope"); }

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

}  // namespace

const std::vector<FrequencyModel>& KnownModels::of(std::int64_t dim) {
    if (models_.contains(dim)) return models_[dim];
    std::vector<FrequencyModel>& models = models_[dim];
    // The name of a preset includes all its settings, so they cost no more than this.
    constexpr double most_of_preset = 14;
    const auto add = [&](const Settings& settings, bool is_known) {
        const double bits = bits_of(settings);
        FrequencyModel model{.settings = settings,
                             .frequencies = frequencies_of(settings, dim),
                             .bits = is_known ? std::min(bits, most_of_preset) : bits,
                             .is_known = is_known};
        const bool is_there = std::ranges::any_of(models, [&](const FrequencyModel& other) {
            return other.frequencies == model.frequencies;
        });
        if (!model.frequencies.empty() && !is_there) models.push_back(std::move(model));
    };
    add({}, true);
    for (const Preset& preset : all_presets()) {
        if (preset.encoding == &rope()) add(frequency_settings(preset), true);
    }
    for (const double base : known_bases()) add({{"base", shortest(base)}}, false);
    return models;
}

}  // namespace pegen::recognition
