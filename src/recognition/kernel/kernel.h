#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/table.h"
#include "recognition/identify.h"
#include "recognition/kernel/rotary_kernel.h"
#include "recognition/kernel/view.h"

namespace pegen::recognition {

/// An array before and after a kernel, and what the user says about its axes.
struct KernelQuestion {
    Table before;
    Table after;
    std::string path{};                  ///< the file of the array `before`, for the command
    std::optional<int> position_axis{};  ///< found if it is not given
    std::int64_t heads = 1;              ///< number of heads in the last axis, one after the other
};

enum class KernelKind {
    unknown,
    none,     ///< nothing was done
    scaled,   ///< every value is multiplied by the same number
    added,    ///< a table is added to the array or to a multiple of it
    rotated,  ///< pairs of channels are turned
};

/// Another kernel that makes the same array, but different arrays from other input.
struct OtherKernel {
    std::vector<std::string> command;
    std::string findings;
};

struct KernelIdentification {
    Verdict verdict = Verdict::not_identified;
    KernelKind kind = KernelKind::unknown;
    /// The command that makes the array after the kernel from the array before it; empty if no
    /// command of pe-gen does. If a second step is needed, `then` is its command, which reads
    /// standard input.
    std::vector<std::string> command{};
    std::vector<std::string> then{};
    Agreement agreement{};
    DType format = DType::float32;            ///< narrowest format of the values after the kernel
    std::vector<std::string> findings{};      ///< what the kernel does, one sentence each
    std::vector<OtherKernel> alternatives{};  ///< some other kernels, if ambiguous
    std::vector<std::string> nearest{};       ///< if not identified: the command that comes nearest
    std::string departure{};                  ///< where the array differs from the nearest command
    std::optional<KernelAxes> axes{};         ///< axes of a rotated or added array
    std::optional<RotaryKernel> rotary{};     ///< the kernel that was found, or the nearest one
    double factor = 1;  ///< multiplier of the array that is scaled or added to
};

/// Finds out what a kernel did to an array. Reports a kernel only if the array, computed anew with
/// the engine's numbers, agrees in every value.
/// Reads the arrays several times. Throws: what their rows throw; UsageError if their shapes
/// differ, or if they have no values or fewer than two axes.
KernelIdentification identify_kernel(const KernelQuestion& question,
                                     const Progress& progress = ignore_progress,
                                     const SearchStage& stage = ignore_stage);

}  // namespace pegen::recognition
