#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/dtype.h"
#include "numerics/channel_layout.h"
#include "numerics/real.h"

namespace pegen {

/// A number in a formula: a function that computes it with the bits of numerics::Precision, and its
/// text in the formula.
struct Term {
    std::function<numerics::Real()> value = nullptr;  ///< null if the number has no such function
    std::string text{};                               ///< "10000^(-2/128)"
};

/// How one value of a table is computed, for `pe-gen explain`. All numbers and texts describe the
/// exact formula, whatever --arith says.
struct Cell {
    /// The value and its formula with all numbers filled in: "cos(7 * 10000^(-2/128))". The text
    /// may be empty. The function is null if only the whole table or a random generator gives the
    /// value.
    Term value{};
    std::optional<numerics::Function> function{};  ///< applied to the angle
    std::string of{};                              ///< the grid axis that the value encodes: "x"
    std::optional<std::int64_t> pair{};            ///< index of the frequency, counted from 0
    /// The channel that holds the other function of the same angle, an index on the same axis.
    std::optional<std::int64_t> partner{};
    std::function<numerics::Real()> frequency = nullptr;  ///< in radians per position
    std::function<numerics::Real()> angle = nullptr;      ///< in radians
    std::string note{};  ///< why the value is what it is: a special case, the distance
    /// Returns a double whose rounding to the dtype is the element of the table, where a row costs
    /// more than its element. Null: the element is read in the table. Throws: as Plan::make_rows.
    std::function<double(DType)> held = nullptr;
};

}  // namespace pegen
