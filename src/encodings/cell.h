#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "numerics/channel_layout.h"
#include "numerics/real.h"

namespace pegen {

/// A number of a formula: how to evaluate it, with the bits of numerics::Precision, and how the
/// formula has it.
struct Term {
    std::function<numerics::Real()> value = nullptr;  ///< null: there is none
    std::string text{};                               ///< "10000^(-2/128)"
};

/// How one value of a table comes about: `pe-gen explain`. All of it is that of the exact formula,
/// whatever --arith says.
struct Cell {
    /// The value, with all numbers filled in: "cos(7 * 10000^(-2/128))". A text may be empty, and
    /// a value null where only the whole table or a generator of random numbers gives it.
    Term value{};
    std::optional<numerics::Function> function{};  ///< of the angle
    std::string of{};                              ///< the axis of a grid that it encodes: "x"
    std::optional<std::int64_t> pair{};            ///< the number of the frequency, from 0 on
    /// The channel, an index of the same axis, with the other function of the same angle.
    std::optional<std::int64_t> partner{};
    std::function<numerics::Real()> frequency = nullptr;  ///< in radians per position
    std::function<numerics::Real()> angle = nullptr;      ///< in radians
    std::string note{};                                   ///< what is special about it: why it is 0
};

}  // namespace pegen
