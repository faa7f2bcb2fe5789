#pragma once

#include <optional>
#include <string>

#include "identify/identify.h"

namespace pegen::identify {

/// Returns the option that would tell two candidates apart, "--d 4": an extent at which their
/// tables differ. None if no other size was found that does, so that both are the same convention.
/// Sizes that one of the encodings refuses tell nothing. Tables of two encodings are one convention
/// only if the extents of both have the same names; otherwise the answer is "".
std::optional<std::string> told_apart_by(const Candidate& a, const Candidate& b);

}  // namespace pegen::identify
