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

/// An array before and after a kernel, and what the user says of its axes.
struct KernelQuestion {
    Table before;
    Table after;
    std::string path{};                  ///< of the array before, for the command
    std::optional<int> position_axis{};  ///< none: it is found
    std::int64_t heads = 1;              ///< in the last axis, one after the other
};

enum class KernelKind {
    unknown,
    none,     ///< nothing was done
    scaled,   ///< every value is multiplied by the same number
    added,    ///< a table is added, perhaps to a multiple
    rotated,  ///< pairs of channels are turned
};

/// Another kernel that makes the same array, but would not make the same of others.
struct OtherKernel {
    std::vector<std::string> command;
    std::string findings;
};

struct KernelIdentification {
    Verdict verdict = Verdict::not_identified;
    KernelKind kind = KernelKind::unknown;
    /// The command that makes the array after of the one before; empty if none of pe-gen does.
    /// If it is not the last step, `then` is the next one, which reads standard input.
    std::vector<std::string> command{};
    std::vector<std::string> then{};
    Agreement agreement{};
    DType format = DType::float32;            ///< the narrowest that holds the values after
    std::vector<std::string> findings{};      ///< what the kernel does, a sentence each
    std::vector<OtherKernel> alternatives{};  ///< some, if ambiguous
    std::vector<std::string> nearest{};       ///< if not identified: the command that comes nearest
    std::string departure{};                  ///< where the array leaves it
    std::optional<KernelAxes> axes{};         ///< of a rotated or added array
    std::optional<RotaryKernel> rotary{};     ///< what was found, or the nearest
    double factor = 1;                        ///< of a scaled array, or of one that is added to
};

/// Finds out what a kernel did to an array. Claims nothing that the array, computed anew by the
/// engine's numbers, does not confirm in every value.
/// Reads the arrays several times. Throws: what their rows throw; UsageError if their shapes
/// differ, or if they have no values or less than two axes.
KernelIdentification identify_kernel(const KernelQuestion& question,
                                     const Progress& progress = ignore_progress);

}  // namespace pegen::recognition
