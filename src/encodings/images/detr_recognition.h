#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// Returns how the array may be of DETR's family: (batch, channels, height, width), or one image.
/// Which pixels are padding is read from the array.
std::vector<evidence::Proposal> recognize_detr(const evidence::Sample& array);

}  // namespace pegen::encodings
