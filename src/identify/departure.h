#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "core/table.h"
#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::identify {

/// Names indices: "row 3", "rows 3 and 5", "rows 10 to 19", "rows 1, 5, 9, 12, 13 and 22 more".
std::string indices_text(std::string_view noun, const std::vector<std::int64_t>& indices);

/// Says where the whole array leaves the table, in words: "rows 10 to 19", "channel 17", "one
/// value, at (3, 17)", "912 of 1536 values, by 0.01 on average". "" if it does not. Precondition:
/// equal shapes, but for extents of 1.
std::string departure_from(const Table& made, const evidence::Sample& array,
                           const evidence::Proposal& proposal, const Progress& progress);

}  // namespace pegen::identify
