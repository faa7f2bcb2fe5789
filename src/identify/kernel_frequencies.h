#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evidence/simple_number.h"
#include "identify/frequency_model.h"

// Which settings of rope give the frequencies that a kernel turns its pairs by.
namespace pegen::identify {

/// Returns the models that turn pair m further by steps[m] in each row, modulo 2 pi, cheapest
/// first. `factor` is that of cos and sin. `channels` are those of a row, of which 2 steps.size()
/// are rotated.
std::vector<FrequencyModel> models_with_steps(std::span<const evidence::Measured> steps,
                                              const evidence::Measured& factor,
                                              std::int64_t channels, KnownModels& known);

}  // namespace pegen::identify
