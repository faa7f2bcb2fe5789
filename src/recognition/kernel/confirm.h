#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/progress.h"
#include "recognition/evidence/precision.h"
#include "recognition/identify.h"
#include "recognition/kernel/rotary_kernel.h"
#include "recognition/kernel/view.h"

namespace pegen::recognition {

/// How a kernel's result, computed with the engine's cos and sin, agrees with an array.
struct KernelAgreement {
    Agreement agreement;
    std::int64_t turned = 0;   ///< values that the kernel changes by more than the errors
    std::int64_t spoiled = 0;  ///< those of them that are beyond the level
    std::vector<bool> turns;   ///< for each channel: whether any value is turned
    std::vector<std::int64_t> by_position;  ///< values beyond the level at each position
    std::vector<std::int64_t> by_sample;
    std::vector<std::int64_t> by_channel;
};

/// Compares the first positions and some samples. `unit` is half a unit in the last place of the
/// arithmetic, relative to 1. Throws: UsageError for impossible settings.
KernelAgreement compare_sample(const KernelSample& sample, const RotaryKernel& kernel, double unit);

/// Compares the whole arrays. `precision` is that of the array after the kernel.
KernelAgreement compare_all(const KernelView& view, const RotaryKernel& kernel,
                            const evidence::Precision& precision,
                            const Progress& progress = ignore_progress);

/// Returns where an array leaves the kernel, "at positions 10 to 19"; "" if all over.
std::string departure_of(const KernelAgreement& found, const KernelView& view);

}  // namespace pegen::recognition
