#include "recognition/evidence/simple_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "core/number.h"

namespace pegen::evidence {
namespace {

/// Numbers that are used as bases and factors in code, whatever their digits.
constexpr std::array known{1.0, 2.0, 10.0, 100.0, 1000.0, 10000.0, 500000.0, 1000000.0};

constexpr int largest_denominator = 64;

/// Returns the bits of a whole number, few for a small one, as in a universal code.
double whole_bits(double n) {
    const double length = std::log2(1 + std::fabs(n));
    return length + 2 * std::log2(1 + length);
}

/// Returns the bits of the number m * 10^k, where m has no zeros at its end.
double decimal_bits(double value) {
    std::array<char, 40> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific)
            .ptr;
    std::string mantissa;
    const char* place = text.data();
    std::int64_t decimals = 0;
    for (bool is_behind_point = false; *place != 'e'; ++place) {
        if (*place == '.') {
            is_behind_point = true;
        } else {
            mantissa += *place;
            decimals += is_behind_point ? 1 : 0;
        }
    }
    std::int64_t exponent = 0;
    std::from_chars(place[1] == '+' ? place + 2 : place + 1, end, exponent);
    const double m = std::stod(mantissa);
    // Up to three zeros are written out: 3000 costs as much as 3e3.
    const auto shift = static_cast<double>(std::abs(exponent - decimals));
    return whole_bits(m) + (shift == 0 ? 0 : 1 + std::log2(1 + shift));
}

struct Fraction {
    double numerator;
    double denominator;

    double bits() const {
        return denominator == 1 ? whole_bits(numerator)
                                : 3 + whole_bits(numerator) + whole_bits(denominator);
    }
};

/// Returns the fractions within `error` of `value` that have the smallest denominators, at most
/// `most`.
std::vector<Fraction> fractions(double value, double error, std::size_t most) {
    constexpr double largest_numerator = 65536;
    std::vector<Fraction> found;
    for (int q = 1; q <= largest_denominator && found.size() < most; ++q) {
        const double p = std::rint(value * q);
        if (std::fabs(p) > largest_numerator) break;
        // A division for each q would take most of the time in which long lists are identified.
        const double slack = std::numeric_limits<double>::epsilon() * std::fabs(p);
        if (p == 0 || std::fabs(p - value * q) > error * q + slack) continue;
        const bool is_reduced = std::ranges::none_of(
            found, [&](const Fraction& f) { return f.numerator * q == p * f.denominator; });
        if (is_reduced) found.push_back({p, static_cast<double>(q)});
    }
    return found;
}

/// A way to make numbers from fractions.
struct Family {
    double bits;  ///< price of naming the family
    double (*make)(double fraction);
    double (*fraction)(double value);  ///< the inverse of `make`
};

constexpr std::array families{
    Family{0, [](double x) { return x; }, [](double x) { return x; }},
    Family{4, [](double x) { return x * std::numbers::pi; },
           [](double x) { return x / std::numbers::pi; }},
    Family{4, [](double x) { return std::sqrt(std::max(x, 0.0)); },
           [](double x) { return x > 0 ? x * x : 0; }},
};

bool are_same(double a, double b) {
    return std::fabs(a - b) <= 2 * std::numeric_limits<double>::epsilon() * std::fabs(a);
}

double bits_of_value(double value) {
    if (value == 0) return 1;
    const double sign = value < 0 ? 1 : 0, magnitude = std::fabs(value);
    if (std::ranges::find(known, magnitude) != known.end()) return sign + 3;
    double bits = decimal_bits(magnitude);
    int exponent = 0;
    if (std::frexp(magnitude, &exponent) == 0.5) {
        bits = std::min(bits, 3 + whole_bits(exponent - 1));
    }
    for (const Family& family : families) {
        const double x = family.fraction(magnitude);
        for (const Fraction& f : fractions(x, 1e-14 * x, 1)) {
            if (are_same(family.make(f.numerator / f.denominator), magnitude)) {
                bits = std::min(bits, family.bits + f.bits());
            }
        }
    }
    return sign + bits;
}

/// Returns the number rounded to `digits` significant digits.
double rounded_to(double value, int digits) {
    std::array<char, 40> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                   std::chars_format::scientific, digits - 1)
                         .ptr;
    double result = 0;
    read_double({text.data(), end}, result);
    return result;
}

