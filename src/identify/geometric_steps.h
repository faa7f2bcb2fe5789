#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "evidence/simple_number.h"

namespace pegen::identify {

/// Code in float32 rounds a frequency, and the number that it is made of, by this part of it.
inline constexpr double float32_share = 0x1p-21;

/// A geometric series: log(step[m]) = first - slope m.
struct Line {
    evidence::Measured first;
    evidence::Measured slope;
};

/// Fits a line to the pairs from `begin` on, without the few that lie off it. None if they are no
/// geometric series.
std::optional<Line> line_of(std::span<const evidence::Measured> steps, std::size_t begin);

}  // namespace pegen::identify
