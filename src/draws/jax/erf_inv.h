#pragma once

namespace pegen::jax {

/// Returns the inverse of erf in single precision, as XLA computes it: a polynomial of w =
/// -log(1 - y^2), or of its root where w >= 5. The logarithm is correctly rounded, and each product
/// is added in one rounding; versions of XLA differ in both, and so in a few units in the last
/// place. Source: Giles 2012, GPU Computing Gems, chapter 10. Infinite for y = -1 and 1.
/// Precondition: |y| <= 1.
float erf_inv(float y);

}  // namespace pegen::jax
