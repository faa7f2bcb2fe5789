#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "identify/identify.h"

namespace pegen::identify {

/// A candidate's table at another size.
struct TableElsewhere {
    std::string_view extent;  ///< the parameter that has another value
    std::int64_t value;
    std::vector<double> values;  ///< empty if the encoding refuses the size, or the table is large
};

/// A candidate's tables at other sizes, to compare others with.
struct Elsewhere {
    const Encoding* encoding;
    std::vector<std::string_view> extents;
    std::vector<TableElsewhere> tables;
};

/// Makes the candidate's tables at some other sizes: each extent is made larger in turn, the others
/// are small.
Elsewhere elsewhere(const Candidate& candidate);

/// Returns the option that would tell two candidates apart, "--d 4": an extent at which their
/// tables differ. None if no size is known at which they do, so that both are the same convention.
/// "" for tables of two encodings that have no extent in common.
std::optional<std::string> told_apart_by(const Elsewhere& a, const Candidate& b);

}  // namespace pegen::identify
