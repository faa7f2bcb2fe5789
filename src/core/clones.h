#pragma once

// Compiles a function for several instruction sets; the best one the processor has is chosen when
// the program starts. All versions give the same values. Clang does not support target_clones on
// templates, so it compiles one version only.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PEGEN_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PEGEN_CLONES
#endif
