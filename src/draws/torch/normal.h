#pragma once

#include <cstdint>
#include <span>

#include "draws/torch/mt19937.h"

namespace pegen::torch {

/// One of PyTorch's code paths. x86-64 users get `vectors`; `scalar` is used without AVX2 or with
/// ATEN_CPU_CAPABILITY=default. The results differ in the last bits.
enum class CodePath { vectors, scalar };

/// Turns blocks of 16 uniforms u from [0, 1) into normals in place, by the Box-Muller transform. In
/// each block
///     n[j]     = sqrt(-2 log(1 - u[j])) cos(2 pi u[j + 8]) std + mean
///     n[j + 8] = sqrt(-2 log(1 - u[j])) sin(2 pi u[j + 8]) std + mean,   j = 0 ... 7,
/// in single precision, with PyTorch's bits. `values` holds whole blocks.
void uniforms_to_normals(std::span<float> values, float mean, float std, CodePath path);

struct NormalPair {
    double first;
    double second;
};

/// Makes the next two normals of mean 0 and deviation 1 from four draws, in double precision, as
/// PyTorch does for a tensor of less than 16 elements.
NormalPair normal_pair(Mt19937& generator);

}  // namespace pegen::torch
