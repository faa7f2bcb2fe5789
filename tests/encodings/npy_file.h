#pragma once

#include <string>

/// An NPY file with this descr, order and shape, and these elements.
std::string npy_file(const char* descr, const char* fortran_order, const char* shape,
                     const std::string& elements);
