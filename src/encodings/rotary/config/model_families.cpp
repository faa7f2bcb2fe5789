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
        .rotated_layers = "chunked_attention",
        .has_unrotated_numbers = true},
    ModelFamily{"mixtral", "half",
                "Mistral's own code pairs neighbours; Hugging Face's weights are permuted for "
                "halves.",
                "--base 1000000"},
    ModelFamily{"qwen3", "half", "head_dim is not hidden_size / heads.", "--d 128"},
    ModelFamily{"qwen3_moe", "half", "head_dim is not hidden_size / heads in released models."},
    ModelFamily{"mistral ministral mistral3", "half",
                "Mistral's own code pairs neighbours, as complex numbers; Hugging Face's weights "
                "are permuted for halves."},
    ModelFamily{"qwen2 qwen2_moe", "half",
                "YaRN is written into rope_scaling by hand and changes short texts, too. With "
                "rope_scaling's factor, Transformers 4.43 to 4.50 took max_position_embeddings for "
                "the original length, 4.51 to 4.55 replaced the factor by the quotient of the two "
                "lengths."},
    ModelFamily{
        "qwen2_vl qwen2_5_vl qwen2_vl_text qwen2_5_vl_text qwen2_5_omni_text", "half",
        "M-RoPE: contiguous sections of the frequencies belong to time, row and column. For "
        "text, whose three positions are equal, it is the plain table.",
        "--base 1000000"},
    ModelFamily{"qwen2_5_omni_talker", "half",
                "M-RoPE: contiguous sections of the frequencies belong to time, row and column. "
                "For text it is the plain table.",
                "--d 128 --base 1000000"},
    ModelFamily{
        "qwen3_vl qwen3_vl_text", "half",
        "Interleaved M-RoPE: time, row and column take turns along the frequencies; this is "
        "no interleaved pairing. For text it is the plain table.",
        "--d 128 --base 500000"},
    ModelFamily{"qwen3_vl_moe qwen3_vl_moe_text", "half",
                "Interleaved M-RoPE: time, row and column take turns along the frequencies; this "
                "is no interleaved pairing. For text it is the plain table.",
                "--base 500000"},
    ModelFamily{"cosmos3_edge_text", "half",
                "Interleaved M-RoPE: time, row and column take turns along the frequencies. For "
                "text it is the plain table.",
                "--d 128 --base 100000000"},
    ModelFamily{"cohere_compass_text", "half",
                "Interleaved M-RoPE: time, row and column take turns along the frequencies; for "
                "text it is the plain table. Layers whose rope_parameters are null have no "
                "positions."},
    ModelFamily{"paddleocr_vl_text paddleocr_vl", "half",
                "M-RoPE: contiguous sections of the frequencies belong to time, row and column. "
                "For text it is the plain table.",
                "--d 128 --base 500000"},
    ModelFamily{"glm_image_text", "half",
                "M-RoPE: contiguous sections of the frequencies belong to time, row and column. "
                "For text it is the plain table."},
    ModelFamily{"phi3", "half",
                "LongRoPE: the factors for long sequences are used from one token beyond the "
                "original length on, and the whole cache changes there."},
    ModelFamily{"phimoe", "half",
                "LongRoPE: the factors for long sequences are used from one token beyond the "
                "original length on, and the whole cache changes there.",
                "--base 1000000"},
    ModelFamily{"phi", "half", "Half of a head is rotated by default.",
                "--partial-rotary-factor 0.5"},
    ModelFamily{"persimmon fuyu", "half", "Half of a head is rotated by default.",
                "--partial-rotary-factor 0.5 --base 25000"},
    ModelFamily{"nemotron recurrent_gemma", "half", "Half of a head is rotated by default.",
                "--partial-rotary-factor 0.5"},
    ModelFamily{"bamba", "half",
                "Only the layers with attention have positions, and half of a head is rotated, in "
                "Transformers whatever attn_rotary_emb says.",
                "--partial-rotary-factor 0.5"},
    ModelFamily{"qwen3_next", "half",
                "Only the layers with full attention have positions, and a quarter of a head is "
                "rotated.",
                "--d 256 --partial-rotary-factor 0.25"},
    ModelFamily{"qwen3_5_text qwen3_5 qwen3_5_moe_text qwen3_5_moe", "half",
                "Only the layers with full attention have positions, and a quarter of a head is "
                "rotated. Interleaved M-RoPE: time, row and column take turns along the "
                "frequencies; for text it is the plain table.",
                "--d 256 --partial-rotary-factor 0.25"},
    ModelFamily{"qwen3_omni_moe_text qwen3_omni_moe", "half",
                "Interleaved M-RoPE: time, row and column take turns along the frequencies. For "
                "text it is the plain table.",
                "--base 1000000"},
    ModelFamily{"glmasr_encoder", "half", "Half of a head is rotated by default.",
                "--partial-rotary-factor 0.5"},
    ModelFamily{"glm4_moe glm4v_moe_text glm4v_moe", "half",
                "Half of a head is rotated, in halves, unlike the dense models of GLM-4.",
                "--partial-rotary-factor 0.5"},
    ModelFamily{"qwen", "half",
                "Beyond seq_length, use_dynamic_ntk raises the base and use_logn_attn scales the "
                "queries."},
    ModelFamily{"telechat telechat2", "half",
                "Beyond training_seqlen, the base and the amplitude grow."},
    ModelFamily{"stablelm stablelm_epoch", "half", "A quarter of a head is rotated by default.",
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
                "--base 500000 --layout interleaved"},
    ModelFamily{.model_types = "cohere2",
                .pairing = "interleaved",
                .note = "Neighbouring channels are a pair; the table is --layout interleaved. Only "
                        "the layers with a sliding window have rotary positions.",
                .defaults = "--layout interleaved",
                .rotated_layers = "sliding_attention"},
    ModelFamily{.model_types = "cohere2_moe",
                .pairing = "interleaved",
                .note = "Neighbouring channels are a pair; the table is --layout interleaved. Only "
                        "the layers with a sliding window have rotary positions, and the dense "
                        "layers in front if prefix_dense_sliding_window_pattern is 1.",
                .defaults = "--d 128 --layout interleaved",
                .rotated_layers = "sliding_attention"},
    ModelFamily{"blt_local_encoder blt_local_decoder blt_global_transformer", "interleaved",
                "Neighbouring channels are a pair; the table is --layout interleaved.",
                "--base 500000 --layout interleaved"},
    ModelFamily{"blt_patcher", "interleaved",
                "Neighbouring channels are a pair; the table is --layout interleaved.",
                "--layout interleaved"},
    ModelFamily{"pe_audio_encoder pe_video_encoder pe_audio_video_encoder", "interleaved",
                "Neighbouring channels are a pair. The code takes the first half of a half table.",
                "--d 128 --base 20000"},
    ModelFamily{.model_types = "openai_privacy_filter",
                .pairing = "interleaved",
                .note = "Neighbouring channels are a pair, unlike in gpt-oss. YaRN with bounds "
                        "that are not rounded (truncate false).",
                .defaults = "--d 64 --base 150000 --layout single",
                .needs_rope_keys = true},
    ModelFamily{"qwen2_5_omni_dit", "interleaved",
                "Neighbouring channels are a pair, but the result is written in halves. Only the "
                "first head is rotated.",
                "--d 64"},
    ModelFamily{"glm glm4", "interleaved",
                "Neighbouring channels are a pair, and half of a head is rotated. The code repeats "
                "the first half of a half table.",
                "--d 128 --partial-rotary-factor 0.5"},
    ModelFamily{"glm4v_text glm4v glm_ocr_text glm_ocr", "interleaved",
                "Neighbouring channels are a pair. M-RoPE: sections of the frequencies belong to "
                "time, row and column. For text it is the plain table."},
    ModelFamily{"helium", "interleaved",
                "Neighbouring channels are a pair. The code repeats the first half of a half "
                "table.",
                "--d 128 --base 100000"},
    ModelFamily{"moonshine", "interleaved",
                "Neighbouring channels are a pair, and nine tenths of a head are rotated.",
                "--partial-rotary-factor 0.9"},
    ModelFamily{"moonshine_streaming", "interleaved",
                "Neighbouring channels are a pair, and four fifths of a head are rotated.",
                "--partial-rotary-factor 0.8"},
    ModelFamily{"chatglm", "interleaved",
                "Neighbouring channels are a pair unless original_rope is false, and half of a "
                "head is rotated. rope_ratio multiplies the base in ChatGLM3 and GLM-4; "
                "ChatGLM2-6B-32k divides positions by it: --base 10000 --scaling linear --factor.",
                "--partial-rotary-factor 0.5"},
    ModelFamily{"ernie4_5", "interleaved", "Neighbouring channels are a pair.",
                "--d 128 --base 500000"},
    ModelFamily{"ernie4_5_moe", "interleaved", "Neighbouring channels are a pair.",
                "--base 500000"},
    ModelFamily{"ernie4_5_moe_vl", "interleaved",
                "Neighbouring channels are a pair. In images and videos rows and columns take "
                "turns along the fast frequencies, and time has the slow ones. For text it is the "
                "plain table.",
                "--base 500000"},
    ModelFamily{"ernie4_5_vl_moe_text ernie4_5_vl_moe", "interleaved",
                "Neighbouring channels are a pair; the table is --layout interleaved. In images "
                "and videos rows and columns take turns along the fast frequencies, which the "
                "code keeps in another order, and time has the slow ones. For text it is the "
                "plain table.",
                "--base 500000 --layout interleaved"},
    ModelFamily{"deepseek_v2", "interleaved",
                "Only the qk_rope_head_dim channels of a head are rotated; neighbours are a pair, "
                "as complex numbers.",
                "--d 64 --layout single"},
    ModelFamily{
        "deepseek_v3 kimi_k2", "interleaved",
        "Only the qk_rope_head_dim channels of a head are rotated. Neighbours are read as a "
        "pair, but the result is written in halves. DeepSeek's own code puts mscale into "
        "the softmax, not into the table.",
        "--d 64"},
    ModelFamily{
        "deepseek_v32 glm4_moe_lite glm_moe_dsa axk1 youtu bailing_hybrid", "interleaved",
        "Only the qk_rope_head_dim channels of a head are rotated. Neighbours are read as a "
        "pair, but the result is written in halves, unless rope_interleave is false.",
        "--d 64"},
    ModelFamily{"axk2", "interleaved",
                "Only the qk_rope_head_dim channels of a head are rotated. Neighbours are read as "
                "a pair, but the result is written in halves.",
                "--d 32"},
    ModelFamily{.model_types = "mistral4",
                .pairing = "interleaved",
                .note =
                    "Only the qk_rope_head_dim channels of a head are rotated; "
                    "partial_rotary_factor is their part of the whole head. Neighbours are read "
                    "as a pair, but the result is written in halves, unless rope_interleave is "
                    "false.",
                .defaults = "--d 64",
                .needs_rope_keys = true},
    ModelFamily{
        "longcat_flash", "interleaved",
        "Only the qk_rope_head_dim channels of a head are rotated. Neighbours are read as a "
        "pair, but the result is written in halves.",
        "--d 64 --base 10000000"},
    ModelFamily{.model_types = "deepseek_v4",
                .pairing = "interleaved",
                .note =
                    "Layers with compressed keys have a base of their own, compress_rope_theta, "
                    "and YaRN with an attention factor of 1: --layer-type compress. The others "
                    "are not scaled: --layer-type main.",
                .defaults = "--d 64 --layout single",
                .scaled_group = "compress"},
    ModelFamily{"minicpm3", "half", "Only the qk_rope_head_dim channels of a head are rotated.",
                "--d 32"},
    ModelFamily{"gemma gemma2 t5_gemma_module vaultgemma", "half",
                "head_dim is not hidden_size / heads.", "--d 256"},
    ModelFamily{.model_types = "gemma3 gemma3_text gemma3n_text",
                .pairing = "half",
                .note = "Layers with a sliding window have a base of their own, "
                        "rope_local_base_freq, and no scaling: --layer-type sliding_attention.",
                .defaults = "--d 256 --base 1000000",
                .sliding_base = "10000",
                .sliding_is_unscaled = true},
    ModelFamily{.model_types = "gemma4 gemma4_text gemma4_unified gemma4_unified_text "
                               "diffusion_gemma diffusion_gemma_text",
                .pairing = "half",
                .note = "Layers with full attention have larger heads, global_head_dim, of which "
                        "only the fastest quarter of the pairs turns: --scaling proportional.",
                .defaults = "--d 256",
                .global_head_dim = "512"},
    ModelFamily{.model_types = "gpt_oss",
                .pairing = "half",
                .note =
                    "YaRN with bounds that are not rounded (truncate false); the code keeps each "
                    "frequency once: --layout single.",
                .defaults = "--d 64 --base 150000 --layout single",
                .needs_rope_keys = true},
    ModelFamily{.model_types = "modernbert modernbert-decoder",
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
    ModelFamily{.model_types = "step3p5 step3p5_text step3p7 step3p7_text",
                .pairing = "half",
                .note = "Layers with full attention and with a sliding window differ in base, part "
                        "of a head and scaling: --layer-type.",
                .defaults = "--d 128",
                .sliding_is_unscaled = true},
    ModelFamily{.model_types = "t5gemma2_text t5gemma2_decoder t5gemma2",
                .pairing = "half",
                .note = "Layers with a sliding window have a base of their own.",
                .defaults = "--d 256 --base 1000000",
                .sliding_base = "10000",
                .sliding_is_unscaled = true},
    ModelFamily{.model_types = "mimo_v2 mimo_v2_flash",
                .pairing = "half",
                .note =
                    "Layers with a sliding window have a base of their own, swa_rope_theta, and "
                    "a third of a head is rotated.",
                .needs_rope_keys = true},
    ModelFamily{"new", "half",
                "Scaling of type ntk is not the usual one: the base times the factor f, and all "
                "frequencies divided by f^(2/d)."},
    ModelFamily{.model_types = "laguna mellum zaya",
                .pairing = "half",
                .note = "Layers differ in base, scaling and part of a head: --layer-type.",
                .defaults = "--d 128",
                .needs_rope_keys = true},
    ModelFamily{"granite_swa granitemoe_swa", "half",
                "layer_rope_theta is the base of each layer; layers with 0 have no positions."},
    ModelFamily{"muse_glimmer_text", "half",
                "layer_rope_theta is the base of each layer; layers with 0 have no positions.",
                "--d 128"},
    ModelFamily{.model_types = "afmoe",
                .pairing = "half",
                .note = "Only the layers with a sliding window have rotary positions.",
                .defaults = "--d 128",
                .rotated_layers = "sliding_attention"},
    ModelFamily{.model_types = "exaone4 exaone_moe",
                .pairing = "half",
                .note = "Where some layers have a sliding window, the others have no rotary "
                        "positions.",
                .rotated_layers = "sliding_attention"},
    ModelFamily{.model_types = "smollm3",
                .pairing = "half",
                .note = "Layers whose number in no_rope_layers is 0, every fourth by default, have "
                        "no rotary positions.",
                .defaults = "--base 2000000",
                .has_unrotated_numbers = true},
    ModelFamily{"nomic_bert", "half",
                "Halves unless rotary_emb_interleaved is true, as in flash-attention.",
                "--base 1000"},
    ModelFamily{"nanochat", "half", "Pairs turn by the negative angle."},
    ModelFamily{"xcodec2", "half",
                "The code takes the number of the head for the position, so all tokens of a head "
                "turn alike.",
                "--d 64"},
    ModelFamily{"clvp_encoder", "half",
                "Queries, keys and values are rotated, of a head only the first 32 channels, or "
                "projection_dim / (2 heads) if that is more.",
                "--rotary-dim 32"},
    ModelFamily{"wav2vec2-bert wav2vec2-conformer", "half",
                "Only where position_embeddings_type is rotary."},
    ModelFamily{"flex_olmo bitnet mllama_text_model csm csm_depth_decoder_model evolla", "half",
                "As Llama in Hugging Face's code.", "--base 500000"},
    ModelFamily{"muse_glimmer_assistant", "half", "As Llama in Hugging Face's code.",
                "--d 128 --base 500000"},
    ModelFamily{"jina_embeddings_v3", "half", "As Llama in Hugging Face's code.", "--base 20000"},
    ModelFamily{.model_types = "higgs_audio_v2",
                .pairing = "half",
                .note = "As Llama in Hugging Face's code.",
                .defaults = "--d 128",
                .needs_rope_keys = true},
    ModelFamily{"timesfm2_5", "half", "As Llama in Hugging Face's code.", "--d 80"},
    ModelFamily{"voxtral_realtime_encoder", "half", "As Llama in Hugging Face's code.", "--d 64"},
    ModelFamily{"qwen3_omni_moe_talker_code_predictor", "half", "As Llama in Hugging Face's code.",
                "--d 128"},
    ModelFamily{"lfm2 lfm2_moe emu3_text_model", "half", "As Llama in Hugging Face's code.",
                "--base 1000000"},
    ModelFamily{"minimax", "half", "rotary_dim channels of a head are rotated.", "--base 1000000"},
    ModelFamily{"minimax_m2 minimax_m3_vl_text", "half",
                "rotary_dim channels of a head are rotated.", "--d 128 --base 5000000"},
    ModelFamily{.model_types = "apertus cwm ministral3",
                .pairing = "half",
                .note = "As Llama in Hugging Face's code.",
                .needs_rope_keys = true},
    ModelFamily{"hy_v3", "half", "As Llama in Hugging Face's code.", "--d 128 --base 11158840"},
    ModelFamily{"solar_open", "half", "As Llama in Hugging Face's code.", "--d 128 --base 1000000"},
    ModelFamily{"seed_oss jetmoe dia_encoder dia_decoder hrm_text", "half",
                "As Llama in Hugging Face's code.", "--d 128"},
    ModelFamily{"hunyuan_vl hunyuan_vl_text", "half",
                "Sections of the frequencies belong to position, column, row and image. For text, "
                "whose positions are equal, it is the plain table."},
    ModelFamily{"olmo olmo2 olmoe olmo_hybrid granite granitemoe granitemoeshared granitemoehybrid "
                "starcoder2 internlm internlm2 internlm3 baichuan exaone minicpm xverse orion "
                "deepseek arcee diffllama hunyuan_v1_dense hunyuan_v1_moe openelm dbrx "
                "falcon_h1 aria_text chameleon doge dots1 eurobert gpt_neox_japanese hyperclovax "
                "jais2 moshi phi4_multimodal phi4mm voxtral_realtime_text esm idefics zamba2 mimi "
                "kyutai_speech_to_text lasr_encoder granite4_vision_text deepseek_ocr2_text "
                "deepseek_ocr2_encoder qwen3_omni_moe_talker_text",
                "half", "As Llama in Hugging Face's code."},
};

}  // namespace

std::span<const ModelFamily> all_families() { return families; }

const ModelFamily* find_family(std::string_view model_type) {
    const auto found = std::ranges::find_if(families, [&](const ModelFamily& family) {
        return family.model_types == model_type || has_word(family.model_types, model_type);
    });
    return found == families.end() ? nullptr : &*found;
}

}  // namespace pegen::encodings
