#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recognition/identify.h"

namespace pegen::recognition {

/// Another size of a table: an extent has another value.
struct Size {
    std::string_view extent;  ///< the parameter
    std::int64_t value;
    bool is_small;  ///< the other extents are small, too, because the table would be large
};

struct TableElsewhere {
    Size size;
    std::vector<double> values;
    std::string text;         ///< the size as options: "--d 65 --len 24"
    bool has_other_channels;  ///< how many channels the table has depends on this extent
};

/// A candidate's tables at other sizes, to compare others with.
struct Elsewhere {
    const Encoding* encoding;
    std::vector<TableElsewhere> tables;
    std::string part;  ///< the channels of the table that are the array's; "" if all are
    /// The values at its own size, if there is no other that the parameters allow, as M-RoPE's
    /// sequence and sections fix theirs.
    std::vector<double> in_float64;
};

/// Makes the candidate's tables at some other sizes that its encoding allows: each extent is made
/// larger in turn.
Elsewhere elsewhere(const Candidate& candidate);

/// Returns what would tell two candidates apart: "--d 4", or "--d 65 --len 24", a size at which
/// their tables were computed and differ, or "--dtype float64". None if they were computed at all
/// these sizes and do not, so that both are the same convention.
/// "" if that is not known: of tables of two encodings that have no extent in common, and of other
/// parts of the channels, which have no other number of channels in common.
std::optional<std::string> told_apart_by(const Elsewhere& a, const Candidate& b);

/// True if the candidate makes the same tables at all these sizes if its height is called width,
/// and its width height: both are one convention.
bool is_same_with_axes_exchanged(const Elsewhere& a, const Candidate& b);

}  // namespace pegen::recognition
