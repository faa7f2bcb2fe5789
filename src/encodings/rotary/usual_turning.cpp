#include "encodings/rotary/usual_turning.h"

#include <array>
#include <string>

#include "core/error.h"
#include "core/number.h"
#include "core/parameters.h"
#include "encodings/rotary/frequency_fit.h"
#include "encodings/rotary/scaling.h"

namespace pegen::encodings {
namespace {

using evidence::Setting;

/// What scaled_frequencies() reads.
constexpr std::array parameters =
    joined(std::array{ParameterSpec{.name = "d", .type = ParameterType::integer},
                      ParameterSpec{.name = "base", .default_value = "10000"},
                      ParameterSpec{.name = "partial-rotary-factor", .default_value = "1"}},
           scaling_parameters);

Turning computed(std::vector<Setting> settings, std::int64_t positions) {
    Parameters p(parameters);
    for (const Setting& setting : settings) p.set(setting.name, setting.value, Origin::user);
    const Rope rope{.dim = p.integer("d"),
                    .base = p.real("base"),
                    .rotated_share = p.real("partial-rotary-factor"),
                    .positions = positions};
    p = resolve_scaling(std::move(p), rope);
    Turning turning{std::move(settings), {}, 1};
    for (const numerics::Real& frequency : scaled_frequencies(p, rope)) {
        turning.frequencies.push_back(nearest_double(frequency));
    }
    if (p.has("attention-factor")) turning.attention_factor = p.real("attention-factor");
    return turning;
}

}  // namespace

Turning turning_of(std::vector<Setting> settings, std::int64_t pairs, std::int64_t positions) {
    const auto has_d = [](const Setting& setting) { return setting.name == "d"; };
    if (std::ranges::none_of(settings, has_d)) {
        settings.insert(settings.begin(), {"d", std::to_string(2 * pairs)});
    }
    try {
        return computed(settings, positions);
    } catch (const UsageError&) {
        return {std::move(settings), {}, 1};
    }
}

std::vector<Turning> usual_turnings(std::int64_t pairs) {
    std::vector<Turning> all;
    const auto add = [&](std::vector<Setting> settings) {
        Turning turning = turning_of(std::move(settings), pairs, 1);
        if (!turning.frequencies.empty()) all.push_back(std::move(turning));
    };
    for (const double base : known_bases()) {
        add(base == 10000 ? std::vector<Setting>{}
                          : std::vector<Setting>{{"base", shortest(base)}});
    }
    const std::string_view length = "original-max-position-embeddings";
    for (const char* const factor : {"8", "32", "16"}) {
        add({{"base", "500000"}, {"scaling", "llama3"}, {"factor", factor}, {length, "8192"}});
    }
    for (const char* const factor : {"2", "4", "8"}) {
        add({{"scaling", "linear"}, {"factor", factor}});
    }
    add({{"base", "1000000"}, {"scaling", "linear"}, {"factor", "8"}});
    add({{"scaling", "yarn"}, {"factor", "40"}, {length, "4096"}});
    add({{"scaling", "yarn"}, {"factor", "40"}, {length, "4096"}, {"attention-factor", "1"}});
    add({{"base", "1000000"}, {"scaling", "yarn"}, {"factor", "4"}, {length, "32768"}});
    add({{"base", "150000"},
         {"scaling", "yarn"},
         {"factor", "32"},
         {length, "4096"},
         {"no-truncate", "true"}});
    return all;
}

}  // namespace pegen::encodings
