#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "core/table.h"
#include "encodings/encoding.h"
#include "files/open_file.h"
#include "recognition/evidence/proposal.h"

namespace pegen::recognition {

/// The closeness with which a command's table agrees with an array.
enum class Level {
    rounding,  ///< every value is within one unit in the last place of the array's format
    float32,   ///< off by a few units of the angle as float32 code is, more at high positions
    none,
};

struct Agreement {
    Level level = Level::none;
    double largest = 0;                 ///< the largest difference of two values
    std::vector<std::int64_t> place{};  ///< indices of this difference along the array's axes
    std::int64_t unequal = 0;           ///< number of values that are not the rounded exact values
    std::int64_t differing = 0;  ///< values beyond the float32 tolerance; 0 unless level is none
    std::int64_t nans = 0;       ///< differing values that are NaN on one side only, if counted
    std::int64_t values = 0;     ///< number of compared values
    double evidence = 0;         ///< weight of the values in favour of the command, in bits
};

/// A command that may make the array: a table of an encoding, computed and compared with the array.
struct Candidate {
    const Encoding* encoding;
    const TableSpec* table;
    Parameters parameters;
    Proposal proposal;
    std::vector<std::shared_ptr<const MemoryFile>> files{};  ///< with the proposal's data
    double bits = 0;                                         ///< price of the parameters
    Agreement agreement{};
    /// The command that makes the array, as words: {"pe-gen", "sinusoid", "--len", "50"}.
    std::vector<std::string> command{};
    /// Presets that make the same tables, as the text of commands: "hf-marian --start 1".
    std::vector<std::string> presets{};
    /// What must be done to the table or to the array to make them agree, one line for each change:
    /// "transposed: the array has the table's columns as rows".
    std::vector<std::string> notes{};
};

/// Another command that makes the same array, but different tables at other sizes.
struct Alternative {
    Candidate candidate;
    std::string told_apart_by;  ///< what tells the commands apart: "more than 2 channels"
};

enum class Verdict { identified, ambiguous, not_identified };

struct Identification {
    Verdict verdict = Verdict::not_identified;
    std::optional<Candidate> found{};  ///< none if not identified
    /// How the array was made of the found table, if that was brought to another size: "from 14x14
    /// to 24x24, as dinov2 does it: pe-gen apply resize ...". "" if it was not.
    std::string resized{};
    std::vector<Alternative> alternatives{};  ///< some other commands, if ambiguous
    std::optional<Candidate> nearest{};       ///< if not identified: the nearest convention
    std::string departure{};                  ///< where the array differs: "rows 10 to 19"
    std::vector<std::string> notes{};
};

/// A function that is called as each part of a search begins, with what is tried: "a table of
/// another size".
using SearchStage = std::function<void(std::string_view tried)>;

/// A SearchStage that does nothing.
inline void ignore_stage(std::string_view) {}

/// Finds the command that makes the table `array`. Reports a command only if the table, computed
/// from the words of the command, agrees with the array in every value.
/// Reads the array several times. Calls `progress` with the number of compared rows while the whole
/// array is compared, and with 0 and 0 between candidates. Throws: what the array's rows and
/// `progress` throw; UsageError if the array is empty.
Identification identify(const Table& array, const Progress& progress = ignore_progress,
                        const SearchStage& stage = ignore_stage);

/// As identify(), but looks at the array only as it is and names no nearest convention, so that an
/// array that no command makes takes little time.
Identification identify_exactly(const Table& array, const Progress& progress = ignore_progress);

}  // namespace pegen::recognition
