#pragma once

#include <cstdint>
#include <span>

#include "torch/mt19937.h"

namespace pegen::torch {

/// Which of PyTorch's code paths: vectors are what x86-64 users get, scalar what is left where
/// there is no AVX2, or with ATEN_CPU_CAPABILITY=default. The results differ in the last bits.
enum class CodePath { vectors, scalar };

/// Turns blocks of 16 uniforms u from [0, 1) into normals in place, by Box and Muller: of a block,
///     n[j]     = sqrt(-2 log(1 - u[j])) cos(2 pi u[j + 8]) std + mean
///     n[j + 8] = sqrt(-2 log(1 - u[j])) sin(2 pi u[j + 8]) std + mean,   j = 0 ... 7,
/// in single precision, bit for bit as PyTorch does. `values` holds whole blocks.
void uniforms_to_normals(std::span<float> values, float mean, float std, CodePath path);

/// The next two normals of mean 0 and deviation 1 as PyTorch makes them for a tensor of less than
/// 16 elements, in double precision, from four draws; the first is the one used first.
struct NormalPair {
    double first;
    double second;
};
NormalPair normal_pair(Mt19937& generator);

}  // namespace pegen::torch
