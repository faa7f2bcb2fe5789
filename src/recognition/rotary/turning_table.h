#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "recognition/evidence/simple_number.h"
#include "recognition/rotary/rotary_columns.h"

namespace pegen::recognition {

// A solver for numbers whose multiples are known as angles modulo a turn, as in the cells of
// tables.

/// One or two arcs, modulo 2 pi, within which an angle lies. A cosine alone leaves the sign of the
/// angle open; a sine alone leaves open whether the angle is beyond a quarter turn.
struct ShownAngle {
    evidence::Bounds arc;
    std::optional<evidence::Bounds> other = std::nullopt;
};

/// Returns the angle that a cosine, a sine, or both show.
ShownAngle angle_of_cosine(const Measured& cosine);
ShownAngle angle_of_sine(const Measured& sine);
ShownAngle angle_of_both(const Measured& cosine, const Measured& sine);

/// The equation scale * x = angle, modulo 2 pi.
struct TurnEquation {
    double scale;
    ShownAngle angle;
    double drifts = 1;  ///< the angle may be off by this multiple of solve()'s `drift`
};

/// Returns the stretches of `bounds` in which x may lie, ascending; none if no x satisfies the
/// equations. Equations are used in their order, which should be ascending by scale, the slowest
/// first. An equation that allows more than `most` stretches is skipped. `drift` is the relative
/// error of the angles, such as the error of float32 arithmetic.
std::vector<evidence::Bounds> solve(const evidence::Bounds& bounds,
                                    std::span<const TurnEquation> equations, double drift,
                                    std::size_t most = 256);

/// The errors of a table's values, which depend on the arithmetic that computed the table.
struct TableErrors {
    double drift;  ///< relative error of an angle, as for solve()
    double units;  ///< error of a value, in halves of a unit in the last place
};

/// Errors of exact values, rounded once; of float32 code, whose cosines are off by a unit; and of
/// ggml, which multiplies angles again and again.
inline constexpr TableErrors exact_errors{0x1p-50, 1}, float32_errors{0x1p-21, 3},
    ggml_errors{0x1p-18, 3};

/// An array read as the angles by which the pairs of each row are rotated.
class TurningTable {
  public:
    /// Reads an array whose cosines and sines are multiplied by `radius`; `errors` are the errors
    /// of its values.
    TurningTable(const Sample& array, RotaryColumns columns, Measured radius, TableErrors errors);

    const Sample& array() const { return *array_; }
    const RotaryColumns& columns() const { return columns_; }
    Measured radius() const { return radius_; }
    double drift() const { return errors_.drift; }
    std::int64_t rows() const { return array_->leading; }  ///< the rows in memory
    std::int64_t pairs() const { return columns_.pairs(); }

    ShownAngle angle(std::int64_t row, std::int64_t pair) const;
    /// Returns the angle of the pair in this row minus its angle in row 0. The table must have both
    /// cosines and sines.
    ShownAngle angle_beyond_first(std::int64_t row, std::int64_t pair) const;
    /// True if the pair in this row may be rotated by this angle.
    bool may_be(std::int64_t row, std::int64_t pair, double angle) const;
    /// True if the row may be one that is not rotated.
    bool may_be_unturned(std::int64_t row) const;
    /// True if cos^2 + sin^2 is 1 in at least half of some pairs and rows; in a table of cosines or
    /// sines alone, if seven eighths of some values are 1 at most. No angles are worth a search in
    /// other arrays.
    bool may_turn() const;
    bool has_both() const { return !columns_.cosines.empty() && !columns_.sines.empty(); }

  private:
    /// Returns a value divided by the radius.
    Measured part(std::int64_t row, std::int64_t column) const;

    const Sample* array_;
    RotaryColumns columns_;
    Measured radius_;
    TableErrors errors_;
};

/// Returns the factor of cosines and sines, found from cos^2 + sin^2 in row 0, or from the cosines
/// of row 0 if that row is not rotated, or from the wave in the fastest column. None if the array
/// does not show the factor.
std::optional<Measured> radius_of(const Sample& array, const RotaryColumns& columns);

/// Returns the frequency of a pair, where `rows` have the positions `places`. The frequency is
/// searched within `bounds`. None if no frequency fits, or several do.
std::optional<Measured> frequency_of(const TurningTable& table, std::int64_t pair,
                                     std::span<const std::int64_t> rows,
                                     std::span<const double> places,
                                     const evidence::Bounds& bounds);

/// Returns the frequency of each pair, where row i has the position first + i * step. Frequencies
/// are searched within `bounds`. None if for some pair no frequency fits, or several do.
std::optional<std::vector<Measured>> frequencies_at(const TurningTable& table, double first,
                                                    double step, const evidence::Bounds& bounds);

/// Returns the frequency of each pair in radians per row, found from the angles relative to row 0.
/// The position of row 0 is at most `farthest`, which bounds the error of its angles. If the table
/// has only cosines or only sines, the frequencies are those of waves in its columns; none if some
/// column is no wave with equal steps, or has too few rows.
std::optional<std::vector<Measured>> advances(const TurningTable& table,
                                              const evidence::Bounds& bounds, double farthest);

}  // namespace pegen::recognition
