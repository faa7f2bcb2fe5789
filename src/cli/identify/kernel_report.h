#pragma once

#include <string>
#include <string_view>

#include "recognition/kernel/kernel.h"

namespace pegen::cli {

/// Returns the answer as text: lines of a name and a value, in the layout of the report on a table.
std::string as_text(const recognition::KernelIdentification& answer,
                    const recognition::KernelQuestion& question);

/// Returns the answer as a line of JSON, of the schema "pe-gen/identify-kernel/1". `after` is the
/// path of the array that the kernel returned, the option --after.
std::string as_json(const recognition::KernelIdentification& answer,
                    const recognition::KernelQuestion& question, std::string_view after);

}  // namespace pegen::cli
