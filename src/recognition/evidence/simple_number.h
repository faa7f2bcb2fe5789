#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace pegen::evidence {

/// A measured number: the true one is within `error` of `value`.
struct Measured {
    double value;
    double error;
};

/// A number as a person would type it.
struct SimpleNumber {
    std::string text;  ///< a decimal that reads back as `value`: "10000" or "0.25", but never "1/3"
    double value;
    double bits;  ///< the price: few for 0, 1, 2 and 10000, more with each digit
};

/// Returns the cheapest numbers within the error, cheapest first, at most `most`: whole numbers,
/// short decimals, bases that code has (10000, 100, 20, 500000, 1e6 ...), fractions and their
/// roots, multiples of pi. If `most` is not 1, the last number is the measured number itself, with
/// as many digits as its error allows. None if the value is not finite.
std::vector<SimpleNumber> simple_numbers(const Measured& number, std::size_t most = 4);

/// Returns the price of a number, in bits. `text` is the same as in SimpleNumber.
double bits_of_number(const std::string& text);

/// A closed interval of numbers, ends included. The interval is empty unless `low` is below `high`.
struct Bounds {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    bool is_empty() const { return !(low <= high); }
    bool is_bounded() const { return std::isfinite(low) && std::isfinite(high); }
    bool contains(double value) const { return low <= value && value <= high; }
    double middle() const { return low + (high - low) / 2; }
    Measured measured() const { return {middle(), (high - low) / 2}; }
};

inline Bounds both(const Bounds& a, const Bounds& b) {
    return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

inline Bounds bounds_of(const Measured& number) {
    return {number.value - number.error, number.value + number.error};
}

/// Returns the cheapest numbers within the bounds, `most` at most; none if the bounds are empty or
/// infinite.
std::vector<SimpleNumber> numbers_within(const Bounds& bounds, std::size_t most);

// Tests whether numbers with more digits were computed by code in float32.

/// True if a number of float32 with more than 12 binary digits is within `error` of the value. A
/// value with more digits is so near to such a number by chance only, once in a million or less.
/// False if the error is too large to tell.
bool shows_float32(double value, double error);

}  // namespace pegen::evidence

namespace pegen::recognition {

using evidence::Measured;
using evidence::SimpleNumber;

}  // namespace pegen::recognition
