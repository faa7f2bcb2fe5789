#pragma once

#include <optional>

#include "core/dtype.h"
#include "recognition/evidence/precision.h"
#include "recognition/identify.h"

namespace pegen::recognition {

/// Returns the candidate that the proposal stands for; none if the encoding does not have, or
/// refuses, such parameters.
std::optional<Candidate> candidate_of(const Encoding& encoding, const evidence::Proposal& proposal);

/// Returns a candidate with these parameters of a preset or of an encoding itself.
Candidate candidate_of(const Encoding& encoding, const TableSpec& table,
                       const Parameters& parameters);

/// Returns the candidate's table with the dtype in which it is compared with an array of this
/// precision; none if the encoding refuses the parameters.
std::optional<Table> table_of(const Candidate& candidate, const evidence::Precision& precision);

/// What a table of a preset costs, in bits, if nothing but extents is added to its name.
inline constexpr double price_of_presets = 9;

/// Returns what it costs to name the candidate's encoding, table and parameters, in bits; extents
/// cost nothing, because the array has them.
double price_of(const Candidate& candidate);

/// Returns the command of the candidate, as words: {"pe-gen", "sinusoid", "--len", "50"}.
/// `preset` is the name it begins with, nullptr for the encoding's own.
std::vector<std::string> command_of(const Candidate& candidate, const Preset* preset, DType dtype);

}  // namespace pegen::recognition
