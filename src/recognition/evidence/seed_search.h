#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

// Search for the seed that made some numbers: thousands of seeds are tried by a few of their draws.
namespace pegen::evidence {

/// Some draws of a seed, computed when they are asked for.
class SeedDraws {
  public:
    virtual ~SeedDraws() = default;
    /// Returns draw first_draws[window] + k as the number in [0, 1) that PyTorch makes of it,
    /// accurate to 2^-13. Precondition: 0 <= k < window_size.
    virtual double unit(std::size_t window, std::int64_t k) const = 0;
    /// Returns the first `count` bits of the same draw, floor(2^count * unit): each takes as long
    /// as a twelfth of unit(). Precondition: 0 < count <= 12.
    virtual std::uint32_t first_bits(std::size_t window, std::int64_t k, int count) const = 0;
};

/// Returns the seeds, in their order, that pass the judge. Many threads call it at once.
std::vector<std::int64_t> passing(std::span<const std::int64_t> seeds,
                                  const std::function<bool(std::int64_t seed)>& judge);

/// The number of draws that can be asked for from each first draw on. PyTorch makes a block of
/// normals from so many draws.
inline constexpr std::int64_t window_size = 16;

/// A function that judges a seed by some of its draws, and a wrong seed by few. Many threads call
/// it at once.
using JudgeDraws = std::function<bool(const SeedDraws& draws)>;

/// Returns the seeds, in their order, whose draws pass the judge. Late draws cost no more for each
/// seed than early draws: a draw is a linear function of the seed's state, found once for all
/// seeds. If a draw beyond `last_draw` is asked for, no seed passes.
std::vector<std::int64_t> seeds_with(std::span<const std::int64_t> seeds,
                                     std::span<const std::int64_t> first_draws,
                                     const JudgeDraws& judge);

inline constexpr std::int64_t last_draw = std::int64_t{1} << 22;

/// Returns the seeds worth trying: 0 to 9999, and larger numbers that people choose as seeds.
std::span<const std::int64_t> usual_seeds();

/// Returns some hundred of the usual seeds, for less likely cases: 0 to 255, years, and the larger
/// numbers.
std::span<const std::int64_t> popular_seeds();

}  // namespace pegen::evidence
