#pragma once

#include <cstdint>
#include <vector>

#include "core/dtype.h"

namespace pegen {

/// A matrix, stored row by row.
struct Matrix {
    std::int64_t rows;
    std::int64_t columns;
    std::vector<double> values;
};

/// The difference between W [x; p] and Wx x + Wp p, where W = [Wx Wp].
struct BlockSums {
    double largest = 0;         ///< the largest difference
    double bound = 0;           ///< the bound at the place of the largest difference
    std::int64_t position = 0;  ///< row of x and p with the largest difference
    std::int64_t channel = 0;   ///< row of W with the largest difference
    double largest_value = 0;   ///< |W [x; p]|
    std::int64_t beyond = 0;    ///< number of values whose difference exceeds their bound
    std::int64_t differing = 0;
    std::int64_t values = 0;
};

/// Computes both sides for every row of x (len, d) and p (len, n), with W (rows, d + n), all
/// rounded to `dtype`, float32 or float64, and in the arithmetic of `dtype`: products and sums are
/// rounded one by one, in the order of the channels.
///
/// In exact arithmetic both sides are equal. A sum of m products in floating point is off by at
/// most  gamma_m |w| . |v|,  gamma_m = m u / (1 - m u),  u = 2^-24 for float32 and 2^-53 for
/// float64 (Higham 2002, Accuracy and Stability of Numerical Algorithms, section 3.1). On the left
/// m = d + n; on the right the sums have d and n products and one more addition, which is less. So
/// the sides differ by at most  2 gamma_(d + n) |w| . |v|  as long as nothing underflows. The
/// number of threads does not matter.
BlockSums compare_blocks(const Matrix& x, const Matrix& p, const Matrix& w, DType dtype);

/// Returns W = [I I], for which concatenating is adding: W [x; p] = x + p, for d = n. In the
/// arithmetic of compare_blocks() the sides are then equal, since adding zeros is exact.
Matrix two_identities(std::int64_t d);

}  // namespace pegen
