#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/parameters.h"
#include "core/positions.h"
#include "core/table.h"
#include "recognition/evidence/proposal.h"
#include "recognition/kernel/convention.h"

namespace pegen::recognition {

/// What a rotary kernel does to an array, as far as it can be said in settings.
struct RotaryKernel {
    Convention convention;
    bool is_exchanged = false;  ///< cos stands where sin belongs, and the other way round
    bool is_inverse = false;    ///< turns by the negative angles
    std::vector<evidence::Setting> settings;  ///< of rope: base, scaling, attention factor
    std::vector<double> frequencies;          ///< radians per position
    double start = 0;
    double step = 1;
    std::vector<double> list{};               ///< of positions; empty: start + step row
    double factor = 1;                        ///< of cos and sin
    std::optional<DType> frequency_format{};  ///< to which the frequencies are rounded
    std::optional<DType> angle_format{};      ///< to which positions times frequencies are rounded
    std::optional<DType> table_format{};      ///< to which cos and sin are rounded
    std::vector<std::string> findings{};      ///< of the frequencies, a sentence each
    std::vector<std::string> doubts{};        ///< settings that may as well have other values
    bool has_known_frequencies = false;       ///< those of rope's defaults or a preset
    bool may_be_float32 = true;               ///< code in float32 may have made cos and sin
    double bits = 0;                          ///< what all this costs to name

    Positions positions(std::int64_t count) const;
    /// Returns the angle of a pair at a position.
    double angle(double position, std::size_t pair) const;
    /// True if the kernel rounds more than its result.
    bool rounds() const { return frequency_format || angle_format || table_format; }
    /// True if `apply rope` does the same.
    bool has_command() const;
};

/// Returns a number rounded to bfloat16 or float16.
double rounded(double value, DType format);

/// Returns the format to which the positions of a list are rounded, if they count the rows else:
/// some of them occur again and others are left out.
std::optional<DType> rounding_of(const std::vector<double>& positions);

/// Returns "are rounded to bfloat16: 257 is 256" of such positions, "" of others.
std::string rounding_text(const std::vector<double>& positions);

/// cos and sin of a kernel, tables (positions, pairs) of float64. An inverse kernel has -sin.
struct KernelWaves {
    RowSource cos;
    RowSource sin;
};

/// Makes them with the engine; table_format does not round them. Throws: UsageError if the settings
/// do not go together.
KernelWaves waves_of(const RotaryKernel& kernel, std::int64_t positions);

/// Returns the command of a kernel that has one; `path` is the file of the array, and
/// `position_axis` is given if it is not the last but one.
std::vector<std::string> command_of(const RotaryKernel& kernel, const std::string& path,
                                    std::int64_t channels, std::optional<int> position_axis);

/// Returns the command of the table whose angles the kernel turns by, without positions.
std::string angles_command(const RotaryKernel& kernel);

/// Returns what a user should know of the kernel, a sentence each: what `apply rope` would not do
/// by default, and what no setting of it does.
std::vector<std::string> findings_of(const RotaryKernel& kernel, std::int64_t channels);

}  // namespace pegen::recognition
