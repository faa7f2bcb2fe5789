#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/drawn/command.h"
#include "recognition/identify.h"
#include "recognition/identify/array.h"

namespace pegen::trials {

/// The answer that `identify` must give.
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
    /// Another array that the found command may make: the array before its axes were exchanged or
    /// its values rounded, or one of several equal parts.
    std::optional<Array> upright{};
    DType precision = DType::float32;  ///< the narrowest format that holds the values
    std::string departure{};           ///< a text that the answer must contain
};

/// Returns the trial of a command's own table.
Trial trial_of(const Command& command);

enum class Outcome {
    right,
    same_here,  ///< a number differs from the true one, but every value is the same
    ambiguous,  ///< the answer says that several commands make the array; one is the true one
    unnamed,    ///< the answer says that others make the array, but lacks the true one
    missed,     ///< not identified, or not the nearest convention or where the array departs
    wrong,      ///< the answer claims something false
};

struct Judgement {
    Outcome outcome;
    std::string answer;  ///< the answer of `identify`, in some lines, and its price and evidence
    double seconds;
};

/// True if the candidate's command makes the same tables of all sizes as the true one.
bool is_true_command(const recognition::Candidate& candidate, const Trial& trial);

/// Asks `identify` what the array is, and judges the answer.
Judgement judge(const Trial& trial);

}  // namespace pegen::trials
