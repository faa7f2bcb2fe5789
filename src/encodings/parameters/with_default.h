#pragma once

#include <string_view>

#include "core/parameters.h"

namespace pegen::encodings {

/// Returns `spec` with `value` as its default.
constexpr ParameterSpec with_default(ParameterSpec spec, std::string_view value) {
    spec.default_value = value;
    return spec;
}

}  // namespace pegen::encodings
