#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "core/parameters.h"
#include "recognition/evidence/proposal.h"

// Settings of rope, and the frequencies that a kernel with these settings turns its pairs by.
namespace pegen::recognition {

/// Settings of rope and the frequencies that they mean.
struct FrequencyModel {
    std::vector<evidence::Setting> settings;  ///< base and scaling; none for the defaults
    std::vector<double> frequencies;          ///< radians per position, those of the engine
    double step = 1;                          ///< from one row to the next, in positions
    double bits = 0;                          ///< what the settings cost to name
    std::optional<DType> format{};            ///< to which the code rounds the frequencies
    bool is_known = false;                    ///< of rope's defaults or a preset
    std::vector<std::string> findings{};      ///< what a user should know of them, a sentence each
    std::vector<std::string> doubts{};        ///< settings that may as well have other values
};

/// Returns the parameters of rope with these settings and as many channels.
/// Throws: UsageError if they do not go together.
Parameters rope_parameters(const std::vector<evidence::Setting>& settings, std::int64_t channels);

/// Returns the frequencies of `dim` rotated channels; none if the settings do not go together.
std::vector<double> frequencies_of(const std::vector<evidence::Setting>& settings,
                                   std::int64_t dim);

/// The models of rope's defaults, of its presets and of usual bases. Remembers them.
class KnownModels {
  public:
    /// Returns those of `dim` rotated channels, each frequencies once.
    const std::vector<FrequencyModel>& of(std::int64_t dim);

  private:
    std::map<std::int64_t, std::vector<FrequencyModel>> models_;
};

}  // namespace pegen::recognition
