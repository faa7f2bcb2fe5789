#pragma once

#include <string>
#include <vector>

/// An NPY file with this descr, order and shape, and these elements.
std::string npy_file(const char* descr, const char* fortran_order, const char* shape,
                     const std::string& elements);

/// The same of float64, in C order.
std::string npy_of_doubles(const char* shape, const std::vector<double>& values);
