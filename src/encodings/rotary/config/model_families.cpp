#include "encodings/rotary/config/model_families.h"

#include <algorithm>
#include <array>

#include "core/names.h"

namespace pegen::encodings {
namespace {

constexpr std::array families{
    ModelFamily{"llama", "half",
                "Hugging Face's weights have q and k rows permuted for halves; Meta's own "
                "checkpoints and GGUF files of Llama pair neighbours."},
    ModelFamily{
        "", "interleaved",
        "Meta's and Mistral's own checkpoints pair neighbours, as complex numbers. Hugging Face's "
        "weights of the same models have q and k rows permuted for halves.",
        "--layout single"},
    ModelFamily{
        .model_types = "llama4_text llama4",
        .pairing = "interleaved",
        .note = "Llama 4 keeps complex numbers and pairs neighbours, also in Hugging Face's code. "
                "Layers whose number in no_rope_layers is 0, every fourth by default, have no "
                "rotary positions; with attn_temperature_tuning their queries grow with the "
                "position.",
        .defaults = "--d 128 --base 500000 --layout single",
        .rotated_layers = "chunked_attention"},
    ModelFamily{"mixtral", "half",
                "Mistral's own code pairs neighbours; Hugging Face's weights are permuted for "
                "halves.",
                "--base 1000000"},
    ModelFamily{"qwen3 qwen3_moe", "half", "head_dim is not hidden_size / heads.", "--d 128"},
    ModelFamily{"mistral ministral mistral3", "half",
                "Mistral's own code pairs neighbours, as complex numbers; Hugging Face's weights "
                "are permuted for halves."},
    ModelFamily{"qwen2 qwen2_moe", "half",
                "YaRN is written into rope_scaling by hand and changes short texts, too. With "
                "rope_scaling's factor, Transformers 4.43 to 4.50 took max_position_embeddings for "
                "the original length, 4.51 to 4.55 replaced the factor by the quotient of the two "
                "lengths."},
    ModelFamily{
        "qwen2_vl qwen2_5_vl qwen2_vl_text qwen2_5_vl_text", "half",
        "M-RoPE: contiguous sections of the frequencies belong to time, row and column. For "
        "text, whose three positions are equal, it is the plain table.",
        "--base 1000000"},
    ModelFamily{
        "qwen3_vl qwen3_vl_text qwen3_vl_moe qwen3_vl_moe_text", "half",
        "Interleaved M-RoPE: time, row and column take turns along the frequencies; this is "
        "no interleaved pairing. For text it is the plain table."},
    ModelFamily{"phi3", "half",
                "LongRoPE: the factors for long sequences are used from one token beyond the "
                "original length on, and the whole cache changes there."},
    ModelFamily{"phimoe", "half",
                "LongRoPE: the factors for long sequences are used from one token beyond the "
                "original length on, and the whole cache changes there.",
                "--base 1000000"},
    ModelFamily{"phi", "half", "Only half of a head is rotated.", "--partial-rotary-factor 0.5"},
    ModelFamily{"persimmon", "half", "Only half of a head is rotated.",
                "--partial-rotary-factor 0.5 --base 25000"},
    ModelFamily{"nemotron recurrent_gemma", "half", "Only half of a head is rotated.",
                "--partial-rotary-factor 0.5"},
    ModelFamily{"bamba", "half",
                "Only the layers with attention have positions, and half of a head is rotated, in "
                "Transformers whatever attn_rotary_emb says.",
                "--partial-rotary-factor 0.5"},
    ModelFamily{"qwen3_next", "half",
                "Only the layers with full attention have positions, and a quarter of a head is "
                "rotated.",
                "--d 256 --partial-rotary-factor 0.25"},
    ModelFamily{"glm4_moe", "half",
                "Half of a head is rotated, in halves, unlike the dense models of GLM-4.",
                "--partial-rotary-factor 0.5"},
    ModelFamily{"qwen", "half",
                "Beyond seq_length, use_dynamic_ntk raises the base and use_logn_attn scales the "
                "queries."},
    ModelFamily{"telechat telechat2", "half",
                "Beyond training_seqlen, the base and the amplitude grow."},
    ModelFamily{"stablelm stablelm_epoch", "half", "Only a quarter of a head is rotated.",
                "--partial-rotary-factor 0.25"},
    ModelFamily{"gpt_neox", "half", "Only rotary_pct of a head is rotated, a quarter by default.",
                "--partial-rotary-factor 0.25"},
    ModelFamily{"gptj codegen", "interleaved",
                "Neighbouring channels are a pair, and only rotary_dim of them are rotated. The "
                "code keeps sines, then cosines: --table sin-cos.",
                "--rotary-dim 64 --layout single"},
    ModelFamily{"roformer", "interleaved",
                "Neighbouring channels are a pair. The code keeps sines, then cosines: --table "
                "sin-cos.",
                "--layout single"},
    ModelFamily{"falcon RefinedWebModel RefinedWeb", "half", "Only where alibi is false."},
    ModelFamily{"cohere", "interleaved",
                "Neighbouring channels are a pair; the table is --layout interleaved.",
                "--layout interleaved"},
    ModelFamily{.model_types = "cohere2",
                .pairing = "interleaved",
                .note = "Neighbouring channels are a pair; the table is --layout interleaved. Only "
                        "the layers with a sliding window have rotary positions.",
                .defaults = "--layout interleaved",
                .rotated_layers = "sliding_attention"},
    ModelFamily{"glm glm4", "interleaved",
                "Neighbouring channels are a pair, and half of a head is rotated. The code repeats "
                "the first half of a half table.",
                "--d 128 --partial-rotary-factor 0.5"},
    ModelFamily{"chatglm", "interleaved",
                "Neighbouring channels are a pair unless original_rope is false, and half of a "
                "head is rotated. rope_ratio multiplies the base in ChatGLM3 and GLM-4; "
                "ChatGLM2-6B-32k divides positions by it: --base 10000 --scaling linear --factor.",
                "--partial-rotary-factor 0.5"},
    ModelFamily{"ernie4_5 ernie4_5_moe", "interleaved", "Neighbouring channels are a pair.",
                "--base 500000"},
    ModelFamily{"deepseek_v2", "interleaved",
                "Only the qk_rope_head_dim channels of a head are rotated; neighbours are a pair, "
                "as complex numbers.",
                "--d 64"},
    ModelFamily{
        "deepseek_v3 kimi_k2", "interleaved",
        "Only the qk_rope_head_dim channels of a head are rotated. Neighbours are read as a "
        "pair, but the result is written in halves. DeepSeek's own code puts mscale into "
        "the softmax, not into the table.",
        "--d 64"},
    ModelFamily{"gemma gemma2", "half", "head_dim is not hidden_size / heads.", "--d 256"},
    ModelFamily{.model_types = "gemma3 gemma3_text gemma3n_text",
                .pairing = "half",
                .note = "Layers with a sliding window have a base of their own, "
                        "rope_local_base_freq, and no scaling: --layer-type sliding_attention.",
                .defaults = "--d 256 --base 1000000",
                .sliding_base = "10000",
                .sliding_is_unscaled = true},
    ModelFamily{.model_types = "gemma4 gemma4_text",
                .pairing = "half",
                .note = "Layers with full attention have larger heads, global_head_dim, of which "
                        "only the fastest quarter of the pairs turns: --scaling proportional.",
                .defaults = "--d 256",
                .global_head_dim = "512"},
    ModelFamily{"gpt_oss", "half",
                "YaRN with bounds that are not rounded (truncate false); the code keeps each "
                "frequency once: --layout single.",
                "--d 64 --base 150000 --layout single"},
    ModelFamily{.model_types = "modernbert",
                .pairing = "half",
                .note = "Global and local layers have bases of their own: --layer-type "
                        "full_attention or sliding_attention.",
                .defaults = "--base 160000",
                .sliding_base = "10000",
                .sliding_is_unscaled = true},
    ModelFamily{.model_types = "olmo3",
                .pairing = "half",
                .note = "Layers with a sliding window are not scaled: --layer-type "
                        "sliding_attention. Transformers 5 scales them, too, unlike 4, vLLM and "
                        "the paper.",
                .defaults = "--base 500000",
                .sliding_is_unscaled = true},
    ModelFamily{.model_types = "exaone4",
                .pairing = "half",
                .note = "Where some layers have a sliding window, the others have no rotary "
                        "positions.",
                .rotated_layers = "sliding_attention"},
    ModelFamily{"smollm3", "half",
                "Layers whose number in no_rope_layers is 0, every fourth by default, have no "
                "rotary positions.",
                "--base 2000000"},
    ModelFamily{"nomic_bert", "half",
                "Halves unless rotary_emb_interleaved is true, as in flash-attention."},
    ModelFamily{"olmo olmo2 olmoe granite granitemoe starcoder2 seed_oss internlm internlm2 "
                "internlm3 baichuan exaone minicpm xverse orion deepseek arcee jetmoe diffllama "
                "hunyuan_v1_dense hunyuan_v1_moe openelm dbrx",
                "half", "As Llama in Hugging Face's code."},
};

}  // namespace

const ModelFamily* find_family(std::string_view model_type) {
    const auto found = std::ranges::find_if(families, [&](const ModelFamily& family) {
        return family.model_types == model_type ||
               std::ranges::count(words(family.model_types), model_type) > 0;
    });
    return found == families.end() ? nullptr : &*found;
}

}  // namespace pegen::encodings
