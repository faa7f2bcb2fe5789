#pragma once

// Exact values by MPFR at 400 bits, straight from the formula, without code of the program.
namespace oracle {

/// Returns base^(-numerator / denominator), to the nearest double.
double frequency(double base, double numerator, double denominator);

/// Returns sin or cos of position * base^(-numerator / denominator), rounded once to float.
float sin_float(double position, double base, double numerator, double denominator);
float cos_float(double position, double base, double numerator, double denominator);

/// Returns sin or cos of position * base^(-numerator / denominator), rounded once to double.
double sin_double(double position, double base, double numerator, double denominator);
double cos_double(double position, double base, double numerator, double denominator);

/// Returns sin or cos of position * base^(-numerator / denominator), rounded once to `bits`
/// significant bits: 11 for float16, 8 for bfloat16.
double sin_of_bits(int bits, double position, double base, double numerator, double denominator);
double cos_of_bits(int bits, double position, double base, double numerator, double denominator);

/// Returns a / b rounded once to float.
float quotient_float(double a, double b);

}  // namespace oracle