/// Returns the number as one would type it: 500000 rather than 5e+05.
std::string text_of(double value) {
    constexpr double longest = 1e8;
    const bool is_plain = std::fabs(value) < longest && std::rint(value) == value;
    return is_plain ? std::to_string(static_cast<std::int64_t>(value)) : shortest(value);
}

/// The numbers found so far, without repetitions.
class Collection {
  public:
    explicit Collection(const Measured& number)
        : number_(number),
          slack_(std::numeric_limits<double>::epsilon() * std::fabs(number.value)) {}

    /// Adds a number. Returns true if it is new.
    bool add(double value) {
        if (!std::isfinite(value) || std::fabs(value - number_.value) > number_.error + slack_) {
            return false;
        }
        if (value == 0) value = 0;  // not -0
        const bool is_new =
            std::ranges::find(numbers_, value, &SimpleNumber::value) == numbers_.end();
        if (is_new) {
            numbers_.push_back(
                {.text = text_of(value), .value = value, .bits = bits_of_value(value)});
        }
        return is_new;
    }

    /// Returns the cheapest numbers, at most `most`. If `most` is not 1, `last` is among them.
    std::vector<SimpleNumber> cheapest(std::size_t most, double last) && {
        std::ranges::stable_sort(numbers_, {}, &SimpleNumber::bits);
        const auto place = std::ranges::find(numbers_, last, &SimpleNumber::value);
        if (most > 1 && place != numbers_.end() &&
            place - numbers_.begin() >= static_cast<std::ptrdiff_t>(most)) {
            std::iter_swap(place, numbers_.begin() + static_cast<std::ptrdiff_t>(most) - 1);
        }
        if (numbers_.size() > most) numbers_.resize(most);
        return std::move(numbers_);
    }

  private:
    Measured number_;
    double slack_;
    std::vector<SimpleNumber> numbers_;
};

/// Returns the measured number with as many digits as its error allows.
double with_its_digits(const Measured& number) {
    const double magnitude = std::fabs(number.value);
    if (magnitude <= number.error) return 0;
    if (number.error <= 1e-17 * magnitude) return number.value;
    const double digits = std::ceil(std::log10(magnitude / number.error)) + 1;
    return digits > 16 ? number.value : rounded_to(number.value, static_cast<int>(digits));
}

}  // namespace

double bits_of_number(const std::string& text) {
    double value = 0;
    const auto [end, error] = read_double(text, value);
    constexpr double bits_of_word = 4;
    if (error != std::errc() || end != text.data() + text.size()) return bits_of_word;
    return bits_of_value(value);
}

std::vector<SimpleNumber> simple_numbers(const Measured& number, std::size_t most) {
    if (!std::isfinite(number.value) || !(number.error >= 0) || most == 0) return {};
    Collection found(number);
    found.add(0);
    found.add(std::rint(number.value));
    constexpr int most_digits = 17;
    int additions = 0;
    for (int digits = 1; digits <= most_digits && additions < 3; ++digits) {
        additions += found.add(rounded_to(number.value, digits)) ? 1 : 0;
    }
    for (const double value : known) {
        found.add(value);
        found.add(-value);
    }
    const double magnitude = std::fabs(number.value);
    if (magnitude > 0)
        found.add(std::copysign(std::exp2(std::rint(std::log2(magnitude))), number.value));
    for (const Family& family : families) {
        const double x = family.fraction(magnitude);
        const double error = family.fraction(magnitude + number.error) - x;
        for (const Fraction& f : fractions(x, error, 2)) {
            found.add(std::copysign(family.make(f.numerator / f.denominator), number.value));
        }
    }
    const double last = with_its_digits(number);
    found.add(last);
    return std::move(found).cheapest(most, last);
}

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

bool shows_float32(double value, double error) {
    const double magnitude = std::fabs(value), near = static_cast<float>(magnitude);
    constexpr double most_error = 0x1p-45, digits = 0x1p12;
    if (!std::isfinite(near) || !(error <= most_error * magnitude)) return false;
    if (std::fabs(magnitude - near) > error) return false;
    int exponent = 0;
    const double leading = digits * std::frexp(near, &exponent);
    return leading != std::rint(leading);
}

}  // namespace pegen::evidence
