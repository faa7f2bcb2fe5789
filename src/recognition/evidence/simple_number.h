#pragma once

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

}  // namespace pegen::evidence

namespace pegen::recognition {

using evidence::Measured;
using evidence::SimpleNumber;

}  // namespace pegen::recognition
