#pragma once

#include <optional>
#include <vector>

#include "recognition/evidence/simple_number.h"
#include "recognition/kernel/confirm.h"
#include "recognition/kernel/rotary_kernel.h"
#include "recognition/kernel/view.h"

namespace pegen::recognition {

struct RotaryFinding {
    RotaryKernel kernel;
    KernelAgreement found;
};

/// Pairs that are rotated, but by other angles in each row or by steps that no settings explain.
struct UnexplainedTurns {
    Convention convention;
    std::vector<Measured> steps;  ///< step of each pair from row to row; empty if unequal
};

struct RotaryFindings {
    std::vector<RotaryFinding> agreeing;     ///< agree with the whole sample; simplest first
    std::optional<RotaryFinding> nearest{};  ///< else the kernel that fits most values, if many
    std::optional<UnexplainedTurns> unexplained{};  ///< else the pairs that are turned
};

/// Returns the kernel with a position for each row of the view, found one by one in the first of
/// the samples. Rows behind the first row that has no position go on by the kernel's step.
RotaryKernel with_positions_of_rows(const RotaryKernel& kernel, const KernelSample& sample,
                                    const KernelView& view);

/// Finds the rotary kernels that make `after` from `before`. `view` is the view from which the
/// sample was read.
RotaryFindings find_rotary_kernels(const KernelSample& sample, const KernelView& view);

}  // namespace pegen::recognition
