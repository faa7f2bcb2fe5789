#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "core/progress.h"
#include "inspect/properties/displaced.h"
#include "inspect/properties/position_vectors.h"

namespace pegen {

/// A value and its place; `position` is -1 if there is no value.
struct PlacedValue {
    double value = 0;
    std::int64_t position = -1;
    std::int64_t channel = -1;
};

/// The results of reading every value of a table once.
struct Survey {
    PlacedValue largest{};             ///< the first of the largest |value|, of finite values
    double largest_of_first_half = 0;  ///< largest |value| in each group's first half
    PlacedValue not_finite{};          ///< the first value that is not finite
    std::int64_t not_finite_count = 0;
    std::vector<double> largest_of_channel;  ///< the largest |value|
    std::vector<bool> is_constant;           ///< for each channel
    std::int64_t zero_vectors = 0;
};

/// Reads every value once, in parallel, in constant memory.
Survey survey_of(const PositionVectors& vectors, const Progress& progress);

/// Returns the largest error of a value of at most `magnitude` that was rounded to `dtype`: half of
/// the distance to the next smaller float. Returns 0 for integers.
double half_ulp(double magnitude, DType dtype);

/// The best pairing of channels, and the errors of rotations with it.
struct Turns {
    Pairing pairing;
    std::vector<Displacement> displacements;  ///< displacements with at least two vectors
    std::vector<Turn> turns;                  ///< one for each displacement
    std::size_t worst = 0;                    ///< the index of the largest residual
    double bound = 0;                         ///< the largest residual that rounding explains
    std::int64_t idle_pairs = 0;              ///< number of constant pairs, which any rotation fits

    bool hold() const { return !turns.empty() && turns[worst].residual <= bound; }
};

/// Dot products and distances of the channels in use, for each displacement.
struct AllProducts {
    std::vector<std::int64_t> channels;
    std::vector<Displacement> displacements;
    std::vector<Products> products;  ///< one for each displacement
    double dot_error = 0;            ///< the most by which rounding moves a dot product
    double distance_error = 0;       ///< the most by which rounding moves a distance
};

/// A table, and the measurements that several properties share, each made when it is first asked
/// for. All results are the same for any number of threads.
class Measured {
  public:
    /// Keeps a reference to the table, which must outlive the object. `slack` is added to every
    /// bound.
    Measured(const Table& table, double slack, Progress progress);

    const Table& table() const { return table_; }
    double slack() const { return slack_; }
    const Progress& progress() const { return progress_; }

    /// Returns why the table has no vectors at positions; "" if it has.
    const std::string& no_vectors() const { return vectors_.reason; }
    /// Returns why vectors cannot be displaced; "" if they can.
    const std::string& no_displacements();

    // Precondition of the following: no_vectors().empty().
    const PositionVectors& vectors() const { return *vectors_.vectors; }
    const Survey& survey();

    // Precondition of the following: no_displacements().empty().
    const AllProducts& products();
    /// Precondition: more than one channel.
    const Turns& turns();

    /// Returns the angle by which each pair of products().channels turns from one position to the
    /// next along the only axis, in any order. Returns nothing if the encoding has no table of
    /// frequencies, or if pairs do not turn.
    std::optional<std::vector<double>> angles();

  private:
    const Table& table_;
    double slack_;
    Progress progress_;
    VectorsOrReason vectors_;
    std::optional<std::string> no_displacements_;
    std::optional<Survey> survey_;
    std::optional<Turns> turns_;
    std::optional<AllProducts> products_;
};

}  // namespace pegen
