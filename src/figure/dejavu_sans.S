/* The bytes of DejaVuSans.ttf, between dejavu_sans_begin and dejavu_sans_end. */
    .section .rodata
    .global dejavu_sans_begin
    .global dejavu_sans_end
    .balign 16
dejavu_sans_begin:
    .incbin DEJAVU_SANS
dejavu_sans_end:
    .section .note.GNU-stack,"",%progbits
