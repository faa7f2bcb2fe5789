#include "encodings/registry.h"

#include <algorithm>
#include <array>

#include "core/names.h"

namespace pegen {

// Every encoding, alphabetically. Add a line here for a new encoding.
// clang-format off
#define PEGEN_ENCODINGS(entry) \
    entry(alibi) \
    entry(binary) \
    entry(buckets) \
    entry(deberta) \
    entry(detr) \
    entry(fire) \
    entry(formula) \
    entry(fourier) \
    entry(gpsa) \
    entry(grid) \
    entry(index) \
    entry(kerple) \
    entry(learned) \
    entry(learned_grid) \
    entry(mrope) \
    entry(normalized) \
    entry(periodic) \
    entry(random_fourier) \
    entry(relative) \
    entry(relpos) \
    entry(rope) \
    entry(rope_grid) \
    entry(rope_mixed) \
    entry(sandwich) \
    entry(segments) \
    entry(shaw) \
    entry(sinusoid) \
    entry(swin) \
    entry(swin_v2) \
    entry(t5) \
    entry(transformer_xl) \
    entry(xpos)

// Every attention mechanism, in the order of the help. Each is a function because its parameters
// are assembled at run time from the lists of other encodings.
#define PEGEN_MECHANISMS(entry) \
    entry(shaw) \
    entry(transformer_xl) \
    entry(xlnet) \
    entry(t5) \
    entry(alibi) \
    entry(swin) \
    entry(decomposed) \
    entry(rope)
// clang-format on

#define PEGEN_DECLARATION(name) extern const Encoding name;
#define PEGEN_ADDRESS(name) &encodings::name,
#define PEGEN_FUNCTION(name) const Encoding& name();
#define PEGEN_RESULT(name) &encodings::attention::name(),

namespace encodings {
PEGEN_ENCODINGS(PEGEN_DECLARATION)
extern const Encoding concat;
extern const Encoding plot;
namespace attention {
PEGEN_MECHANISMS(PEGEN_FUNCTION)
}
}  // namespace encodings

namespace {

constexpr std::array encodings_by_name{PEGEN_ENCODINGS(PEGEN_ADDRESS)};

std::vector<Preset> presets_by_name() {
    std::vector<Preset> presets;
    for (const Encoding* encoding : encodings_by_name) {
        for (const PresetSpec& spec : encoding->presets) presets.push_back({spec, encoding});
    }
    std::ranges::sort(presets, {}, &Preset::name);
    return presets;
}

}  // namespace

std::span<const Encoding* const> all_encodings() { return encodings_by_name; }

std::span<const Preset> all_presets() {
    static const std::vector<Preset> presets = presets_by_name();
    return presets;
}

std::span<const Encoding* const> all_mechanisms() {
    static const std::array mechanisms{PEGEN_MECHANISMS(PEGEN_RESULT)};
    return mechanisms;
}

const Encoding& array_of_file() { return encodings::plot; }

const Encoding& concatenation() { return encodings::concat; }

const Encoding& configurable_encoding() {
    return **std::ranges::find_if(all_encodings(), [](const Encoding* encoding) {
        return encoding->describe_config != nullptr;
    });
}

const Encoding* find_encoding(std::string_view name) {
    for (const Encoding* other : {&array_of_file(), &concatenation()}) {
        if (name == other->name) return other;
    }
    const bool is_mechanism = name.starts_with("attention ");
    const auto all = is_mechanism ? all_mechanisms() : all_encodings();
    const auto found = std::ranges::find(all, name, &Encoding::name);
    return found == all.end() ? nullptr : *found;
}

const Preset* find_preset(std::string_view name) {
    const auto is_called = [&](const Preset& preset) {
        return preset.name == name || has_word(preset.aliases, name);
    };
    const auto found = std::ranges::find_if(all_presets(), is_called);
    return found == all_presets().end() ? nullptr : &*found;
}

Parameters parameters_of(const Preset& preset) {
    Parameters parameters(preset.encoding->parameters);
    parameters.set_all(preset.settings, Origin::preset);
    return parameters;
}

}  // namespace pegen
