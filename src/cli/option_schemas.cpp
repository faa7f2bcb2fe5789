#include "cli/option_schemas.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/job_request.h"
#include "cli/options.h"
#include "cli/value_schema.h"
#include "encodings/registry.h"

namespace pegen::cli {
namespace {

using Json = nlohmann::ordered_json;
using Option = OptionSchema;

Json swept_schema(const ParameterSpec& spec, const Json& value) {
    const Json list{{"type", "array"}, {"items", value}, {"minItems", 1}};
    return takes_ranges(spec) ? Json{{"anyOf", {list, reference("range")}}} : list;
}

/// Adds the definitions of the option, which can be referred to by `name` and "swept-" + `name`.
void define(const ParameterSpec& spec, const std::string& name, Json& definitions) {
    definitions[name] = value_schema(spec);
    definitions["swept-" + name] = swept_schema(spec, reference(name));
}

/// The name of the definition of a parameter: "sinusoid.d", "attention-shaw.d".
std::string definition_of(const Encoding& encoding, const ParameterSpec& spec) {
    std::string name = fmt::format("{}.{}", encoding.name, spec.name);
    std::ranges::replace(name, ' ', '-');
    return name;
}

/// An option that is defined under this name.
Option defined_option(const ParameterSpec& spec, const std::string& name) {
    return {&spec, reference(name), reference("swept-" + name)};
}

std::vector<const ParameterSpec*> common_specs() {
    const Encoding& any = *all_encodings().front();
    std::vector<const ParameterSpec*> specs = job_options({&any, nullptr});
    std::erase_if(specs, [&](const ParameterSpec* spec) { return is_among(any.parameters, spec); });
    return specs;
}

std::vector<Option> common_options() {
    std::vector<Option> options;
    for (const ParameterSpec* spec : common_specs()) {
        options.push_back(defined_option(*spec, std::string(spec->name)));
    }
    return options;
}

/// Adds what another option of the same name allows, unless it is allowed already.
void allow(const Json& definitions, const std::string& name, Json& value) {
    const auto is_same = [&](const Json& other) {
        const std::string path = other["$ref"];
        return definitions[path.substr(path.rfind('/') + 1)] == definitions[name];
    };
    if (std::ranges::none_of(value["anyOf"], is_same)) value["anyOf"].push_back(reference(name));
}

}  // namespace

Json reference(std::string_view definition) {
    return {{"$ref", fmt::format("#/definitions/{}", definition)}};
}

std::vector<const Encoding*> encodings_and_mechanisms() {
    std::vector<const Encoding*> all(all_encodings().begin(), all_encodings().end());
    all.insert(all.end(), all_mechanisms().begin(), all_mechanisms().end());
    return all;
}

Json option_definitions() {
    Json definitions = Json::object();
    for (const ParameterSpec* spec : common_specs()) {
        define(*spec, std::string(spec->name), definitions);
    }
    for (const Encoding* encoding : encodings_and_mechanisms()) {
        for (const ParameterSpec& spec : encoding->parameters) {
            define(spec, definition_of(*encoding, spec), definitions);
        }
    }
    return definitions;
}

std::vector<Option> options_of(const Encoding& encoding) {
    std::vector<Option> options;
    for (const ParameterSpec& spec : encoding.parameters) {
        options.push_back(defined_option(spec, definition_of(encoding, spec)));
    }
    for (Option& option : common_options()) options.push_back(std::move(option));
    return options;
}

std::vector<Option> options_of_any(const Json& definitions) {
    std::vector<Option> options = common_options();
    for (const Encoding* encoding : encodings_and_mechanisms()) {
        for (const ParameterSpec& spec : encoding->parameters) {
            auto option = std::ranges::find_if(
                options, [&](const Option& other) { return other.spec->name == spec.name; });
            if (option == options.end()) {
                options.push_back({&spec, {{"anyOf", Json::array()}}, {}});
                option = std::prev(options.end());
            }
            allow(definitions, definition_of(*encoding, spec), option->value);
            option->swept = swept_schema(spec, option->value);
        }
    }
    return options;
}

}  // namespace pegen::cli
