#pragma once

#include <optional>
#include <string>

#include "core/dtype.h"
#include "recognition/evidence/precision.h"
#include "recognition/evidence/sample.h"
#include "recognition/identify.h"

namespace pegen::recognition {

/// Returns the candidate for a proposal; none if the encoding does not have, or refuses, such
/// parameters.
std::optional<Candidate> candidate_of(const Encoding& encoding, const Proposal& proposal);

/// Returns the candidate for a table with these parameters, which are a preset's or the encoding's
/// own.
Candidate candidate_of(const Encoding& encoding, const TableSpec& table,
                       const Parameters& parameters);

/// Returns the candidate's table in the dtype in which it is compared with an array of this
/// precision; none if the encoding refuses the parameters.
std::optional<Table> table_of(const Candidate& candidate, const evidence::Precision& precision);

/// The price, in bits, of a table of a preset if nothing but extents is added to the preset's name.
inline constexpr double price_of_presets = 9;

/// Returns the price of the candidate, in bits: the description length of its encoding, its table
/// and its settings. Extents cost nothing, because the array shows them.
double price_of(const Candidate& candidate);

/// Returns the candidate, which was found for the rows from `first` on, extended to all `rows` rows
/// of the array; none if its encoding does not count rows by len and start.
std::optional<Candidate> continued(Candidate candidate, std::int64_t rows, std::int64_t first);

/// Returns the list of the candidate's positions; empty if it has none.
std::vector<double> positions_of(const Candidate& candidate);

/// Returns the file of the candidate's positions, which its command names, if nobody would type the
/// list: if it has more than 16 numbers, and more than 16 items with ranges.
std::optional<evidence::DataFile> positions_file_of(const Candidate& candidate);

/// Returns the option that gives the candidate's list of positions, as words: {"--positions",
/// "0:2047,2047x2049"}, or {"--positions-file", "positions.npy"}.
std::vector<std::string> positions_option_of(const Candidate& candidate);

/// Appends an option with this value to a command, as one word or two: "--reverse", "--step=-x".
void append_option(std::vector<std::string>& command, const ParameterSpec& spec,
                   const std::string& text);

/// Returns the candidate's command as words: {"pe-gen", "sinusoid", "--len", "50"}. `preset` is the
/// preset whose name begins the command; nullptr means the name of the encoding.
std::vector<std::string> command_of(const Candidate& candidate, const Preset* preset, DType dtype);

/// A candidate with --arith bfloat16 or float16.
struct Candidate16 {
    Candidate candidate;
    std::string text;  ///< "the frequencies are rounded to bfloat16"
};

/// Returns the candidate with the 16-bit arithmetic that makes the array of its sines and cosines;
/// nothing if none does, or if the encoding has no such arithmetic. A way is returned only if its
/// table agrees with the array, but for a few values that float32 code rounded to the other side of
/// a tie, and also where it differs from the exact table.
std::optional<Candidate16> in_16_bits(const Candidate& candidate, const Sample& array);

}  // namespace pegen::recognition
