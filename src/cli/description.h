#pragma once

#include <string>

#include "cli/subject.h"

namespace pegen::cli {

/// All that is known about an encoding, a preset or a mechanism: `pe-gen describe NAME`.
std::string description(const Subject& subject);

}  // namespace pegen::cli
