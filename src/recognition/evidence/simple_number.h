#pragma once

#include <string>
#include <vector>

namespace pegen::evidence {

/// A measured number: the true one is within `error` of `value`.
struct Measured {
    double value;
    double error;
};

/// A number as one would type it.
struct SimpleNumber {
    std::string text;  ///< "10000", "0.25", "1/3" never: a decimal that reads back as `value`
    double value;
    double bits;  ///< what it costs to name it: few for 0, 1, 2 and 10000, more with each digit
};

/// Returns the cheapest numbers within the error, cheapest first, `most` at most: whole numbers,
/// short decimals, the bases that code has (10000, 100, 20, 500000, 1e6 ...), fractions and their
/// roots, multiples of pi. The last is the measured number itself with as many digits as its error
/// allows, if `most` is not 1. None if the value is not finite.
std::vector<SimpleNumber> simple_numbers(const Measured& number, std::size_t most = 4);

/// Returns what it costs to name this number, in bits. `text` is as for SimpleNumber.
double bits_of_number(const std::string& text);

}  // namespace pegen::evidence
