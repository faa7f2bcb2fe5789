#pragma once

#include "formats/format.h"

namespace pegen::formats {

/// NumPy's file format, version 1.0; byte for byte the file that numpy.save of NumPy 1.24 writes
/// for the array. Source: NEP 1, numpy.lib.format.
extern const Format npy;

}  // namespace pegen::formats
