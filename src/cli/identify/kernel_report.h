#pragma once

#include <string>
#include <string_view>

#include "core/json.h"
#include "recognition/kernel/kernel.h"

namespace pegen::cli {

/// Returns the answer as text: lines of a name and a value, in the layout of the report on a table.
std::string as_text(const recognition::KernelIdentification& answer,
                    const recognition::KernelQuestion& question);

/// Returns the answer as the content of a report in JSON. `after` is the path of the array that the
/// kernel returned, the option --after.
Json as_json(const recognition::KernelIdentification& answer,
             const recognition::KernelQuestion& question, std::string_view after);

}  // namespace pegen::cli
