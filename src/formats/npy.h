#pragma once

#include "formats/format.h"

namespace pegen::formats {

/// NumPy's file format, version 1.0; byte for byte the file that numpy.save of NumPy 1.24 writes
/// for the array. Source: NEP 1, numpy.lib.format.
extern const Format npy;

/// NumPy's archive of arrays, as numpy.savez writes it: a ZIP archive in which the table cos is the
/// NPY file cos.npy, not compressed. Source: numpy.lib.npyio.
extern const Format npz;

}  // namespace pegen::formats
