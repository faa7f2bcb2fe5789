#include "numerics/out_of_memory.h"

#include <gmp.h>

#include <cstdlib>

namespace pegen::numerics {
namespace {

void (*end_program)() = std::abort;

void* checked(void* memory) {
    if (!memory) end_program();
    return memory;
}

void* allocate(std::size_t size) { return checked(std::malloc(size)); }

void* reallocate(void* memory, std::size_t, std::size_t size) {
    return checked(std::realloc(memory, size));
}

void release(void* memory, std::size_t) { std::free(memory); }

}  // namespace

void call_without_memory(void (*end)()) {
    end_program = end;
    mp_set_memory_functions(allocate, reallocate, release);
}

}  // namespace pegen::numerics
