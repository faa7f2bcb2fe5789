#include "encodings/npy_file.h"

#include <fmt/format.h>

std::string npy_file(const char* descr, const char* fortran_order, std::string_view shape,
                     const std::string& elements) {
    const std::string dictionary = fmt::format(
        "{{'descr': '{}', 'fortran_order': {}, 'shape': {}}}\n", descr, fortran_order, shape);
    using namespace std::string_literals;
    return "\x93NUMPY\x01\0"s + static_cast<char>(dictionary.size()) + '\0' + dictionary + elements;
}

std::string npy_of_doubles(std::string_view shape, const std::vector<double>& values) {
    return npy_file("<f8", "False", shape,
                    {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
}
