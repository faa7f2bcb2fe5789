#pragma once

// A loop that is compiled for several instruction sets, the best of which is chosen when the
// program starts. All give the same values. Clang knows no such templates: it makes one loop.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PEGEN_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PEGEN_CLONES
#endif
