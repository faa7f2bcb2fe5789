#pragma once

#include "encodings/encoding.h"

// The mechanisms of attention, each an Encoding called "attention NAME". They are functions because
// their parameters are put together, from lists of other encodings, when the program runs.
namespace pegen::encodings::attention {

const Encoding& shaw();
const Encoding& transformer_xl();
const Encoding& xlnet();
const Encoding& t5();
const Encoding& alibi();
const Encoding& swin();
const Encoding& rope();

}  // namespace pegen::encodings::attention
