#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "encodings/rotary/bounds.h"
#include "encodings/rotary/rotary_columns.h"
#include "encodings/rotary/turn_solver.h"

namespace pegen::encodings {

/// An array as angles: those by which the pairs of each row are turned.
class TurningTable {
  public:
    /// `radius` is the factor of cosines and sines.
    TurningTable(const evidence::Sample& array, RotaryColumns columns, evidence::Measured radius);

    const evidence::Sample& array() const { return *array_; }
    const RotaryColumns& columns() const { return columns_; }
    evidence::Measured radius() const { return radius_; }
    std::int64_t rows() const { return array_->leading; }  ///< that are in memory
    std::int64_t pairs() const { return columns_.pairs(); }

    ShownAngle angle(std::int64_t row, std::int64_t pair) const;
    /// Likewise, less the angle of row 0. Both functions must be there.
    ShownAngle angle_beyond_first(std::int64_t row, std::int64_t pair) const;
    /// True if the pair of this row may be turned by this angle. `drift` is as for solve().
    bool may_be(std::int64_t row, std::int64_t pair, double angle, double drift) const;
    /// True if the row may be one that is not turned.
    bool may_be_unturned(std::int64_t row) const;
    bool has_both() const { return !columns_.cosines.empty() && !columns_.sines.empty(); }

  private:
    /// Returns a value as a part of the radius.
    evidence::Measured part(std::int64_t row, std::int64_t column) const;

    const evidence::Sample* array_;
    RotaryColumns columns_;
    evidence::Measured radius_;
};

/// Returns the factor of cosines and sines, as far as the array shows it: of circles, or of cosines
/// in a first row that is not turned, or of the wave in the fastest column. None if it shows none.
std::optional<evidence::Measured> radius_of(const evidence::Sample& array,
                                            const RotaryColumns& columns);

/// Returns the frequency of each pair, where row i stands at first + i * step. Frequencies are
/// looked for within `bounds`. None if no frequency fits a pair, or several do.
std::optional<std::vector<evidence::Measured>> frequencies_at(const TurningTable& table,
                                                              double first, double step,
                                                              const Bounds& bounds, double drift);

/// The same from the angles beyond those of row 0, wherever that stands: in radians per row. Both
/// functions must be there.
std::optional<std::vector<evidence::Measured>> advances(const TurningTable& table,
                                                        const Bounds& bounds, double drift);

}  // namespace pegen::encodings
