#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "formats/number_text.h"

using namespace pegen;

namespace {

template <class Number>
std::string standard_text(Number number) {
    std::array<char, longest_number> text;
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

/// Returns the texts of the numbers that std::to_chars writes differently.
template <class Number>
std::vector<std::string> differences(const std::vector<Number>& numbers) {
    std::vector<std::string> found;
    ShortestTexts<Number> texts;
    std::array<char, longest_number> text;
    for (std::size_t first = 0; first < numbers.size(); first += texts.most) {
        const auto count = std::min(texts.most, numbers.size() - first);
        texts.read(std::span(numbers).subspan(first, count));
        for (std::size_t i = 0; i < count; ++i) {
            const std::string ours(text.data(), texts.write(text.data(), i));
            if (ours != standard_text(numbers[first + i])) found.push_back(ours);
        }
    }
    return found;
}

/// Returns numbers of every length on both sides of the places where an exponent begins, and the
/// limits of the type.
template <class Number>
std::vector<Number> edges() {
    using limits = std::numeric_limits<Number>;
    std::vector<Number> numbers{0, limits::max(), limits::min(), limits::denorm_min(),
                                limits::infinity()};
    for (const double digits : {1.0, 2.0, 9.0, 10.5, 12.0, 99.0, 123.0, 1234567.0, 12345678.0,
                                123456789012345.0, 1234567890123456.0}) {
        for (int exponent = -30; exponent <= 20; ++exponent) {
            numbers.push_back(static_cast<Number>(digits * std::pow(10, exponent)));
        }
    }
    for (int exponent = limits::min_exponent; exponent < limits::max_exponent; ++exponent) {
        const Number power = std::ldexp(Number{1}, exponent);
        numbers.insert(numbers.end(), {power, std::nextafter(power, Number{0}), power * 3});
    }
    for (std::size_t i = numbers.size(); i-- > 0;) numbers.push_back(-numbers[i]);
    return numbers;
}

/// Finite numbers of random bits.
template <class Number, class Bits>
std::vector<Number> random_numbers(std::size_t count) {
    std::mt19937_64 random(1);
    std::vector<Number> numbers;
    while (numbers.size() < count) {
        const auto number = std::bit_cast<Number>(static_cast<Bits>(random()));
        if (std::isfinite(number)) numbers.push_back(number);
    }
    return numbers;
}

/// Numbers as in tables: below 1, whole, and with few digits.
template <class Number>
std::vector<Number> usual_numbers(int count) {
    std::vector<Number> numbers;
    for (int i = 0; i < count; ++i) {
        numbers.push_back(static_cast<Number>(std::sin(i)));
        numbers.push_back(static_cast<Number>(std::sin(i) * std::pow(10, -(i % 9))));
        numbers.push_back(static_cast<Number>(-i * 37));
        numbers.push_back(static_cast<Number>(i / 8.0));
        numbers.push_back(static_cast<Number>(i / 1000.0));
    }
    return numbers;
}

}  // namespace

TEST_CASE_TEMPLATE("shortest text: it is that of std::to_chars", Number, float, double) {
    CHECK(differences(edges<Number>()).empty());
    CHECK(differences(usual_numbers<Number>(40'000)).empty());
}

TEST_CASE("shortest text: it is that of std::to_chars for numbers of random bits") {
    CHECK(differences(random_numbers<float, std::uint32_t>(400'000)).empty());
    CHECK(differences(random_numbers<double, std::uint64_t>(400'000)).empty());
}

TEST_CASE_TEMPLATE("shortest text: a NaN has no sign", Number, float, double) {
    const std::vector numbers{-std::numeric_limits<Number>::quiet_NaN(), Number{-1}};
    ShortestTexts<Number> texts;
    texts.read(numbers);
    std::array<char, longest_number> text;
    CHECK(std::string(text.data(), texts.write(text.data(), 0)) == "nan");
    CHECK(std::string(text.data(), texts.write(text.data(), 1)) == "-1");
}
