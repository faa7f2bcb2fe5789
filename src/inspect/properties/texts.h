#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inspect/properties/displaced.h"

// Words that several properties' findings are made of.
namespace pegen {

/// "1.68", "1.05e-07": three digits.
std::string brief(double number);

/// The same with six digits.
std::string longer(double number);

/// Why nothing could be displaced.
inline constexpr std::string_view too_few_positions = "too few positions are not all zero";

/// Why the vectors of a table with Table::scored_by are not compared.
inline constexpr std::string_view not_added_text =
    "it serves to turn queries and keys, is not added to embeddings, and its rows have no dot "
    "products that attention sees";

/// "1 value is not finite", "2 values are not finite".
std::string not_finite_text(std::int64_t count);

/// "D = 3", or "D = 3 along height" if there are several axes.
std::string text_of(const Displacement& displacement, const PositionVectors& vectors);

/// "15 offsets up to 100", and, if not all t were looked at, "65536 of 1000000 positions".
std::string extent_text(const std::vector<Displacement>& displacements,
                        const PositionVectors& vectors);

}  // namespace pegen
