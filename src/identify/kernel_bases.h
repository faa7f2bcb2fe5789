#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evidence/simple_number.h"
#include "identify/frequency_model.h"
#include "identify/geometric_steps.h"

// Bases of rope whose frequencies are a geometric series that a kernel shows.
namespace pegen::identify {

/// Returns the models whose frequencies fall like the line, for steps of one position: of a usual
/// divisor in the exponent and of others, and of NTK-aware scaling. `dim` of the `channels` are
/// rotated.
std::vector<FrequencyModel> geometric_models(const Line& line, std::int64_t dim,
                                             std::int64_t channels);

/// Returns the model with rows `step` positions apart, or with the linear scaling that is the same.
FrequencyModel with_step(FrequencyModel model, const evidence::SimpleNumber& step,
                         const evidence::Measured& measured, std::int64_t dim);

/// True if a number that was measured with this relative error leaves room for another one that
/// people use.
bool is_rough(double relative_error);

/// True if the number may stand for another one: it has many digits, or the error leaves room for
/// others and published models do not have it.
bool is_doubtful(const evidence::SimpleNumber& number, double relative_error);

}  // namespace pegen::identify
