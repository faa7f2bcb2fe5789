#include "core/read_double.h"

#ifndef __cpp_lib_to_chars
#include <fast_float/fast_float.h>
#endif

namespace pegen {

std::from_chars_result read_double(std::string_view text, double& value) {
    const char* const end = text.data() + text.size();
#ifdef __cpp_lib_to_chars
    return std::from_chars(text.data(), end, value);
#else
    double number = 0;
    const auto [stop, error] = fast_float::from_chars(text.data(), end, number);
    if (error == std::errc()) value = number;
    return {stop, error};
#endif
}

}  // namespace pegen
