#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "core/parameters.h"
#include "encodings/encoding.h"

namespace pegen {

/// An index along an axis of a table, and what it means.
struct ExplainedIndex {
    std::string axis;  ///< "position"
    std::int64_t index;
    /// The position it stands for, "7", the point of a grid, "3,5", or the name, "cos"; "" for
    /// nothing but the index itself.
    std::string stands_for;
};

/// What `value` of an Explanation is.
enum class ValueKind {
    exact,            ///< the value, in full
    formula,          ///< the formula, to 40 digits
    nearest_float64,  ///< the nearest float64, to 40 digits: the encoding does not say more
};

/// Returns "exact", "the formula to 40 digits" or "the nearest float64".
std::string_view name_of(ValueKind kind);

/// A value as a table holds it.
struct HeldValue {
    DType dtype;
    std::string value;  ///< in full, or with the digits that show the error
    std::string error;  ///< how much larger it is than the exact value: "-1.2e-17", "0"
};

/// What the usual float32 arithmetic makes of the value.
struct Float32Value {
    std::string value;
    std::string error;  ///< as in HeldValue
    std::string ulps;   ///< the error in units of the last bit that a float32 of this size has
};

/// How one value of a table comes about. A text that is empty is not known, or makes no sense.
struct Explanation {
    std::string encoding{};
    std::string preset{};  ///< "" if it was asked for by the encoding's own name
    std::string table{};
    std::vector<ExplainedIndex> at{};       ///< one for each axis
    std::string function{};                 ///< "sin" or "cos" of the angle
    std::string of{};                       ///< the axis of a grid that the channel encodes: "x"
    std::optional<std::int64_t> pair{};     ///< the number of the frequency
    std::optional<std::int64_t> partner{};  ///< the channel with the other function of the angle
    std::string frequency{};                ///< in radians per position, 20 digits
    std::string wavelength{};               ///< in positions per turn, 20 digits
    std::string angle{};                    ///< in radians, 20 digits
    std::string formula{};                  ///< with numbers: "cos(7 * 10000^(-2/128))"
    std::string value{};                    ///< 40 digits, or fewer if those are all
    ValueKind kind = ValueKind::exact;      ///< what that is
    std::vector<HeldValue> dtypes{};        ///< in every dtype that can hold the table
    std::optional<Float32Value> float32{};  ///< if the encoding knows that arithmetic
    std::vector<std::string> notes{};       ///< what else there is to know, a sentence each
};

/// Explains the value of a table with these indices: one for each axis, or, in the place of the
/// index of an axis that counts the points of a grid, those along the grid's own axes. Makes the
/// row of the table in every dtype, as Plan::make_rows does; so quick where a row is. `preset` is
/// the name it was asked for by, "" for the encoding's own. Throws: as plan_table; UsageError,
/// naming --at, for other numbers of indices, and for indices that the table does not have.
Explanation explanation_of(const Encoding& encoding, const TableSpec& table,
                           const Parameters& parameters, std::string_view preset,
                           std::span<const std::int64_t> at);

}  // namespace pegen
