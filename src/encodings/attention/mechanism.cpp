#include "encodings/attention/mechanism.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/names.h"
#include "encodings/registry.h"

namespace pegen::encodings::attention {
namespace {

bool is_lent(const Borrowed& borrowed, std::string_view name) {
    return !has_word(borrowed.left_out, name);
}

}  // namespace

std::vector<InputSpec> with_common_inputs(std::initializer_list<InputSpec> more) {
    std::vector<InputSpec> inputs(common_inputs.begin(), common_inputs.end());
    inputs.insert(inputs.end(), more);
    return inputs;
}

const std::vector<InputSpec>& inputs_with_memory() {
    static const std::vector<InputSpec> inputs = with_common_inputs({memory_input});
    return inputs;
}

std::vector<ParameterSpec> mechanism_parameters(std::span<const InputSpec> inputs,
                                                std::initializer_list<ParameterSpec> own,
                                                const Borrowed& borrowed) {
    const std::span<const ParameterSpec> sizes = size_parameters();
    std::vector<ParameterSpec> all(sizes.begin(), sizes.end());
    for (const InputSpec& input : inputs) all.push_back(input.parameter);
    all.insert(all.end(), own);
    if (borrowed.encoding.empty()) return all;
    for (const ParameterSpec& spec : find_encoding(borrowed.encoding)->parameters) {
        if (is_lent(borrowed, spec.name)) all.push_back(spec);
    }
    return all;
}

Parameters lent_parameters(const Parameters& p, const Borrowed& borrowed,
                           const std::vector<Setting>& settings) {
    Parameters lent(find_encoding(borrowed.encoding)->parameters);
    for (const Parameters::Entry& entry : p.entries()) {
        const std::string_view name = entry.spec->name;
        const bool is_known = std::ranges::any_of(
            lent.entries(), [&](const auto& own) { return own.spec->name == name; });
        if (is_known && is_lent(borrowed, name) && entry.origin != Origin::specification) {
            lent.set(name, to_string(entry), entry.origin);
        }
    }
    for (const Setting& setting : settings) {
        lent.set(setting.name, setting.text, setting.origin);
    }
    return lent;
}

Parameters with_lent(Parameters p, const Borrowed& borrowed, const Parameters& lent) {
    for (const Parameters::Entry& entry : lent.entries()) {
        if (is_lent(borrowed, entry.spec->name)) p.resolve(entry.spec->name, entry.value);
    }
    return p;
}

std::vector<Setting> settings_of(const Inputs& inputs) {
    return {{"len", fmt::format("{}", inputs.size().queries)},
            {"key-len", fmt::format("{}", inputs.size().keys)}};
}

Setting table_seed(const Parameters& p) {
    return {"seed", fmt::format("{}", p.integer("seed") + table_seed_after)};
}

}  // namespace pegen::encodings::attention
