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

/// Pairs that are rotated, each row by its own angles or by steps that no settings explain.
struct UnexplainedTurns {
    Convention convention;
    std::vector<evidence::Measured> steps;  ///< from row to row, of each pair; none if not equal
};

struct RotaryFindings {
    std::vector<RotaryFinding> agreeing;     ///< with every value of the sample, simplest first
    std::optional<RotaryFinding> nearest{};  ///< else the one that most values agree with, if many
    std::optional<UnexplainedTurns> unexplained{};  ///< else what is turned at all
};

/// Looks for the rotary kernels that make `after` of `before`. `view` is what the sample is of.
RotaryFindings find_rotary_kernels(const KernelSample& sample, const KernelView& view);

}  // namespace pegen::recognition
