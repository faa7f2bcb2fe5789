#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "formats/number_text.h"

using namespace pegen;

TEST_CASE("decimal: both texts of the shortest decimal read back as the same number") {
    using limits = std::numeric_limits<double>;
    for (const double number : {0.0, -0.0, 0.1, -1.0 / 3, 1e23, 9007199254740993.0, limits::max(),
                                limits::min(), limits::denorm_min()}) {
        const Decimal decimal = shortest_decimal(number);
        for (const std::string& text : {fixed_text(decimal), scientific_text(decimal, 2)}) {
            CAPTURE(text);
            CHECK(std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)) ==
                  std::bit_cast<std::uint64_t>(number));
        }
    }
    CHECK(shortest_decimal(0.1f).digits == "1");
}

TEST_CASE("decimal: the exact value is rounded with ties to even") {
    const auto digits = [](double number, int places) {
        const Decimal decimal = rounded_decimal(number, places);
        return decimal.digits + "e" + std::to_string(decimal.exponent);
    };
    CHECK(digits(2.5, 0) == "2e0");
    CHECK(digits(3.5, 0) == "4e0");
    CHECK(digits(9.996, 2) == "100e1");
    CHECK(digits(0.1, 20) == "100000000000000005551e-1");
    CHECK(fixed_text(0.125, 2) == "0.12");
    CHECK(fixed_text(0.375, 2) == "0.38");
    CHECK(fixed_text(0.1, 20) == "0.10000000000000000555");
}

TEST_CASE("decimal: every text has a point and no digits that say nothing") {
    CHECK(fixed_text(3, 4) == "3.");
    CHECK(fixed_text({false, "5", -2}) == "0.05");
    CHECK(fixed_text({true, "12", 3}) == "-1200.");
    CHECK(scientific_text({false, "12", 3}, 2) == "1.2e+03");
    CHECK(scientific_text({true, "5", -324}, 2) == "-5.e-324");
    CHECK(scientific_text({false, "5", 0}, 3) == "5.e+000");
}

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

namespace {

std::string text_of(auto element) {
    std::array<char, longest_number> text;
    return {text.data(), write_number(text.data(), element)};
}

template <class Half>
bool reads_as(const std::string& text, Half element) {
    return round_to<Half>(std::strtod(text.c_str(), nullptr)) == element;
}

/// True if a decimal of `digits` digits reads back as the element. It suffices to try the decimals
/// next to the element.
template <class Half>
bool is_short(Half element, int digits, int exponent) {
    const int last = exponent - digits + 1;
    const auto below = static_cast<std::int64_t>(widen(element) / std::pow(10.0, last));
    for (std::int64_t count = below - 1; count <= below + 2; ++count) {
        if (reads_as(fmt::format("{}e{}", count, last), element)) return true;
    }
    return false;
}

/// Returns the positive elements up to `largest` whose text does not read back, or could be
/// shorter.
template <class Half>
std::vector<std::string> faults(Half largest) {
    std::vector<std::string> found;
    for (unsigned i = 1; i <= bits(largest); ++i) {
        const Half element{static_cast<std::uint16_t>(i)};
        const Decimal decimal = shortest_decimal(printable(element));
        const int digits = static_cast<int>(decimal.digits.size());
        const std::string text = text_of(element);
        if (!reads_as(text, element)) found.push_back(text);
        if (digits > 1 && is_short(element, digits - 1, decimal.exponent)) found.push_back(text);
    }
    return found;
}

}  // namespace

TEST_CASE("number text: that of every half reads back and no shorter one does") {
    CHECK(faults(float16{0x7bff}).empty());
    CHECK(faults(bfloat16{0x7f7f}).empty());
    CHECK(text_of(float16{0xfbff}) == "-65500");
}

TEST_CASE("number text: the longest numbers leave a character to spare on each side") {
    CHECK(text_of(-std::numeric_limits<double>::denorm_min()).size() <= longest_number - 2);
    CHECK(text_of(-std::numeric_limits<double>::max()).size() <= longest_number - 2);
    CHECK(text_of(std::numeric_limits<std::int64_t>::min()).size() <= longest_number - 2);
}

TEST_CASE("number text: a row of any length is its elements with commas between them") {
    const std::vector<std::int64_t> row(1000, std::numeric_limits<std::int64_t>::min());
    for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
        std::string expected;
        for (std::size_t i = 0; i < count; ++i) expected += (i > 0 ? "," : "") + text_of(row[i]);
        std::string text = "before ";
        append_elements<std::int64_t>(
            std::as_bytes(std::span(row).first(count)),
            [](char*, char* end, std::int64_t) { return end; }, text);
        CHECK(text == "before " + expected);
    }
}
