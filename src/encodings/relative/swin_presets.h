#pragma once

#include <array>

#include "encodings/preset.h"

// The presets of windows with a bias, for swin.cpp alone.
namespace pegen::encodings {

inline constexpr std::array swin_presets{
    PresetSpec{.name = "beit",
               .settings = "--height 14 --width 14 --heads 12 --prefix cls --init constant:0",
               .summary = "BEiT: the whole image is one window, with a class token",
               .source = "microsoft/unilm, beit/modeling_finetune.py, RelativePositionBias",
               .note =
                   "735 rows; zeros before training. Hugging Face's code takes height for width "
                   "when it resizes the table, and it always does: its bias of an image that is "
                   "not square is another one."},
};

}  // namespace pegen::encodings
