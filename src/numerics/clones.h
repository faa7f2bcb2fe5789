#pragma once

// A loop that is compiled for several instruction sets, the best of which is chosen when the
// program starts. All give the same bits: the code asks for fused operations where it means them,
// and -ffp-contract=off keeps the compiler from making others.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PEGEN_CLONES __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define PEGEN_CLONES
#endif
