/* The bytes of DejaVuSans.ttf, between dejavu_sans_begin and dejavu_sans_end. */
#include "core/embedded.inc"
    READ_ONLY
    GLOBAL(dejavu_sans_begin)
    GLOBAL(dejavu_sans_end)
    .balign 16
LABEL(dejavu_sans_begin)
    .incbin DEJAVU_SANS
LABEL(dejavu_sans_end)
    .byte 0
    NO_EXECUTABLE_STACK
