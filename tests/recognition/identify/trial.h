#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/drawn/command.h"
#include "recognition/identify.h"
#include "recognition/identify/array.h"

namespace pegen::trials {

/// What `identify` must answer.
enum class Expected {
    command,    ///< the command that made the table, or one that makes the same tables of all sizes
    array,      ///< any command that makes the array
    departure,  ///< not identified: the nearest encoding, and where the array leaves it
    nothing,    ///< not identified
};

/// An array, and what it is.
struct Trial {
    std::string name;
    Array array;
    Expected expected;
    std::optional<Command> truth{};
    /// What the command found may make instead: the array before its axes were exchanged or its
    /// values rounded, or one of several equal parts.
    std::optional<Array> upright{};
    DType precision = DType::float32;  ///< the narrowest format that holds the values
    std::string departure{};           ///< a part of what the answer must say of it
};

/// Returns the trial of a command's own table.
Trial trial_of(const Command& command);

enum class Outcome {
    right,
    same_here,  ///< another number than the true one, by which each value is the same
    ambiguous,  ///< the true command is among those that make the same array, and this is said
    unnamed,    ///< it is said that others make the same array; the true one is not among them
    missed,     ///< not identified, or not the nearest convention or the place where it is left
    wrong,      ///< a claim that is false
};

struct Judgement {
    Outcome outcome;
    std::string answer;  ///< what `identify` said, in some lines
    double seconds;
};

/// True if the candidate's command makes the same tables of all sizes as the true one.
bool is_true_command(const recognition::Candidate& candidate, const Trial& trial);

/// Asks `identify` what the array is, and judges the answer.
Judgement judge(const Trial& trial);

}  // namespace pegen::trials
