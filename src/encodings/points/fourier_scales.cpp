#include "encodings/points/fourier_scales.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace pegen::encodings {

using evidence::Measured;
using evidence::SimpleNumber;

std::string text_of(const SimpleNumber& number) { return fmt::format("{}", number.value); }

std::string simplest(const Measured& number) {
    const auto numbers = evidence::simple_numbers(number);
    return numbers.empty() ? "0" : text_of(numbers.front());
}

std::string freqs_text(const AllBands& all, double unit) {
    std::vector<std::string> texts;
    for (const FourierBands& bands : all) {
        const std::size_t count = bands.frequencies.size();
        if (bands.form == BandForm::pow2) {
            const int low = unit > 0 ? std::ilogb(unit) : 0;
            texts.push_back(
                low == 0 ? fmt::format("pow2:{}", count)
                         : fmt::format("pow2:{}:{}", low, low + std::ssize(bands.frequencies)));
        } else if (bands.form == BandForm::geometric) {
            texts.push_back(fmt::format("geometric:{}:{}", text_of(bands.number), count));
        } else {
            const double last = bands.number.value * unit;
            texts.push_back(fmt::format(
                "linear:{}:{}:{}", bands.frequencies[0] == 0 ? "0" : simplest({unit, 1e-9 * unit}),
                simplest({last, 1e-9 * last}), count));
        }
    }
    const bool are_same = std::ranges::adjacent_find(texts, std::not_equal_to()) == texts.end();
    return are_same ? texts.front() : fmt::format("{}", fmt::join(texts, "/"));
}

/// True if the first frequency of --freqs may be this number.
bool has_unit(BandForm form, double unit) {
    int exponent = 0;
    if (form == BandForm::pow2) return std::frexp(unit, &exponent) == 0.5;
    return unit == 1 || (form == BandForm::linear && unit > 0);
}

bool is_usual(double scale) {
    return std::ranges::find(usual_scales, scale, &Scale::value) != usual_scales.end();
}

std::vector<Scale> scales_of(const Measured& first, const AllBands& bands) {
    std::vector<Scale> scales;
    for (const Scale& scale : usual_scales) {
        const Measured unit{first.value / scale.value, first.error / scale.value};
        const auto numbers = evidence::simple_numbers(unit);
        if (numbers.empty()) continue;
        if (has_unit(bands.front().form, numbers.front().value)) {
            scales.push_back({scale.text, scale.value, numbers.front().value});
        }
    }
    for (const SimpleNumber& number : evidence::simple_numbers(first, 2)) {
        if (number.value > 0 && !is_usual(number.value)) {
            scales.push_back({text_of(number), number.value, 1});
        }
    }
    return scales;
}

}  // namespace pegen::encodings
