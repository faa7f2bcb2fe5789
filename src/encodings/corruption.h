#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/parameters.h"
#include "encodings/encoding.h"

// Tables with known flaws, for studies and for data to learn from: noise, dropout, a coarser dtype,
// a part of a table, another order.
namespace pegen {

/// The flaws that are drawn at random, and the parameter with the seed of their draws.
inline constexpr std::array<std::string_view, 3> random_flaws{"shuffle", "noise", "dropout"};
inline constexpr std::string_view corruption_seed = "corruption-seed";

/// The parameters of a corruption, which every table may have besides the parameters of its
/// encoding. Its steps, in their order:
///   --crop-rows, --crop-columns   keep the indices FROM to TO - 1 of the first or the last axis
///   --shuffle                     index i of the first axis, the last, or both, becomes index
///                                 argsort(uniform(key, (n,)))[i], with a stable sort
///   --noise                       x + mean + std normal(key, shape), or x + uniform(key, shape)
///   --dropout P                   x / (1 - P) where uniform(key, shape) < 1 - P, else 0
///   --round-to                    x rounded to a dtype
/// Noise and dropout are computed in double from values of the table's dtype, and rounded to it
/// once; minus infinity stays. The draws are those of jax.random in float32, each element with its
/// own counter. Step `s` of table `t` of the encoding's tables, both from 0, draws with the key
/// fold_in(fold_in(key(corruption_seed), t), s), where s is 0 for noise, 1 for dropout, 2 for the
/// order of the first axis and 3 for the last.
/// The noise "none", and noise and dropout 0, change nothing.
std::span<const ParameterSpec> corruption_parameters();

/// Returns the parameters without values that change nothing: no noise, no dropout, a seed that
/// nothing needs.
Parameters effective(Parameters corruption);

/// True if the effective() parameters change a table.
bool is_corruption(const Parameters& corruption);

/// Returns the planned table, `number` of its encoding's tables, with these steps. Its title names
/// them, and it has no siblings.
/// Throws: UsageError if a range has no index, if the table has one axis only and a step needs two,
/// or holds integers and a step makes fractions. make_rows throws the same for what is too large.
PlannedTable corrupted(PlannedTable planned, const Parameters& corruption, int number);

}  // namespace pegen
