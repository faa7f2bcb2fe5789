#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "figure/limits.h"

namespace pegen {

struct Tick {
    double value;
    std::string label;      ///< empty: none
    bool is_minor = false;  ///< a shorter line
};

/// Ticks of a continuous axis: multiples of a step inside the limits (ends included). The step is
/// the first of 1, 2, 2.5, 5, 10 (times a power of ten) that makes at most `intervals` intervals,
/// or a smaller one of them if fewer than two ticks would be inside.
/// The labels are the exact decimals, all with the same number of digits after the point; with an
/// exponent, the same for all ("1.5e-6", with U+2212 for the minus), where the largest is below
/// 1e-4 or from 1e6 on and the exponent makes them shorter.
std::vector<Tick> value_ticks(Limits limits, int intervals);

/// Ticks of an axis of indices: the same, with whole steps only and never an exponent.
std::vector<Tick> index_ticks(Limits limits, int intervals);

/// Ticks of a logarithmic axis: powers of ten ("10⁴", with superscript digits), every one or every
/// second, third ... so as to make at most `intervals` intervals; between neighbouring ones, minor
/// ticks at their multiples. Where the limits hold fewer than two powers, value_ticks().
/// 0 < low < high.
std::vector<Tick> power_ticks(Limits limits, int intervals);

}  // namespace pegen
