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

/// The numbers of values that are not as a kernel makes them, along the axes of a view.
struct OffPlaces {
    explicit OffPlaces(const KernelView& view)
        : by_position(view.positions), by_sample(view.samples()), by_channel(view.channels) {}
    OffPlaces(std::int64_t positions, std::int64_t samples, std::int64_t channels)
        : by_position(positions), by_sample(samples), by_channel(channels) {}

    std::vector<std::int64_t> by_position;
    std::vector<std::int64_t> by_sample;
    std::vector<std::int64_t> by_channel;
};

/// The agreement of a kernel's result, computed with the engine's cos and sin, with an array.
struct KernelAgreement {
    Agreement agreement;
    std::int64_t turned = 0;   ///< values that the kernel changes by more than their errors
    std::int64_t spoiled = 0;  ///< turned values that are beyond the tolerance
    std::vector<bool> turns;   ///< for each channel: whether any of its values is turned
    OffPlaces off{0, 0, 0};    ///< values beyond the tolerance
};

/// Compares the kernel's result with the sample, at its first position and each `every`th behind.
/// `unit` is half a unit in the last place of the arithmetic, relative to 1. Throws: UsageError for
/// impossible settings.
KernelAgreement compare_sample(const KernelSample& sample, const RotaryKernel& kernel, double unit,
                               std::int64_t every = 1);

/// Compares the kernel's result with the whole array. `precision` is the precision of the array
/// after the kernel.
KernelAgreement compare_all(const KernelView& view, const RotaryKernel& kernel,
                            const evidence::Precision& precision,
                            const Progress& progress = ignore_progress);

/// Returns where the array differs from the kernel's result, "in rows 10 to 19 of the positions";
/// "" if the differences are spread over the whole array.
std::string departure_of(const OffPlaces& off, const KernelView& view);

}  // namespace pegen::recognition
