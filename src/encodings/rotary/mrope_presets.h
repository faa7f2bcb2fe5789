#pragma once

#include <array>

#include "encodings/preset.h"

// The presets of M-RoPE, for mrope.cpp alone.
namespace pegen::encodings {

inline constexpr std::array mrope_presets{
    PresetSpec{.name = "qwen2-vl",
               .settings = "--d 128 --base 1000000 --sections 16,24,24",
               .summary = "Qwen2-VL's language model: three sections of the spectrum",
               .source = "huggingface/transformers, src/transformers/models/qwen2_vl/"
                         "modeling_qwen2_vl.py",
               .note = "Layout half, pairing half: channel m turns with m + d / 2. Rows and "
                       "columns are those of merged patches, half as many as patches. After a "
                       "video of more frames than rows and columns transformers 5 goes on "
                       "earlier: --next grid. Qwen2.5-VL counts frames by seconds."},
    PresetSpec{.name = "qwen3-vl",
               .settings = "--d 128 --base 5000000 --sections 24,20,20 --order interleaved",
               .summary = "Qwen3-VL's language model: rows and columns at every third frequency",
               .source = "huggingface/transformers, src/transformers/models/qwen3_vl/"
                         "modeling_qwen3_vl.py",
               .note = "Interleaved are the axes, not the channels: layout half, pairing half. "
                       "The frames of a video are images with the time as text between them."},
};

}  // namespace pegen::encodings
