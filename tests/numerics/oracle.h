#pragma once

// The exact values, by MPFR at 400 bits, straight from the formula: nothing of the program's code.
namespace oracle {

/// base^(-exponent_over / exponent_under), to the nearest double.
double frequency(double base, double exponent_over, double exponent_under);

/// sin or cos of position * base^(-exponent_over / exponent_under), rounded once to float.
float sin_float(double position, double base, double exponent_over, double exponent_under);
float cos_float(double position, double base, double exponent_over, double exponent_under);

/// The same, to the nearest double.
double sin_double(double position, double base, double exponent_over, double exponent_under);
double cos_double(double position, double base, double exponent_over, double exponent_under);

/// The same, to the nearest number of `bits` significant bits: 11 of a float16, 8 of a bfloat16.
double sin_of_bits(int bits, double position, double base, double over, double under);
double cos_of_bits(int bits, double position, double base, double over, double under);

/// a / b rounded once to float.
float quotient_float(double a, double b);

}  // namespace oracle
