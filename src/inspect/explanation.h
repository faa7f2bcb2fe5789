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

/// An index along an axis of a table, and its meaning.
struct ExplainedIndex {
    std::string axis;  ///< "position"
    std::int64_t index;
    /// The position of the index, "7", the point of a grid, "3,5", or the name, "cos"; "" if the
    /// index means only itself.
    std::string stands_for;
};

/// The kind of Explanation::value.
enum class ValueKind {
    exact,            ///< the value, in full
    formula,          ///< the formula, to 40 digits
    nearest_float64,  ///< the nearest float64, to 40 digits: the encoding gives no more
};

/// Returns "exact", "the formula to 40 digits" or "the nearest float64".
std::string_view name_of(ValueKind kind);

/// A value as a table holds it.
struct HeldValue {
    DType dtype;
    std::string value;  ///< in full, or with the digits that show the error
    std::string error;  ///< the excess over the exact value: "-1.2e-17", "0"
};

/// The value that the usual float32 arithmetic computes.
struct Float32Value {
    std::string value;
    std::string error;  ///< as in HeldValue
    std::string ulps;   ///< the error in units in the last place of a float32 of this size
};

/// The origin of one value of a table. An empty text is not known, or makes no sense here.
struct Explanation {
    std::string encoding{};
    std::string preset{};  ///< "" if the user named the encoding itself
    std::string table{};
    std::vector<ExplainedIndex> at{};       ///< one for each axis
    std::string function{};                 ///< "sin" or "cos" of the angle
    std::string of{};                       ///< the axis of a grid that the channel encodes: "x"
    std::optional<std::int64_t> pair{};     ///< the number of the frequency
    std::optional<std::int64_t> partner{};  ///< the channel with the other function of the angle
    std::string frequency{};                ///< in radians per position, 20 digits
    std::string wavelength{};               ///< in positions per turn, 20 digits
    std::string angle{};                    ///< in radians, 20 digits
    std::string formula{};                  ///< the formula with numbers: "cos(7 * 10000^(-2/128))"
    std::string value{};                    ///< 40 digits, or fewer if the value has fewer
    ValueKind kind = ValueKind::exact;      ///< the kind of `value`
    std::vector<HeldValue> dtypes{};        ///< the value in every dtype that can hold the table
    std::optional<Float32Value> float32{};  ///< none if the encoding has no float32 arithmetic
    std::vector<std::string> notes{};       ///< further facts, a sentence each
};

/// Explains the value of a table with these indices: one for each axis, or, in place of the index
/// of an axis that counts the points of a grid, the indices along the grid's own axes. Makes the
/// row of the table in every dtype, as Plan::make_rows does, and so takes as long as making the
/// row. `preset` is the preset that the user named, "" for the encoding's own name. Throws the
/// exceptions of plan_table; UsageError, naming --at, for a wrong number of indices, and for
/// indices that the table does not have.
Explanation explanation_of(const Encoding& encoding, const TableSpec& table,
                           const Parameters& parameters, std::string_view preset,
                           std::span<const std::int64_t> at);

}  // namespace pegen
