#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/parameters.h"

namespace pegen::cli {

/// The JSON Schema of the values that a manifest can give an option: those that Parameters::set()
/// accepts, as far as a schema can tell, with its summary and default.
nlohmann::ordered_json value_schema(const ParameterSpec& spec);

/// True if ranges of numbers make sense as values of the option in a sweep.
bool takes_ranges(const ParameterSpec& spec);

/// Returns a regular expression for the name and its spellings with '_' for '-'; all other
/// characters stand for themselves.
std::string spellings(std::string_view name);

}  // namespace pegen::cli
