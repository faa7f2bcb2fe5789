#include "core/read_double.h"

#ifndef __cpp_lib_to_chars
#include <fast_float/fast_float.h>

#include <cmath>
#endif

namespace pegen {

std::from_chars_result read_double(std::string_view text, double& value) {
    const char* const end = text.data() + text.size();
#ifdef __cpp_lib_to_chars
    return std::from_chars(text.data(), end, value);
#else
    double number = 0;
    const auto [stop, error] = fast_float::from_chars(text.data(), end, number);
    if (error != std::errc()) return {stop, error};
    // Older versions give 0 or infinity for a number that is too small or too large.
    const std::string_view read(text.data(), stop - text.data());
    const std::string_view digits = read.substr(0, read.find_first_of("eE"));
    const bool is_zero = digits.find_first_of("123456789") == digits.npos;
    if (!is_zero && (number == 0 || std::isinf(number)))
        return {stop, std::errc::result_out_of_range};
    value = number;
    return {stop, error};
#endif
}

}  // namespace pegen
