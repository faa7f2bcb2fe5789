/* The bytes of DejaVuSans.ttf, between dejavu_sans_begin and dejavu_sans_end. */
#ifdef __wasm__
#define SECTION(name) .section name, "", @
#define LABEL(name) .type name, @object; .size name, 1; name:
#else
#define SECTION(name) .section name
#define LABEL(name) name:
#endif
    SECTION(.rodata)
    .global dejavu_sans_begin
    .global dejavu_sans_end
    .balign 16
LABEL(dejavu_sans_begin)
    .incbin DEJAVU_SANS
LABEL(dejavu_sans_end)
    .byte 0
#ifndef __wasm__
    .section .note.GNU-stack,"",%progbits
#endif
