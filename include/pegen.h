#ifndef PEGEN_H
#define PEGEN_H

/* The C interface of pe-gen, for languages that call C: tables, figures and files by the words of
   its command line. C++ has pegen/table.h, Python has posenc.

       const char *words[] = {"fairseq", "--d", "512", "--len", "1024"};
       pegen_table *table;
       if (pegen_open(words, 5, &table) != PEGEN_DONE) {
           fprintf(stderr, "%s\n", pegen_message());
           return 1;
       }
       float two_rows[2 * 512];
       pegen_read_rows(table, 0, 2, two_rows, sizeof two_rows);
       pegen_close(table);

   A function that can fail returns a status. If that is not PEGEN_DONE, pegen_message() says why,
   and nothing else has changed: no file, and no place that a pointer names, but for `out` of
   pegen_read_rows(). No exception leaves a function.

   Texts are UTF-8 and end in a zero. Those that are returned belong to the library or the table.
   Threads may call any function at once, on one table, too, except pegen_close() on a table that
   another still uses. Rows are computed by as many threads as there are processors, unless the
   words have --threads or the environment has OMP_NUM_THREADS; after fork(), by one.

   A name that begins with "pegen_" or "PEGEN_" belongs to this header. */

#include <stddef.h>
#include <stdint.h>

#include "pegen/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The status with which pe-gen would end. */
enum pegen_status {
    PEGEN_DONE = 0,
    PEGEN_USAGE = 2,     /* the words or the arguments ask for something impossible */
    PEGEN_MALFORMED = 3, /* a file that the words name is not what it should be */
    PEGEN_FILE = 4,      /* a file cannot be read or written */
    PEGEN_MEMORY = 5,    /* out of memory */
    PEGEN_FAULT = 70     /* the library is at fault, or the machine it runs on */
};

/* A table whose values are computed when rows are asked for. It never changes. */
typedef struct pegen_table pegen_table;

/* The version of pe-gen: "0.1.0". */
PEGEN_API const char* pegen_version(void);

/* The reason why the last call of this thread that did not return PEGEN_DONE failed: one line
   without control characters that names the thing, the value, the rule and the remedy. "" if no
   call has failed. Valid until the next call of this thread fails. */
PEGEN_API const char* pegen_message(void);

/* Plans the table that `pe-gen WORDS...` makes: the name of an encoding or a preset, then options
   such as --d, --dtype and --table. Words that write or show something are refused.
   pegen_close() frees the table. */
PEGEN_API int pegen_open(const char* const* words, size_t count, pegen_table** table);

/* Frees a table; NULL is allowed. */
PEGEN_API void pegen_close(pegen_table* table);

/* The dtype as NumPy calls it: "float32", "float64", "float16", "int64", "int32"; or "bfloat16",
   the upper half of a float32. */
PEGEN_API const char* pegen_dtype(const pegen_table* table);

/* The number of axes: 2 for (position, channel). */
PEGEN_API size_t pegen_rank(const pegen_table* table);

/* The extents of the axes, outermost first; pegen_rank() numbers. */
PEGEN_API const int64_t* pegen_shape(const pegen_table* table);

/* The name of an axis, counted from 0: "position". NULL if there is no such axis. */
PEGEN_API const char* pegen_axis(const pegen_table* table, size_t axis);

/* The number of rows. A row is everything along the last axis; of a table of one axis, each element
   is a row. */
PEGEN_API int64_t pegen_rows(const pegen_table* table);

/* The size of a row in bytes. */
PEGEN_API int64_t pegen_row_bytes(const pegen_table* table);

/* Notes for the user on how the table was found, such as values taken from a model's config.json:
   lines, each with a line feed; "" if there are none. */
PEGEN_API const char* pegen_notes(const pegen_table* table);

/* Fills `out` with rows first ... first + count - 1, counted from 0, in row-major order, as
   elements of the dtype in the byte order of the machine. `bytes` must be count *
   pegen_row_bytes(table). `out` needs no alignment beyond that of the elements. If the call fails,
   `out` may have been written in part. */
PEGEN_API int pegen_read_rows(const pegen_table* table, int64_t first, int64_t count, void* out,
                              size_t bytes);

/* Makes the bytes of the file that `pe-gen WORDS... --FORMAT PATH` writes. `format` is npy, npz,
   safetensors, json, csv, text, png, svg or pdf. pegen_free() frees the bytes. */
PEGEN_API int pegen_file(const char* const* words, size_t count, const char* format, void** file,
                         size_t* bytes);

/* Frees what pegen_file() has made; NULL is allowed. */
PEGEN_API void pegen_free(void* file);

/* Writes the files that `pe-gen WORDS... -o PATH` writes: PATH, in the format that its extension
   says, and the files that the words name; all of them whole, or none. */
PEGEN_API int pegen_save(const char* const* words, size_t count, const char* path);

#ifdef __cplusplus
}
#endif

#endif
