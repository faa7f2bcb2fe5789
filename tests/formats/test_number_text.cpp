#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "core/dtype.h"
#include "formats/number_text.h"

using namespace pegen;

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
