#pragma once

#include <array>

#include "encodings/preset.h"

// The presets of DeBERTa's buckets, for deberta.cpp alone.
namespace pegen::encodings {

inline constexpr std::array deberta_presets{
    PresetSpec{.name = "deberta-v2",
               .aliases = "deberta-v3",
               .settings = "",
               .summary = "DeBERTa v2 and v3 in Hugging Face's code: 256 buckets, 512 positions",
               .source = "huggingface/transformers, "
                         "src/transformers/models/deberta_v2/modeling_deberta_v2.py",
               .note = "position_buckets 256, and max_relative_positions -1, which stands for 512. "
                       "Buckets go on growing beyond 512; only the index into the table is cut."},
    PresetSpec{.name = "microsoft-deberta",
               .settings = "--clamp",
               .summary = "DeBERTa v2 and v3 in Microsoft's code: distances end at +-511",
               .source = "microsoft/DeBERTa, DeBERTa/deberta/da_utils.py, make_log_bucket_position",
               .note = "Buckets end at 255 on either side; the index is that of deberta-v2, but "
                       "for the distances beyond 511 after the query."},
};

}  // namespace pegen::encodings
