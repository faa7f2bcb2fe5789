#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "recognition/rotary/bounds.h"
#include "recognition/rotary/rotary_columns.h"
#include "recognition/rotary/turn_solver.h"

namespace pegen::recognition {

/// How far a value may be off, which depends on what computed the table.
struct TableErrors {
    double drift;  ///< as for solve()
    double units;  ///< by how many times half a unit in the last place a value may be off
};

/// Exact values, rounded once; code in float32, whose cosines are off by a unit; and ggml, which
/// multiplies angles again and again.
inline constexpr TableErrors exact_errors{0x1p-50, 1}, float32_errors{0x1p-21, 3},
    ggml_errors{0x1p-18, 3};

/// An array as angles: those by which the pairs of each row are turned.
class TurningTable {
  public:
    /// `radius` is the factor of cosines and sines, `errors` are those of its values.
    TurningTable(const evidence::Sample& array, RotaryColumns columns, evidence::Measured radius,
                 TableErrors errors);

    const evidence::Sample& array() const { return *array_; }
    const RotaryColumns& columns() const { return columns_; }
    evidence::Measured radius() const { return radius_; }
    double drift() const { return errors_.drift; }
    std::int64_t rows() const { return array_->leading; }  ///< that are in memory
    std::int64_t pairs() const { return columns_.pairs(); }

    ShownAngle angle(std::int64_t row, std::int64_t pair) const;
    /// Likewise, less the angle of row 0. Both functions must be there.
    ShownAngle angle_beyond_first(std::int64_t row, std::int64_t pair) const;
    /// True if the pair of this row may be turned by this angle.
    bool may_be(std::int64_t row, std::int64_t pair, double angle) const;
    /// True if the row may be one that is not turned.
    bool may_be_unturned(std::int64_t row) const;
    bool has_both() const { return !columns_.cosines.empty() && !columns_.sines.empty(); }

  private:
    /// Returns a value as a part of the radius.
    evidence::Measured part(std::int64_t row, std::int64_t column) const;

    const evidence::Sample* array_;
    RotaryColumns columns_;
    evidence::Measured radius_;
    TableErrors errors_;
};

/// Returns the factor of cosines and sines, as far as the array shows it: of circles, or of cosines
/// in a first row that is not turned, or of the wave in the fastest column. None if it shows none.
std::optional<evidence::Measured> radius_of(const evidence::Sample& array,
                                            const RotaryColumns& columns);

/// Returns the frequency of a pair, where `rows` stand at `places`. It is looked for within
/// `bounds`. None if no frequency fits, or several do.
std::optional<evidence::Measured> frequency_of(const TurningTable& table, std::int64_t pair,
                                               std::span<const std::int64_t> rows,
                                               std::span<const double> places,
                                               const Bounds& bounds);

/// Returns the frequency of each pair, where row i stands at first + i * step. Frequencies are
/// looked for within `bounds`. None if no frequency fits a pair, or several do.
std::optional<std::vector<evidence::Measured>> frequencies_at(const TurningTable& table,
                                                              double first, double step,
                                                              const Bounds& bounds);

/// The same from the angles beyond those of row 0, in radians per row. Row 0 stands at `farthest`
/// at most, of which angles drift. Both functions must be there.
std::optional<std::vector<evidence::Measured>> advances(const TurningTable& table,
                                                        const Bounds& bounds, double farthest);

}  // namespace pegen::recognition
