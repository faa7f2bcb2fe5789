#include "encodings/rotary/usual_numbers.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/number.h"

namespace pegen::encodings {
namespace {

using evidence::SimpleNumber;

std::vector<SimpleNumber> made_numbers() {
    std::vector<double> values;
    for (double n = 1; n < 1000; ++n) {
        values.insert(values.end(), {n, n / 10, n / 100, n * 10});
        if (n <= 512) values.push_back(n + 0.5);
        if (n < 100) values.insert(values.end(), {n / 10000, n / 1000, n * 100, n * 1000});
    }
    for (int exponent = 10; exponent <= 20; ++exponent) values.push_back(std::exp2(exponent));
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::vector<SimpleNumber> numbers;
    for (const double value : values) {
        const std::string text = shortest(value);
        numbers.push_back({text, value, evidence::bits_of_number(text)});
    }
    std::ranges::stable_sort(numbers, {}, &SimpleNumber::bits);
    return numbers;
}

}  // namespace

std::span<const SimpleNumber> usual_numbers() {
    static const std::vector<SimpleNumber> numbers = made_numbers();
    return numbers;
}

}  // namespace pegen::encodings
