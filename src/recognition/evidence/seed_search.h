#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

// Which seed made some numbers? Thousands of seeds are tried by a few of their draws.
namespace pegen::evidence {

/// Some draws of a seed, computed when they are asked for.
class SeedDraws {
  public:
    virtual ~SeedDraws() = default;
    /// Returns draw first_draws[window] + k as the number in [0, 1) that PyTorch makes of it, to
    /// within 2^-13. Precondition: 0 <= k < window_size.
    virtual double unit(std::size_t window, std::int64_t k) const = 0;
};

/// The draws that can be asked for from each of the first ones on: as many as a block of normals is
/// made of.
inline constexpr std::int64_t window_size = 16;

/// Judges a seed by some of its draws; a bad one by few of them. Many threads call it at once.
using JudgeDraws = std::function<bool(const SeedDraws& draws)>;

/// Returns the seeds, in their order, whose draws pass the judge. Draws far behind cost no more for
/// each seed than early ones: a draw is a linear function of the seed's state, found once for all
/// seeds. None beyond `last_draw` is found: then no seed passes.
std::vector<std::int64_t> seeds_with(std::span<const std::int64_t> seeds,
                                     std::span<const std::int64_t> first_draws,
                                     const JudgeDraws& judge);

inline constexpr std::int64_t last_draw = std::int64_t{1} << 22;

/// Returns the seeds worth trying: 0 to 9999, and larger numbers that people take for seeds.
std::span<const std::int64_t> usual_seeds();

/// Returns some hundred of them, for what is less likely: 0 to 255, years, and the larger ones.
std::span<const std::int64_t> popular_seeds();

}  // namespace pegen::evidence
