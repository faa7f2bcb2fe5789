#pragma once

#include <cstdint>
#include <vector>

#include "encodings/rotary/rotary_columns.h"
#include "encodings/rotary/row_positions.h"
#include "evidence/proposal.h"
#include "evidence/simple_number.h"

// What is found of a rope table, and proposals of it.
namespace pegen::encodings {

/// Settings, where the rows stand, and the frequencies.
struct FoundRope {
    std::vector<evidence::Setting> settings;
    RowPositions positions;
    std::vector<double> frequencies;
    double drift;  ///< as of Arithmetic
};

/// Adds the proposals of a table of `rows` rows: exact, and as other code computes it.
void propose(std::vector<evidence::Proposal>& proposals, const RotaryColumns& columns,
             const FoundRope& found, std::int64_t rows);

std::vector<double> values_of(const std::vector<evidence::Measured>& numbers);

/// Returns the frequencies multiplied by `factor`.
std::vector<evidence::Measured> times(std::vector<evidence::Measured> frequencies, double factor);

}  // namespace pegen::encodings
