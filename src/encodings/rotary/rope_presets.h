#pragma once

#include <array>

#include "encodings/preset.h"

// The presets of rotary positions, for rope.cpp alone. The numbers are those of the published
// config.json; other sizes of a family differ in --d or --base: --config reads them.
namespace pegen::encodings {

inline constexpr std::array rope_presets{
    PresetSpec{.name = "cohere",
               .aliases = "command-r",
               .settings = "--pairing interleaved --d 128 --base 8000000 --layout interleaved",
               .summary = "Cohere's Command R, as its code stores the table",
               .source = "huggingface/transformers, src/transformers/models/cohere/"
                         "modeling_cohere.py; config of command-r-v01",
               .note = "Pairing interleaved, layout interleaved. Command R+ has base 75000000."},
    PresetSpec{.name = "deepseek",
               .aliases = "deepseek-v3 deepseek-r1",
               .settings = "--pairing interleaved --d 64 --scaling yarn --factor 40 "
                           "--original-max-position-embeddings "
                           "4096 --mscale 1 --mscale-all-dim 1",
               .summary = "DeepSeek V3 and R1's rotated channels, in Hugging Face's layout",
               .source = "huggingface/transformers, src/transformers/models/deepseek_v3/"
                         "modeling_deepseek_v3.py; config of DeepSeek-V3",
               .note =
                   "Pairing interleaved, layout half: neighbours are read as a pair, the result "
                   "is written in halves. Only 64 channels of a head are rotated. The two "
                   "mscales cancel in the table; their square goes into the softmax."},
    PresetSpec{.name = "gemma",
               .aliases = "gemma2",
               .settings = "--d 256",
               .summary = "Gemma and Gemma 2",
               .source = "huggingface/transformers, src/transformers/models/gemma/"
                         "modeling_gemma.py; config of gemma-7b",
               .note = "Pairing half, layout half. head_dim is 256 although hidden_size / heads is "
                       "not, in some sizes."},
    PresetSpec{.name = "gemma3",
               .settings = "--d 256 --base 1000000 --scaling linear --factor 8",
               .summary = "Gemma 3: the layers with full attention",
               .source = "huggingface/transformers, src/transformers/models/gemma3/"
                         "modeling_gemma3.py; config of gemma-3-4b",
               .note = "Pairing half, layout half. The layers with a sliding window are "
                       "gemma3-local. The 1b model is not scaled: --scaling none."},
    PresetSpec{.name = "gemma3-local",
               .settings = "--d 256",
               .summary = "Gemma 3: the layers with a sliding window",
               .source = "huggingface/transformers, src/transformers/models/gemma3/"
                         "modeling_gemma3.py, rope_local_base_freq",
               .note = "Pairing half, layout half."},
    PresetSpec{.name = "glm",
               .aliases = "glm4",
               .settings = "--pairing interleaved --d 128 --partial-rotary-factor 0.5",
               .summary = "GLM-4 in Hugging Face's code",
               .source = "huggingface/transformers, src/transformers/models/glm/modeling_glm.py; "
                         "config of glm-4-9b-hf",
               .note = "Pairing interleaved, layout half: the code repeats the first half of this "
                       "table to get --layout interleaved. Half of a head is rotated."},
    PresetSpec{.name = "gpt-j",
               .settings = "--pairing interleaved --d 256 --rotary-dim 64 --layout single",
               .summary = "GPT-J 6B: the first 64 of 256 channels",
               .source = "huggingface/transformers, src/transformers/models/gptj/modeling_gptj.py",
               .note = "Pairing interleaved. The code keeps the sines, then the cosines, of each "
                       "frequency once: --table sin-cos."},
    PresetSpec{
        .name = "gpt-neox",
        .settings = "--d 96 --partial-rotary-factor 0.25",
        .summary = "GPT-NeoX 20B: a quarter of each head",
        .source = "EleutherAI/gpt-neox, megatron/model/positional_embeddings.py",
        .note = "Pairing half, layout half. Pythia: --d 64 to 256, as its config.json says."},
    PresetSpec{.name = "gpt-oss",
               .settings = "--d 64 --base 150000 --layout single --scaling yarn --factor 32 "
                           "--original-max-position-embeddings 4096 --no-truncate",
               .summary = "gpt-oss: YaRN with unrounded bounds",
               .source = "huggingface/transformers, src/transformers/models/gpt_oss/"
                         "modeling_gpt_oss.py; config of gpt-oss-20b",
               .note = "Pairing half, layout single."},
    PresetSpec{
        .name = "llama",
        .aliases = "llama2 vicuna",
        .settings = "--d 128",
        .summary = "Llama and Llama 2 in Hugging Face's code",
        .source = "huggingface/transformers, src/transformers/models/llama/modeling_llama.py",
        .note = "Pairing half, layout half. Meta's own checkpoints are meta-llama: the rows "
                "of q and k are in another order there."},
    PresetSpec{
        .name = "llama3",
        .aliases = "olmo2",
        .settings = "--d 128 --base 500000",
        .summary = "Llama 3 in Hugging Face's code",
        .source = "huggingface/transformers, src/transformers/models/llama/modeling_llama.py",
        .note = "Pairing half, layout half. Not scaled: that is llama3.1."},
    PresetSpec{.name = "llama3.1",
               .aliases = "llama3.3",
               .settings = "--d 128 --base 500000 --scaling llama3 --factor 8 "
                           "--original-max-position-embeddings 8192",
               .summary = "Llama 3.1 and 3.3",
               .source =
                   "huggingface/transformers, src/transformers/modeling_rope_utils.py; config "
                   "of Llama-3.1-8B",
               .note = "Pairing half, layout half. The frequencies change for short texts, too."},
    PresetSpec{.name = "llama3.2",
               .settings = "--d 64 --base 500000 --scaling llama3 --factor 32 "
                           "--original-max-position-embeddings 8192",
               .summary = "Llama 3.2 1B",
               .source =
                   "huggingface/transformers, src/transformers/modeling_rope_utils.py; config "
                   "of Llama-3.2-1B",
               .note = "Pairing half, layout half. The 3B model has --d 128."},
    PresetSpec{.name = "llama4",
               .settings = "--pairing interleaved --d 128 --base 500000 --layout single --scaling "
                           "llama3 --factor 16 "
                           "--low-freq-factor 1 --high-freq-factor 1 "
                           "--original-max-position-embeddings 8192",
               .summary = "Llama 4 Scout: the layers with rotary positions",
               .source = "huggingface/transformers, src/transformers/models/llama4/"
                         "modeling_llama4.py; config of Llama-4-Scout",
               .note = "Pairing interleaved; the code keeps complex numbers: --table freqs-cis. "
                       "Every fourth layer has no positions."},
    PresetSpec{.name = "meta-llama",
               .settings = "--pairing interleaved --d 128 --layout single",
               .summary = "Llama and Llama 2 in Meta's own code",
               .source = "meta-llama/llama, llama/model.py, precompute_freqs_cis",
               .note = "Pairing interleaved; the code keeps complex numbers: --table freqs-cis. "
                       "Llama 3: --base 500000."},
    PresetSpec{
        .name = "mistral",
        .aliases = "mixtral",
        .settings = "--d 128 --base 1000000",
        .summary = "Mistral 7B from version 0.2 on, and Mixtral",
        .source = "huggingface/transformers, src/transformers/models/mistral/modeling_mistral.py",
        .note = "Pairing half, layout half in Hugging Face's code; Mistral's own pairs "
                "neighbours. Version 0.1 has base 10000."},
    PresetSpec{.name = "phi2",
               .settings = "--d 80 --partial-rotary-factor 0.4",
               .summary = "Phi-2: 32 of 80 channels",
               .source = "huggingface/transformers, src/transformers/models/phi/modeling_phi.py; "
                         "config of phi-2",
               .note = "Pairing half, layout half."},
    PresetSpec{.name = "phi3",
               .aliases = "phi3-4k",
               .settings = "--d 96",
               .summary = "Phi-3 mini with 4,096 positions",
               .source = "huggingface/transformers, src/transformers/models/phi3/modeling_phi3.py",
               .note =
                   "Pairing half, layout half. The models with 128k positions have LongRoPE and "
                   "96 factors of their own: --config config.json."},
    PresetSpec{
        .name = "qwen2",
        .aliases = "qwen2.5 qwen3",
        .settings = "--d 128 --base 1000000",
        .summary = "Qwen 2, 2.5 and 3",
        .source = "huggingface/transformers, src/transformers/models/qwen2/modeling_qwen2.py",
        .note = "Pairing half, layout half. With YaRN as its authors advise: --scaling yarn "
                "--factor 4 --original-max-position-embeddings 32768; Transformers 4.43 to "
                "4.55 computed it otherwise."},
    PresetSpec{.name = "roformer",
               .settings = "--pairing interleaved --d 64 --layout single",
               .summary = "RoFormer, which introduced rotary positions",
               .source = "huggingface/transformers, src/transformers/models/roformer/"
                         "modeling_roformer.py",
               .note = "Pairing interleaved. The code keeps the sines, then the cosines: --table "
                       "sin-cos."},
    PresetSpec{.name = "stablelm",
               .settings = "--d 80 --partial-rotary-factor 0.25",
               .summary = "StableLM 3B: 20 of 80 channels",
               .source = "huggingface/transformers, src/transformers/models/stablelm/"
                         "modeling_stablelm.py; config of stablelm-3b-4e1t",
               .note = "Pairing half, layout half."},
};

}  // namespace pegen::encodings
