#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Returns an NPY file with this descr, order and shape, and these elements.
std::string npy_file(const char* descr, const char* fortran_order, std::string_view shape,
                     const std::string& elements);

/// Returns an NPY file of float64 in C order.
std::string npy_of_doubles(std::string_view shape, const std::vector<double>& values);
