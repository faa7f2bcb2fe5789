#ifndef PEGEN_API_H
#define PEGEN_API_H

/* Marks what the shared library offers; everything else in it is hidden. */
#define PEGEN_API __attribute__((visibility("default")))

#endif
