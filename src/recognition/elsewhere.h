#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recognition/identify.h"

namespace pegen::recognition {

/// Another size of a table, at which one extent has another value.
struct Size {
    std::string_view extent;  ///< the name of the parameter
    std::int64_t value;
    bool is_small;  ///< the other extents are made small, too, because the table would be large
};

struct TableElsewhere {
    Size size;
    std::vector<double> values;
    std::string text;         ///< the size as options: "--d 65 --len 24"
    bool has_other_channels;  ///< the number of channels depends on this extent
};

/// A candidate's tables at other sizes, for comparison with the tables of other candidates.
struct Elsewhere {
    const Encoding* encoding;
    std::vector<TableElsewhere> tables;
    std::string part;  ///< the channels of the table that the array has; "" if it has all
    /// The values of the table at its own size, if the parameters allow no other size: the sequence
    /// and the sections of M-RoPE, for example, fix its extents.
    std::vector<double> in_float64;
};

/// Returns the candidate's tables at some other sizes that its encoding allows: each extent in turn
/// is made larger.
Elsewhere elsewhere(const Candidate& candidate);

/// Returns options that tell two candidates apart: a size at which their tables were computed and
/// differ, "--d 4" or "--d 65 --len 24", or else "--dtype float64". None if their tables were
/// computed at all these sizes and are equal, so that both candidates are the same convention.
/// Returns "" if it is not known whether the candidates differ: their encodings have no extent in
/// common, or the array has different channels of their tables, which therefore cannot be compared
/// at other numbers of channels.
std::optional<std::string> told_apart_by(const Elsewhere& a, const Candidate& b);

/// True if the candidate makes the same tables at all these sizes once its height and its width are
/// exchanged: then both candidates are one convention.
bool is_same_with_axes_exchanged(const Elsewhere& a, const Candidate& b);

}  // namespace pegen::recognition
