#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/parameters.h"
#include "core/positions.h"
#include "core/table.h"
#include "numerics/rounding.h"
#include "recognition/evidence/proposal.h"
#include "rows/rotated.h"

namespace pegen::recognition {

// Conventions by which code turns the channels of a row with cos and sin, correct ones and
// mistakes.

/// A part of result[j] that code may leave out.
enum class Lacking { nothing, cosines, sines };

/// The conventions of a kernel that makes result[j] = x[j] cos[a(j)] -+ x[partner of j] sin[a(j)].
struct Convention {
    std::int64_t first;     ///< the first rotated channel
    std::int64_t dim;       ///< r, the number of rotated channels
    rows::Pairing pairing;  ///< decides which channel is the partner of which
    rows::Pairing layout;   ///< half: a(j) = j mod r/2; interleaved: a(j) = j / 2
    /// Channels are read in the order 0, 2, 4, ..., then 1, 3, 5, ...: DeepSeek's code.
    bool reads_neighbours = false;
    bool lacks_minus = false;  ///< both channels of a pair have the sign +
    Lacking lacking = Lacking::nothing;

    /// True if pairs are rotated: angles are laid out as channels are paired, one sign is -, and
    /// both parts are there.
    bool is_rotation() const {
        return pairing == layout && !lacks_minus && lacking == Lacking::nothing;
    }
};

/// The formula of one channel of the result:
/// of_own x[own] cos[angle] + sign x[partner] sin[angle].
/// Channels are counted from the first channel of the row.
struct Term {
    std::int64_t own;
    std::int64_t partner;
    std::int64_t angle;
    double sign;        ///< 1 or -1; 0 if the sines are lacking
    double of_own = 1;  ///< 0 if the cosines are lacking

    bool operator==(const Term&) const = default;
};

/// Returns the terms of the `dim` rotated channels.
std::vector<Term> terms_of(const Convention& convention);

/// Returns the conventions that may turn these channels, the usual ones first; none lacks a part.
std::vector<Convention> conventions_of(std::int64_t first, std::int64_t dim);

/// Returns what is unusual about the convention, one sentence for each oddity; nothing if `apply
/// rope` does the same.
std::vector<std::string> oddities_of(const Convention& convention, std::int64_t channels);

/// Returns "half" or "interleaved".
std::string_view name_of(rows::Pairing pairing);

/// The settings that describe what a rotary kernel does to an array, as far as settings can.
struct RotaryKernel {
    Convention convention;
    bool is_exchanged = false;        ///< cos and sin have changed places
    bool is_inverse = false;          ///< the kernel turns by the negative angles
    std::vector<Setting> settings;    ///< rope's base, scaling and attention factor
    std::vector<double> frequencies;  ///< radians per position
    double start = 0;
    double step = 1;
    std::vector<double> list{};               ///< positions; if empty: start + step * row
    double factor = 1;                        ///< multiplier of cos and sin
    std::optional<DType> frequency_format{};  ///< format to which frequencies are rounded
    std::optional<DType> angle_format{};      ///< format to which position * frequency is rounded
    std::optional<DType> table_format{};      ///< format to which cos and sin are rounded
    std::vector<std::string> findings{};      ///< about the frequencies, one sentence each
    std::vector<std::string> doubts{};        ///< settings that may just as well have other values
    bool has_known_frequencies = false;       ///< frequencies are rope's defaults or a preset's
    bool may_be_float32 = true;               ///< code in float32 may have made cos and sin
    double bits = 0;                          ///< price of the whole description

    Positions positions(std::int64_t count) const;
    /// Returns the angle, in radians, by which a pair is turned at a position.
    double angle(double position, std::size_t pair) const;
    /// True if the kernel rounds frequencies, angles, or cos and sin, and not only its result.
    bool rounds() const { return frequency_format || angle_format || table_format; }
    /// True if `apply rope` does the same.
    bool has_command() const;
};

/// Returns in words that a factor of cos and sin is YaRN's attention factor for this scaling,
/// applied twice; "" if it is not.
std::string twice_text(double attention_factor, double scaling);

using numerics::rounded;

/// Positions that count the rows from `first` on, each rounded to the format.
struct RoundedCount {
    DType format;
    double first;
};

/// Returns how the positions of a list count if they are rounded to bfloat16 or float16: some
/// positions occur again and others are left out.
std::optional<RoundedCount> rounding_of(const std::vector<double>& positions);

/// Returns how the positions of the rows count, with "positions" as the subject: "are rounded to
/// bfloat16: 257 is 256", "count from 0 in rows 0 to 2047, are 2047 in rows 2048 to 4095", "start
/// again from 0 every 512 rows". "" for one step throughout, or for no such rule.
std::string counting_text(const std::vector<double>& positions);

/// The cos and sin of a kernel, as tables (positions, pairs) of float64. An inverse kernel has
/// -sin.
struct KernelWaves {
    Rows cos;
    Rows sin;
};

/// Returns the cos and sin of the kernel, computed by the engine and not rounded to table_format.
/// Throws: UsageError if the settings do not go together.
KernelWaves waves_of(const RotaryKernel& kernel, std::int64_t positions);

/// Returns the command of a kernel that has one. `path` is the file of the array; `position_axis`
/// is given unless positions are counted along the last axis but one.
std::vector<std::string> command_of(const RotaryKernel& kernel, const std::string& path,
                                    std::int64_t channels, std::optional<int> position_axis);

/// Returns the command of the table of the angles by which the kernel turns, without the options of
/// its positions.
std::string angles_command(const RotaryKernel& kernel);

/// Returns what a user should know of the kernel, one sentence each: what `apply rope` does only
/// when told to, and what no setting of `apply rope` does.
std::vector<std::string> findings_of(const RotaryKernel& kernel, std::int64_t channels);

}  // namespace pegen::recognition
