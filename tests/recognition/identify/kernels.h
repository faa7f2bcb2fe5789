#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "recognition/identify/array.h"
#include "recognition/kernel/kernel.h"

// Rotary kernels as code bases have them, written from their formulas, for tests of `identify`.
namespace pegen::testing {

/// A pairing: which two channels of a head are rotated together, or which angle a channel has.
enum class Pairs { halves, neighbours };

/// The arithmetic of a kernel.
enum class Arithmetic {
    exact,    ///< in double, rounded once to the dtype of the array
    stepwise  ///< angles in float32; cos, sin, products and sums each rounded to the dtype
};

/// A kernel: y[j] = x[j] cos[a(j)] + rotate(x)[j] sin[a(j)].
struct Kernel {
    std::int64_t dim;  ///< rotated channels
    double base = 10000;
    Pairs pairing = Pairs::halves;
    Pairs layout = Pairs::halves;   ///< the layout of cos and sin
    std::int64_t first = 0;         ///< the first rotated channel
    bool reads_neighbours = false;  ///< puts the even channels before the odd ones first
    double start = 0;
    double step = 1;
    double factor = 1;
    double sign = 1;                      ///< factor of sin
    double of_cos = 1;                    ///< factor of cos
    bool lacks_minus = false;             ///< computes x[a] cos + x[b] sin
    bool exchanges = false;               ///< exchanges cos and sin
    std::vector<double> frequencies{};    ///< used instead of the frequencies of the base
    std::vector<double> positions{};      ///< used instead of start and step
    std::optional<DType> angle_format{};  ///< dtype that positions times frequencies are rounded to
    std::optional<DType> table_format{};  ///< dtype that cos and sin are rounded to
    Arithmetic arithmetic = Arithmetic::stepwise;
};

/// Returns an array of normal numbers.
trials::Array random_array(std::vector<std::int64_t> extents, DType dtype, std::uint64_t seed);

/// Applies the kernel along the last axis; positions are counted along `position_axis`.
trials::Array applied(const Kernel& kernel, const trials::Array& x, int position_axis);

/// Asks which kernel made `after` from x.npy, which holds `before`.
recognition::KernelIdentification asked(const trials::Array& before, const trials::Array& after);

/// True if the findings of the answer have the text.
bool says(const recognition::KernelIdentification& answer, std::string_view text);

}  // namespace pegen::testing
