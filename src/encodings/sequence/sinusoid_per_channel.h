#pragma once

#include <vector>

#include "encodings/sequence/sinusoid_proposals.h"
#include "encodings/sequence/sinusoid_rows.h"
#include "evidence/sample.h"

// Arrays of `sinusoid` in which each channel has a frequency of its own.
namespace pegen::encodings {

/// Adds the proposals that frequencies measured channel by channel allow: --pairing per-channel,
/// and the sines or the cosines alone of a table of pairs.
void add_lone(std::vector<PricedProposal>& found, const evidence::Sample& array,
              const SinusoidRows& rows);

/// Adds the usual tables of --pairing per-channel, where the rows are too few to measure
/// frequencies.
void add_usual_per_channel(std::vector<PricedProposal>& found, const evidence::Sample& array,
                           const SinusoidRows& rows);

}  // namespace pegen::encodings
