#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// Returns how the array may be of DETR's family: (batch, channels, height, width), or (batch,
/// frames, channels, height, width), a batch of one left out. The order of axes, sines and cosines
/// and which pixels are padding are read from the array; --pairing per-channel is not looked for.
std::vector<evidence::Proposal> recognize_detr(const evidence::Sample& array);

}  // namespace pegen::encodings
