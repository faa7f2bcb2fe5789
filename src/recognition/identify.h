#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/table.h"
#include "encodings/encoding.h"
#include "encodings/preset.h"
#include "files/memory_file.h"
#include "recognition/evidence/proposal.h"

namespace pegen::recognition {

/// How closely the table that a command makes agrees with an array.
enum class Level {
    rounding,  ///< every value is within one unit in the last place of the array's format
    float32,  ///< as float32 code makes it: off by a few units of the angle, more at high positions
    none,
};

struct Agreement {
    Level level = Level::none;
    double largest = 0;                 ///< difference of two numbers
    std::vector<std::int64_t> place{};  ///< of it, along the axes of the array
    std::int64_t unequal = 0;           ///< values that are not the exact ones, rounded
    std::int64_t differing = 0;  ///< values that do not even agree as float32; 0 but at level none
    std::int64_t nans = 0;       ///< those of them that are NaN in one of the two alone, if counted
    std::int64_t values = 0;     ///< of the array
    double evidence = 0;         ///< what the values say for the command, in bits
};

/// What an array may be: a table of an encoding, computed and compared with the array.
struct Candidate {
    const Encoding* encoding;
    const TableSpec* table;
    Parameters parameters;
    evidence::Proposal proposal;
    std::vector<std::shared_ptr<const MemoryFile>> files{};  ///< of the proposal's data
    double bits = 0;                                         ///< what its parameters cost to name
    Agreement agreement{};
    /// The command that makes the array, as words: {"pe-gen", "sinusoid", "--len", "50"}.
    std::vector<std::string> command{};
    /// The same command by the names of presets, as text: "hf-marian --start 1".
    std::vector<std::string> presets{};
    /// What is to be done with the table or the array for the two to agree, a line each:
    /// "transposed: the array has the table's columns as rows".
    std::vector<std::string> notes{};
};

/// Another command that makes the same array, but other tables of other sizes.
struct Alternative {
    Candidate candidate;
    std::string told_apart_by;  ///< "more than 2 channels"
};

enum class Verdict { identified, ambiguous, not_identified };

struct Identification {
    Verdict verdict = Verdict::not_identified;
    std::optional<Candidate> found{};         ///< none if not identified
    std::vector<Alternative> alternatives{};  ///< some, if ambiguous
    std::optional<Candidate> nearest{};       ///< if not identified: the nearest convention
    std::string departure{};                  ///< where the array leaves it: "rows 10 to 19"
    std::vector<std::string> notes{};
};

/// Finds the command whose table `array` is. Claims nothing that the table, computed from the words
/// of the command, does not confirm in every value.
/// Reads the array several times. `progress` counts its rows when all are compared, and is called
/// between candidates with 0 and 0. Throws: what its rows and `progress` throw; UsageError if it is
/// empty.
Identification identify(const Table& array, const Progress& progress = ignore_progress);

}  // namespace pegen::recognition
