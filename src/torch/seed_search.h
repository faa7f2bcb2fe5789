#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

// Which seed made some numbers? Thousands of seeds are tried by a few of their draws.
namespace pegen::torch {

/// The draws that are looked at together: as many as a block of normals is made of.
inline constexpr std::int64_t window_size = 16;

/// Judges a seed by its windows of draws, one after the other: each draw is the number in [0, 1)
/// that PyTorch makes of it, to within 2^-13. Many threads call it at once.
using JudgeUnits = std::function<bool(std::span<const float> units)>;

/// Returns the seeds, in their order, whose draws pass the judge. Window i begins with draw
/// first_draws[i]. Draws far behind cost no more for each seed than early ones: a draw is a linear
/// function of the seed's state, computed once for all seeds. None beyond `last_draw` is computed:
/// then there are no such seeds.
std::vector<std::int64_t> seeds_with(std::span<const std::int64_t> seeds,
                                     std::span<const std::int64_t> first_draws,
                                     const JudgeUnits& judge);

inline constexpr std::int64_t last_draw = std::int64_t{1} << 25;

/// Returns the seeds worth trying: 0 to 9999, and larger numbers that people take for seeds.
std::span<const std::int64_t> usual_seeds();

}  // namespace pegen::torch
