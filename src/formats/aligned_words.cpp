#include "formats/aligned_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "core/dtype.h"
#include "formats/number_text.h"

namespace pegen {
namespace {

/// The digits after the point, NumPy's print option `precision`.
constexpr int precision = 8;

/// A float, and the digits that distinguish it from its neighbours.
struct Float {
    double value;
    Decimal shortest;  ///< empty digits if the value is not finite
};

/// Writes the number without an exponent. Before the point it has the true digits of the binary
/// number, even if fewer would distinguish it from its neighbours: the float16 8792 is not written
/// as 8790.
std::string fixed_word(const Float& number) {
    const int exponent = number.shortest.exponent;
    const int places = static_cast<int>(number.shortest.digits.size()) - 1 - exponent;
    if (places > precision) return fixed_text(number.value, precision);
    return fixed_text(places < 0 ? rounded_decimal(number.value, exponent) : number.shortest);
}

/// Returns the decimal from which the common number of digits is chosen.
Decimal own_decimal(const Float& number) {
    if (number.shortest.digits.size() <= precision + 1) return number.shortest;
    Decimal decimal = rounded_decimal(number.value, precision);
    decimal.digits.erase(std::max<std::size_t>(decimal.digits.find_last_not_of('0') + 1, 1));
    return decimal;
}

/// Writes the number with an exponent and the common number of digits. Digits beyond the shortest
/// decimal are the true digits of the binary number, not zeros: 0.1 as a float32 with nine digits
/// is 1.00000001e-01.
std::string scientific_word(const Float& number, int places, int exponent_digits) {
    const std::size_t digits = places + 1;
    return scientific_text(number.shortest.digits.size() == digits
                               ? number.shortest
                               : rounded_decimal(number.value, places),
                           exponent_digits);
}

std::string special_word(double value) {
    return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
}

/// Divides as NumPy does, in the array's own type, in which the quotient may round to 1000 or
/// overflow.
template <class T>
double quotient(double a, double b) {
    if constexpr (std::is_same_v<T, double>) {
        return a / b;
    } else {
        const float q = static_cast<float>(a) / static_cast<float>(b);
        return widen(round_to<T>(static_cast<double>(q)));
    }
}

template <class T>
bool need_exponents(const std::vector<Float>& numbers) {
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (const Float& number : numbers) {
        const double size = std::fabs(number.value);
        if (size == 0 || !std::isfinite(size)) continue;
        least = std::min(least, size);
        most = std::max(most, size);
    }
    return most > 0 && (most >= 1e8 || least < 1e-4 || quotient<T>(most, least) > 1000);
}

std::vector<std::string> scientific_words(const std::vector<Float>& numbers) {
    int places = 0;
    int exponent_digits = 2;
    for (const Float& number : numbers) {
        if (!std::isfinite(number.value)) continue;
        const Decimal own = own_decimal(number);
        places = std::max(places, static_cast<int>(own.digits.size()) - 1);
        if (std::abs(own.exponent) > 99) exponent_digits = 3;
    }
    std::vector<std::string> words;
    for (const Float& number : numbers) {
        words.push_back(std::isfinite(number.value)
                            ? scientific_word(number, places, exponent_digits)
                            : special_word(number.value));
    }
    return words;
}

/// Writes the numbers with their points aligned: spaces replace zeros at the end.
std::vector<std::string> fixed_words(const std::vector<Float>& numbers) {
    std::vector<std::string> words;
    std::size_t most_places = 0;
    for (const Float& number : numbers) {
        if (!std::isfinite(number.value)) {
            words.push_back(special_word(number.value));
            continue;
        }
        words.push_back(fixed_word(number));
        most_places = std::max(most_places, words.back().size() - words.back().find('.') - 1);
    }
    for (std::string& word : words) {
        const std::size_t point = word.find('.');
        if (point != std::string::npos) word.append(most_places - (word.size() - point - 1), ' ');
    }
    return words;
}

void right_align(std::vector<std::string>& words) {
    std::size_t width = 0;
    for (const std::string& word : words) width = std::max(width, word.size());
    for (std::string& word : words) word.insert(0, width - word.size(), ' ');
}

template <class T>
std::vector<T> typed(std::span<const std::byte> bytes) {
    std::vector<T> elements;
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
        T element;
        std::memcpy(&element, bytes.data() + at, sizeof(T));
        elements.push_back(element);
    }
    return elements;
}

template <class T>
Float as_float(T element) {
    const double value = widen(element);
    return {value, std::isfinite(value) ? shortest_decimal(printable(element)) : Decimal{}};
}

std::string whole_word(auto number) {
    std::array<char, longest_number> text;
    return {text.data(), write_number(text.data(), number)};
}

}  // namespace

std::vector<std::string> aligned_words(std::span<const std::byte> elements, DType dtype) {
    std::vector<std::string> words;
    with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
        if constexpr (std::is_same_v<T, bool>) {
            for (const bool element : typed<std::uint8_t>(elements)) {
                words.push_back(element ? " True" : "False");
            }
        } else if constexpr (std::is_integral_v<T>) {
            for (const T element : typed<T>(elements)) words.push_back(whole_word(element));
        } else {
            std::vector<Float> numbers;
            for (const T element : typed<T>(elements)) numbers.push_back(as_float(element));
            words = need_exponents<T>(numbers) ? scientific_words(numbers) : fixed_words(numbers);
        }
    });
    right_align(words);
    return words;
}

std::string scalar_word(std::span<const std::byte> element, DType dtype) {
    return with_element_type(dtype, [&]<class T>(std::type_identity<T>) -> std::string {
        if constexpr (std::is_same_v<T, bool>) {
            return element[0] != std::byte{0} ? "True" : "False";
        } else if constexpr (std::is_integral_v<T>) {
            return whole_word(typed<T>(element)[0]);
        } else {
            const Float number = as_float(typed<T>(element)[0]);
            if (!std::isfinite(number.value)) return special_word(number.value);
            const double size = std::fabs(number.value);
            if (size == 0 || (size >= 1e-4 && size < 1e16)) {
                const std::string text = fixed_text(number.shortest);
                return text.back() == '.' ? text + '0' : text;
            }
            std::string text = scientific_text(number.shortest, 2);
            if (number.shortest.digits.size() == 1) text.erase(text.find('.'), 1);
            return text;
        }
    });
}

}  // namespace pegen
