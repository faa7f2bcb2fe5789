#pragma once

#include <string>

#include "core/parameters.h"
#include "encodings/encoding.h"

namespace pegen::cli {

/// Says in words what the file that parameter config names asks for: what was taken from where, the
/// command without the file, and what is to be known. Throws: as Encoding::describe_config.
std::string config_description(const Encoding& encoding, const Parameters& parameters);

}  // namespace pegen::cli
