#include "identify/kernel_factor.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/number.h"
#include "encodings/registry.h"
#include "identify/frequency_model.h"

namespace pegen::identify {
namespace {

using evidence::Measured;

/// Divides the positions in the place of the frequencies: linear scaling has no factor.
void undo_linear_scaling(RotaryKernel& kernel) {
    const auto is_linear = [](const evidence::Setting& setting) {
        return setting.name == "scaling" && setting.value == "linear";
    };
    if (std::ranges::none_of(kernel.settings, is_linear)) return;
    const auto place = std::ranges::find(kernel.settings, "factor", &evidence::Setting::name);
    const double factor = parse_real(place->value, "--factor");
    std::erase_if(kernel.settings, [](const evidence::Setting& setting) {
        return setting.name == "scaling" || setting.name == "factor";
    });
    kernel.start /= factor;
    kernel.step /= factor;
    for (double& position : kernel.list) position /= factor;
    for (double& frequency : kernel.frequencies) frequency *= factor;
}

}  // namespace

Measured factor_of(const Turns& turns) {
    double least = 1;
    for (const Turn& turn : turns.values) least = std::min(least, turn.error);
    return {turns.factor, 2 * least};
}

std::vector<evidence::SimpleNumber> simple_factors(const Measured& measured,
                                                   std::int64_t channels) {
    std::vector<evidence::SimpleNumber> numbers = evidence::simple_numbers(measured, 2);
    std::erase_if(numbers, [](const auto& number) { return !(number.value > 0); });
    constexpr double bits_of_root = 4;
    const double root = 1 / std::sqrt(static_cast<double>(channels));
    if (std::fabs(root - measured.value) <= measured.error) {
        numbers.insert(numbers.begin(), {shortest(root), root, bits_of_root});
    }
    return numbers;
}

double own_factor(const RotaryKernel& kernel) {
    const Plan plan =
        find_encoding("rope")->plan(rope_parameters(kernel.settings, kernel.convention.dim), "cos");
    return plan.parameters.has("attention-factor") ? plan.parameters.real("attention-factor") : 1;
}

bool set_factor(RotaryKernel& kernel, const evidence::SimpleNumber& factor) {
    undo_linear_scaling(kernel);
    const auto scaling = std::ranges::find(kernel.settings, "scaling", &evidence::Setting::name);
    if (scaling == kernel.settings.end()) {
        // Of the types with an attention factor, yarn with factor 1 changes nothing else.
        kernel.settings.push_back({"scaling", "yarn"});
        kernel.settings.push_back({"factor", "1"});
        kernel.settings.push_back({"original-max-position-embeddings", "4096"});
    } else if (scaling->value != "yarn" && scaling->value != "longrope") {
        return false;
    }
    std::erase_if(kernel.settings, [](const evidence::Setting& setting) {
        return setting.name == "attention-factor" || setting.name.starts_with("mscale");
    });
    kernel.settings.push_back({"attention-factor", factor.text});
    kernel.factor = factor.value;
    return true;
}
}  // namespace pegen::identify
