#include "recognition/evidence/bounds.h"

#include <cmath>

#include "core/number.h"

namespace pegen::evidence {

std::vector<SimpleNumber> numbers_within(const Bounds& bounds, std::size_t most) {
    if (bounds.is_empty() || !bounds.is_bounded()) return {};
    // The last number returned has all digits and is not simple, so one more is requested.
    std::vector<SimpleNumber> numbers = simple_numbers(bounds.measured(), most + 1);
    std::erase_if(numbers, [&](const SimpleNumber& n) {
        const double slack = 1e-15 * std::fabs(n.value);
        return !Bounds{bounds.low - slack, bounds.high + slack}.contains(n.value);
    });
    if (numbers.size() > most) numbers.resize(most);
    return numbers;
}

std::vector<SimpleNumber> lengths_within(const Bounds& bounds, std::size_t most) {
    std::vector<SimpleNumber> lengths;
    const auto add = [&](double value) {
        const bool is_length = value >= 1 && value <= 0x1p40 && std::rint(value) == value;
        if (!is_length || !bounds.contains(value) || lengths.size() == most) return;
        if (std::ranges::find(lengths, value, &SimpleNumber::value) != lengths.end()) return;
        const std::string text = shortest(value);
        lengths.push_back({text, value, bits_of_number(text)});
    };
    // Typical lengths come first: for an open interval, no others are needed.
    for (const double value : {4096.0, 8192.0, 2048.0, 32768.0, 16384.0, 131072.0}) add(value);
    for (int exponent = 0; exponent < 31; ++exponent) add(std::exp2(exponent));
    if (!lengths.empty()) return lengths;
    for (const SimpleNumber& number : numbers_within(bounds, 4)) add(number.value);
    if (!bounds.is_empty() && std::fabs(bounds.low) < 0x1p40) add(std::ceil(bounds.low));
    return lengths;
}

}  // namespace pegen::evidence
