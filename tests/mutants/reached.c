// Records which places of a program run. `run` compiles the sources that get faults with -fsanitize-coverage=trace-pc,
// which calls the function below at the start of each block of code, and links this file.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern char __ehdr_start;
extern char* program_invocation_short_name;
static char* marks;

// Marks the byte of the caller in a file with a byte for each byte of the program. Mapped, the file keeps what a
// program marked that was killed.
void __sanitizer_cov_trace_pc(void) {
    if (marks) {
        marks[(char*)__builtin_return_address(0) - &__ehdr_start] = 1;
    }
}

// The file exists and has its size, since a test may forbid its programs to write any. Before C++ initializes anything.
__attribute__((constructor(101))) static void open_marks(void) {
    const char* const folder = getenv("PEGEN_REACHED");
    if (folder == NULL) {
        return;
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, program_invocation_short_name);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    struct stat status;
    if (file < 0) {
        return;
    }
    if (fstat(file, &status) == 0) {
        void* const mapped = mmap(NULL, status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        marks = mapped == MAP_FAILED ? NULL : mapped;
    }
    close(file);
}
