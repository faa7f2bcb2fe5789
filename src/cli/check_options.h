#pragma once

#include <vector>

#include "cli/options.h"
#include "cli/subject.h"
#include "core/parameters.h"
#include "inspect/properties/property.h"

namespace pegen::cli {

/// The options of `check` itself.
std::span<const ParameterSpec> own_check_options();

/// All options of a check, as the help shows them: `subject` is what is checked, nullptr for a
/// file.
std::vector<OptionGroup> check_options(const Subject* subject);

/// What is asked of a table that promises `promises`; nullptr if nobody promised anything: then
/// every property is asked for. --require takes the place of promises. Throws: UsageError.
Demands demands_of(const Parameters& own, const std::string_view* promises);

}  // namespace pegen::cli
