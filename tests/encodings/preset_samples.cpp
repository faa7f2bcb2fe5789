#include "encodings/preset_samples.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "encodings/registry.h"
#include "encodings/table_of.h"

using namespace pegen;

namespace {

void check_sample(const PresetSample& sample, bool is_drawn) {
    CAPTURE(sample.command);
    const std::vector<double> table =
        values_of(sample.command, is_drawn ? DType::float32 : DType::float64);
    for (std::size_t j = 0; j < sample.elements.size(); ++j) {
        const double value = table[(37 * j + 5) % table.size()];
        CAPTURE(j);
        if (is_drawn) {
            CHECK(value == static_cast<float>(sample.elements[j]));
        } else {
            CHECK(value == doctest::Approx(sample.elements[j]).epsilon(1e-11));
        }
    }
}

}  // namespace

void check_presets(std::string_view encoding, std::span<const PresetSample> samples) {
    for (const Preset& preset : all_presets()) {
        if (preset.encoding->name != encoding) continue;
        INFO("Give preset ", preset.name, " a sample beside those of ", encoding);
        CHECK(std::ranges::count(samples, preset.name, &PresetSample::preset) > 0);
    }
    for (const PresetSample& sample : samples) {
        check_sample(sample, encoding.starts_with("learned"));
    }
}
