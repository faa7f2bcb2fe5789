#include "formats/literals.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <type_traits>

#include "core/element.h"
#include "core/to_size.h"
#include "formats/number_text.h"

namespace pegen {
namespace {

/// Returns the shortest decimal, with a point or an exponent.
template <class T>
std::string decimal(T number) {
    std::array<char, longest_number> text;
    std::string result(text.data(), write_number(text.data(), number));
    return result.find_first_of(".e") == result.npos ? result + ".0" : result;
}

std::string real_text(double number, bool is_double, const NumberWords& words,
                      const std::string& type) {
    const auto special = [&](std::string_view text) {
        return fmt::format(fmt::runtime(text), type);
    };
    if (std::isnan(number)) return special(words.nan);
    if (std::isinf(number)) {
        return special(number > 0 ? words.infinity : words.minus_infinity);
    }
    if (words.is_hexadecimal) {
        // fmt writes a zero in different ways in different versions.
        if (number == 0) return std::signbit(number) ? "-0x0p+0" : "0x0p+0";
        return fmt::format("{:a}", number);
    }
    if (is_double || words.has_only_doubles) return decimal(number);
    return decimal(static_cast<float>(number)).append(words.float_suffix);
}

template <class T>
std::string integer_text(T number, const NumberWords& words) {
    if constexpr (std::is_same_v<T, bool>) {
        return std::string(number ? words.yes : words.no);
    } else if constexpr (std::is_unsigned_v<T>) {
        return fmt::format("{}{}", number, words.unsigned_suffix);
    } else {
        const bool is_lowest = std::is_same_v<T, std::int64_t> && number < -INT64_MAX;
        return is_lowest ? std::string(words.lowest_int64) : fmt::format("{}", number);
    }
}

}  // namespace

std::vector<std::string> literals(const Table& table, const NumberWords& words,
                                  const std::string& type) {
    std::vector<std::byte> bytes(to_size(total_bytes(table)));
    table.rows({0, table.shape.rows()}, bytes);
    std::vector<std::string> texts;
    with_element_type(table.dtype, [&]<class T>(std::type_identity<T>) {
        const std::span elements(reinterpret_cast<const T*>(bytes.data()),
                                 bytes.size() / sizeof(T));
        for (const T element : elements) {
            if constexpr (std::is_integral_v<T>) {
                texts.push_back(integer_text(element, words));
            } else {
                texts.push_back(real_text(widen(element), std::is_same_v<T, double>, words, type));
            }
        }
    });
    return texts;
}

}  // namespace pegen
