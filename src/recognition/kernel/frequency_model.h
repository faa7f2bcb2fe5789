#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "recognition/evidence/proposal.h"

// Settings of rope, and the frequencies that a kernel with these settings turns its pairs by.
namespace pegen::recognition {

/// Settings of rope and the frequencies that follow from them.
struct FrequencyModel {
    std::vector<Setting> settings;        ///< base and scaling; empty for the defaults
    std::vector<double> frequencies;      ///< radians per position, as the engine computes them
    double step = 1;                      ///< number of positions from one row to the next
    double bits = 0;                      ///< price of the settings
    std::optional<DType> format{};        ///< format to which the code rounds the frequencies
    bool is_known = false;                ///< frequencies are rope's defaults or a preset's
    std::vector<std::string> findings{};  ///< what a user should know, one sentence each
    std::vector<std::string> doubts{};    ///< settings that may just as well have other values
};

/// The models of rope's defaults, of its presets and of usual bases, remembered for each number of
/// channels.
class KnownModels {
  public:
    /// Returns the models of `dim` rotated channels, without repeated frequencies.
    const std::vector<FrequencyModel>& of(std::int64_t dim);

  private:
    std::map<std::int64_t, std::vector<FrequencyModel>> models_;
};

}  // namespace pegen::recognition
