#pragma once

#include <cstdint>
#include <vector>

#include "encodings/parameters/priced_settings.h"
#include "encodings/sequence/sinusoid_rows.h"
#include "evidence/proposal.h"
#include "evidence/sample.h"
#include "evidence/wave_table.h"

// The proposals of `sinusoid`, put together from settings that are chosen independently.
namespace pegen::encodings {

/// What is known of a table but its positions and its zeros.
struct SinusoidWaves {
    const evidence::WaveTable& table;
    std::vector<std::int64_t> pair_of_channel;
    std::vector<PricedSettings> channels;  ///< all ways to say the layout and the frequencies
    std::vector<std::int64_t> selected{};
    double first_angle = 1;  ///< factor of angles: the selected channels' first frequency
};

/// A proposal with what its settings cost, in bits.
struct PricedProposal {
    evidence::Proposal proposal;
    double bits;
};

/// Adds the proposals for these waves, with all ways to say positions and amplitude.
void add_proposals(std::vector<PricedProposal>& found, const evidence::Sample& array,
                   const SinusoidRows& rows, const SinusoidWaves& waves);

/// Returns the cheapest proposals without repetitions, `most` at most.
std::vector<evidence::Proposal> cheapest(std::vector<PricedProposal> found, std::size_t most);

}  // namespace pegen::encodings
