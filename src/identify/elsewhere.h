#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "identify/identify.h"

namespace pegen::identify {

/// Another size of a table: an extent has another value.
struct Size {
    std::string_view extent;  ///< the parameter
    std::int64_t value;
    bool is_small;  ///< the other extents are small, too, because the table would be large
};

struct TableElsewhere {
    Size size;
    std::vector<double> values;
};

/// A candidate's tables at other sizes, to compare others with.
struct Elsewhere {
    const Encoding* encoding;
    std::vector<TableElsewhere> tables;
};

/// Makes the candidate's tables at some other sizes that its encoding allows: each extent is made
/// larger in turn.
Elsewhere elsewhere(const Candidate& candidate);

/// Returns what would tell two candidates apart: "--d 4", an extent at which their tables differ,
/// or "other sizes". None if no size is known at which they do, so that both are the same
/// convention.
/// "" for tables of two encodings that have no extent in common.
std::optional<std::string> told_apart_by(const Elsewhere& a, const Candidate& b);

/// True if the candidate makes the same tables at all these sizes if its height is called width,
/// and its width height: both are one convention.
bool is_same_with_axes_exchanged(const Elsewhere& a, const Candidate& b);

}  // namespace pegen::identify
