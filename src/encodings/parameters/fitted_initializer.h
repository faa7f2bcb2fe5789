#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "evidence/precision.h"

// The parameters of an initializer, from values and the draws they were made of: normals of mean 0
// and deviation 1, or units in [0, 1). Values that are not known are NaN. The texts are what --init
// takes, cheapest first; the values confirm one of them, or none.
namespace pegen::encodings {

/// What the tensor is that the values are of.
struct FitContext {
    std::int64_t rows;
    std::int64_t columns;
    evidence::Precision precision;  ///< of the values
    double noise;                   ///< of the values, beyond their rounding
};

/// True if values = shift + factor * draws, for a factor above 0.
bool is_affine(std::span<const double> values, std::span<const double> draws,
               const FitContext& context);

/// True if the values are in the order of the draws.
bool is_rising(std::span<const double> values, std::span<const double> draws);

/// Returns "normal:MEAN,STD"; nothing if the values are not affine in the normals.
std::vector<std::string> fitted_normals(std::span<const double> values,
                                        std::span<const double> normals, const FitContext& context);

/// Returns "uniform:LOW,HIGH" and "xavier-uniform"; nothing if the values are not affine in the
/// units.
std::vector<std::string> fitted_uniforms(std::span<const double> values,
                                         std::span<const double> units, const FitContext& context);

/// Returns "trunc-normal:MEAN,STD,LOW,HIGH"; nothing if no truncated normal distribution has these
/// values.
std::vector<std::string> fitted_truncated_normals(std::span<const double> values,
                                                  std::span<const double> units,
                                                  const FitContext& context);

}  // namespace pegen::encodings
