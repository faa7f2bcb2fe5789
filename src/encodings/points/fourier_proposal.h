#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "encodings/points/fourier_channels.h"
#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// An array and where the channels of Fourier features may stand in it.
struct FourierArray {
    const evidence::Sample& sample;
    FourierChannels channels;
};

/// Returns the coordinates in the array of the axis that is `rank`-th. Precondition:
/// channels.is_raw().
std::vector<double> raw_at(const FourierArray& array, std::int64_t rank,
                           const std::vector<std::int64_t>& rows);

/// Adds the settings that say where the channels stand and what their frequencies are.
void add_channels(evidence::Proposal& proposal, const FourierChannels& channels,
                  std::string_view freqs, std::string_view scale);

/// The wave in a column.
struct ColumnWave {
    std::size_t rank = 0;  ///< of its axis
    double frequency = 0;  ///< its magnitude
};

/// Returns the wave of each column, by the frequencies of the axes: for angles.
std::vector<ColumnWave> column_waves(const FourierChannels& channels,
                                     const std::vector<std::vector<double>>& frequencies);

}  // namespace pegen::encodings
