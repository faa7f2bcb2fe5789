#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inspect/properties/displaced.h"

// Words that the findings of several properties share.
namespace pegen {

/// Returns a number with three digits: "1.68", "1.05e-07".
std::string brief(double number);

/// Returns a number with six digits.
std::string longer(double number);

/// The reason why no position could be displaced.
inline constexpr std::string_view too_few_positions = "too few positions are not all zero";

/// The reason why the vectors of a table with Table::scored_by are not compared.
inline constexpr std::string_view not_added_text =
    "it serves to turn queries and keys, is not added to embeddings, and its rows have no dot "
    "products that attention sees";

/// Returns "1 value is not finite", "2 values are not finite".
std::string not_finite_text(std::int64_t count);

/// Returns "D = 3", or "D = 3 along height" if there are several axes.
std::string text_of(const Displacement& displacement, const PositionVectors& vectors);

/// Returns "15 offsets up to 100" and, if not all t were measured, "65536 of 1000000 positions".
std::string extent_text(const std::vector<Displacement>& displacements,
                        const PositionVectors& vectors);

}  // namespace pegen
