#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/kernel/confirm.h"
#include "recognition/kernel/rotary_kernel.h"
#include "recognition/kernel/view.h"

namespace pegen::recognition {

// Settings of rope, and the frequencies that a kernel with these settings turns its pairs by.

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

struct RotaryFinding {
    RotaryKernel kernel;
    KernelAgreement found;
};

/// Pairs that are rotated, but by other angles in each row or by steps that no settings explain.
struct UnexplainedTurns {
    Convention convention;
    std::vector<Measured> steps;  ///< step of each pair from row to row; empty if unequal
};

struct RotaryFindings {
    std::vector<RotaryFinding> agreeing;     ///< agree with the whole sample; simplest first
    std::optional<RotaryFinding> nearest{};  ///< else the kernel that fits most values, if many
    std::optional<UnexplainedTurns> unexplained{};  ///< else the pairs that are turned
};

/// Returns the kernel with a position for each row of the view, found one by one in the first of
/// the samples. Rows behind the first row that has no position go on by the kernel's step.
RotaryKernel with_positions_of_rows(const RotaryKernel& kernel, const KernelSample& sample,
                                    const KernelView& view);

/// Finds the rotary kernels that make `after` from `before`. `view` is the view from which the
/// sample was read.
RotaryFindings find_rotary_kernels(const KernelSample& sample, const KernelView& view);

}  // namespace pegen::recognition
