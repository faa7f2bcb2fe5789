#pragma once

#include "encodings/encoding.h"

namespace pegen::encodings {

/// A table of learned positions before its first step of training, bit for bit as PyTorch makes it
/// on the CPU in float32: what
///
///     torch.manual_seed(seed)
///     for _ in range(burn): torch.empty(len, d).normal_()
///     PE = torch.empty(len, d);  init(PE);  PE[padding_row] = 0
///
/// leaves in PE, where init is normal_(m, s), uniform_(a, b), nn.init.trunc_normal_(m, s, a, b),
/// nn.init.constant_(x) or nn.init.xavier_uniform_. Making an nn.Embedding(len, d) is a call of
/// normal_ itself: a fresh one is burn 0 and normal:0,1; one that is initialized again, burn 1.
///
/// Table: encoding (len, d), axes (position, channel); rows count from 0.
/// In float32 the very bits; float64 has the same values, the narrower types those values rounded.
/// With rng torch PyTorch with AVX2 and FMA, the usual one on x86-64; with torch-scalar without,
/// and with glibc 2.28 to 2.40. trunc_normal_ is that of builds without MKL and with such a glibc.
/// Checked with PyTorch 1.13.
/// The generator is sequential: rows far behind those asked for before take the time of those
/// between.
/// Source: Devlin et al. 2018, arXiv:1810.04805; PyTorch, aten/src/ATen/native/cpu.
extern const Encoding learned;

}  // namespace pegen::encodings
