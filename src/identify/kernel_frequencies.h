#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "core/parameters.h"
#include "evidence/proposal.h"
#include "evidence/simple_number.h"

// Which settings of rope give the frequencies that a kernel turns its pairs by.
namespace pegen::identify {

/// Settings of rope and the frequencies that they mean.
struct FrequencyModel {
    std::vector<evidence::Setting> settings;  ///< base and scaling; none for the defaults
    std::vector<double> frequencies;          ///< radians per position, those of the engine
    double step = 1;                          ///< from one row to the next, in positions
    double bits = 0;                          ///< what the settings cost to name
    std::optional<DType> format{};            ///< to which the code rounds the frequencies
    bool is_known = false;                    ///< of rope's defaults or a preset
    std::vector<std::string> findings{};      ///< what a user should know of them, a sentence each
};

/// Makes the frequencies of settings; remembers those of rope's presets.
class FrequencyModels {
  public:
    /// Returns the models that turn pair m further by steps[m] in each row, modulo 2 pi, cheapest
    /// first. `channels` are those of a row, of which 2 steps.size() are rotated.
    std::vector<FrequencyModel> with_steps(std::span<const evidence::Measured> steps,
                                           std::int64_t channels);

    /// Returns the models of rope's defaults and presets, for `dim` rotated channels.
    const std::vector<FrequencyModel>& known(std::int64_t dim);

  private:
    std::map<std::int64_t, std::vector<FrequencyModel>> known_;
};

/// Returns the parameters of rope with these settings and as many channels.
/// Throws: UsageError if they do not go together.
Parameters rope_parameters(const std::vector<evidence::Setting>& settings, std::int64_t channels);

}  // namespace pegen::identify
