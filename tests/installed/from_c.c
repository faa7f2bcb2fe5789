/* Writes to standard output the NPY file of the table that the arguments ask for. */

#include <pegen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
    const char* const* words = (const char* const*)argv + 1;
    const size_t count = (size_t)argc - 1;
    pegen_table* table;
    int status = pegen_open(words, count, &table);
    if (status != PEGEN_DONE) {
        fprintf(stderr, "pe-gen: %s\n", pegen_message());
        return status;
    }
    const size_t size = (size_t)(pegen_rows(table) * pegen_row_bytes(table));
    char* rows = malloc(size);
    void* file;
    size_t bytes;
    if (pegen_read_rows(table, 0, pegen_rows(table), rows, size) != PEGEN_DONE ||
        pegen_file(words, count, "npy", &file, &bytes) != PEGEN_DONE) {
        return 1;
    }
    if (memcmp((char*)file + bytes - size, rows, size) != 0) return 1;
    fwrite(file, 1, bytes, stdout);
    pegen_free(file);
    free(rows);
    pegen_close(table);
    return 0;
}
