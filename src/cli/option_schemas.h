#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "encodings/encoding.h"

// What the schema of manifests says of options.
namespace pegen::cli {

/// An option, the schema of its values, and that of the values it takes in a sweep.
struct OptionSchema {
    const ParameterSpec* spec;
    nlohmann::ordered_json value;
    nlohmann::ordered_json swept;
};

/// A schema that stands for a definition.
nlohmann::ordered_json reference(std::string_view definition);

std::vector<const Encoding*> encodings_and_mechanisms();

/// The definitions that the schemas below refer to. They refer to "range" in turn.
nlohmann::ordered_json option_definitions();

/// The options of a job of the encoding.
std::vector<OptionSchema> options_of(const Encoding& encoding);

/// The options that some encoding has. Of several of one name, the values of each will do.
std::vector<OptionSchema> options_of_any(const nlohmann::ordered_json& definitions);

}  // namespace pegen::cli
