#pragma once

#include <optional>
#include <span>
#include <vector>

#include "encodings/rotary/turning_table.h"
#include "evidence/proposal.h"

namespace pegen::encodings {

/// Where the rows of a table stand.
struct RowPositions {
    std::vector<evidence::Setting> settings;  ///< of the position parameters, but for --len
    std::vector<double> list{};               ///< of each row, if they are at no equal distances
    double start = 0;                         ///< of row 0, if they are
    double step = 1;

    double at(std::int64_t row) const;
};

/// Returns the positions at which pairs with these frequencies turn as the table does: at equal
/// distances, or else a list. None if there are none.
std::optional<RowPositions> positions_at(const TurningTable& table,
                                         std::span<const double> frequencies);

/// Returns the setting of rows at equal distances.
RowPositions regular_positions(double start, double step, std::int64_t rows);

/// Returns where a row stands: one stretch or more, the next to 0 first.
std::vector<Bounds> position_of(const TurningTable& table, std::int64_t row,
                                std::span<const double> frequencies);

}  // namespace pegen::encodings
