#pragma once

#include "formats/format.h"

namespace pegen::formats {

/// NumPy's archive of arrays, as numpy.savez writes it: a ZIP archive in which the table cos is the
/// NPY file cos.npy, not compressed. Source: numpy.lib.npyio.
extern const Format npz;

}  // namespace pegen::formats
