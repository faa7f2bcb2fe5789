#pragma once

#include "encodings/drawn/draws.h"
#include "recognition/identify/kernels.h"
#include "recognition/identify/trial.h"
#include "recognition/kernel/rotary_kernel.h"

namespace pegen::trials {

/// An array before and after a rotary kernel, and what the kernel does.
struct KernelTrial {
    std::string name;
    testing::Kernel kernel;
    recognition::RotaryKernel truth;  ///< the kernel in the words of an answer
    Array before;
    Array after;
};

/// Draws a kernel of public code, right or with one of the mistakes that ports have, and applies it
/// to random numbers.
KernelTrial drawn_kernel(Random& random);

/// Asks `identify` what was done to the array. An answer is right if it turns the same channels, by
/// the same angles at four times as many positions, and has the same mistakes.
Judgement judge(const KernelTrial& trial);

}  // namespace pegen::trials
