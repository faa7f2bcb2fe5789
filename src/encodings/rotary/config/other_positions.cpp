#include "encodings/rotary/config/other_positions.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "core/names.h"

namespace pegen::encodings {
namespace {

constexpr std::array unrotated{
    UnrotatedPositions{
        "bert ernie roc_bert fnet align_text_model blip_text_model chinese_clip_text_model "
        "flava_text_model splinter visual_bert",
        "learned positions",
        "bert --len {max_position_embeddings:512} --d {hidden_size:768} "
        "--init normal:0,{initializer_range}"},
    UnrotatedPositions{"bert-generation megatron-bert", "learned positions",
                       "bert --len {max_position_embeddings:512} --d {hidden_size:1024} "
                       "--init normal:0,{initializer_range}"},
    UnrotatedPositions{"mobilebert", "learned positions",
                       "bert --len {max_position_embeddings:512} --d {hidden_size:512} "
                       "--init normal:0,{initializer_range}"},
    UnrotatedPositions{"big_bird", "learned positions",
                       "bert --len {max_position_embeddings:4096} --d {hidden_size:768} "
                       "--init normal:0,{initializer_range}"},
    UnrotatedPositions{"git tapas", "learned positions",
                       "bert --len {max_position_embeddings:1024} --d {hidden_size:768} "
                       "--init normal:0,{initializer_range}"},
    UnrotatedPositions{"electra albert", "learned positions",
                       "bert --len {max_position_embeddings:512} --d {embedding_size:128} "
                       "--init normal:0,{initializer_range}"},
    UnrotatedPositions{"convbert squeezebert", "learned positions",
                       "bert --len {max_position_embeddings:512} --d {embedding_size:768} "
                       "--init normal:0,{initializer_range}"},
    UnrotatedPositions{"rembert", "learned positions",
                       "bert --len {max_position_embeddings:512} --d {input_embedding_size:256} "
                       "--init normal:0,{initializer_range}"},
    UnrotatedPositions{"distilbert", "learned positions",
                       "bert --len {max_position_embeddings:512} --d {dim:768} "
                       "--init normal:0,{initializer_range}"},
    UnrotatedPositions{
        "roberta xlm-roberta camembert roberta-prelayernorm longformer luke data2vec-text "
        "xmod ibert",
        "learned positions, from row 2 on",
        "learned --len {max_position_embeddings:512} --d {hidden_size:768} "
        "--init normal:0,{initializer_range:0.02} --burn 1 --padding-row {pad_token_id:1}"},
    UnrotatedPositions{"mpnet", "learned positions, from row 2 on, and buckets of distances",
                       "learned --len {max_position_embeddings:512} --d {hidden_size:768} "
                       "--init normal:0,{initializer_range:0.02} --burn 1 --padding-row 1;"
                       "t5 --heads {num_attention_heads:12} "
                       "--num-buckets {relative_attention_num_buckets:32}"},
    UnrotatedPositions{"gpt2 gpt-sw3 gpt_bigcode", "learned positions",
                       "gpt2 --len {n_positions|max_position_embeddings:1024} "
                       "--d {n_embd|hidden_size:768} --init normal:0,{initializer_range}"},
    UnrotatedPositions{"openai-gpt", "learned positions",
                       "gpt2 --len {n_positions:512} --d {n_embd:768} "
                       "--init normal:0,{initializer_range}"},
    UnrotatedPositions{"imagegpt", "learned positions",
                       "gpt2 --len {n_positions:1024} --d {n_embd:512} "
                       "--init normal:0,{initializer_range}"},
    UnrotatedPositions{"gpt_neo", "learned positions",
                       "gpt2 --len {max_position_embeddings:2048} --d {hidden_size:2048} "
                       "--init normal:0,{initializer_range}"},
    UnrotatedPositions{"bart mbart mvp", "learned positions, from row 2 on",
                       "bart --len {max_position_embeddings+2:1026} --d {d_model:1024} "
                       "--init normal:0,{init_std}"},
    UnrotatedPositions{"plbart", "learned positions, from row 2 on",
                       "bart --len {max_position_embeddings+2:1026} --d {d_model:768} "
                       "--init normal:0,{init_std}"},
    UnrotatedPositions{"opt", "learned positions, from row 2 on",
                       "bart --len {max_position_embeddings+2:2050} --d {hidden_size:768} "
                       "--init normal:0,{init_std}"},
    UnrotatedPositions{"biogpt", "learned positions, from row 2 on",
                       "bart --len {max_position_embeddings+2:1026} --d {hidden_size:1024} "
                       "--init normal:0,{initializer_range}"},
    UnrotatedPositions{"blenderbot", "learned positions",
                       "bart --len {max_position_embeddings:128} --d {d_model:2560} "
                       "--init normal:0,{init_std}"},
    UnrotatedPositions{"blenderbot-small", "learned positions",
                       "bart --len {max_position_embeddings:512} --d {d_model:512} "
                       "--init normal:0,{init_std}"},
    UnrotatedPositions{"bigbird_pegasus", "learned positions",
                       "bart --len {max_position_embeddings:4096} --d {d_model:1024} "
                       "--init normal:0,{init_std}"},
    UnrotatedPositions{"led", "learned positions in its encoder and its decoder",
                       "bart --len {max_encoder_position_embeddings:16384} --d {d_model:1024} "
                       "--init normal:0,{init_std};"
                       "bart --len {max_decoder_position_embeddings:1024} --d {d_model:1024} "
                       "--init normal:0,{init_std}"},
    UnrotatedPositions{
        "clip clip_text_model clipseg clipseg_text_model metaclip_2 metaclip_2_text_model",
        "learned positions", "clip-text --len {max_position_embeddings:77} --d {hidden_size:512}"},
    UnrotatedPositions{"siglip siglip_text_model siglip2 siglip2_text_model", "learned positions",
                       "learned --len {max_position_embeddings:64} --d {hidden_size:768} "
                       "--init normal:0,1/sqrt(d)"},
    UnrotatedPositions{
        "clip_vision_model", "learned positions of patches, behind a class token's",
        "clip-vision --len {image_size.0/patch_size.0*image_size.1/patch_size.1+1:50} "
        "--d {hidden_size:768}"},
    UnrotatedPositions{"siglip_vision_model", "learned positions of patches",
                       "learned --len {image_size.0/patch_size.0*image_size.1/patch_size.1:196} "
                       "--d {hidden_size:768} --init normal:0,1/sqrt(d)"},
    UnrotatedPositions{"vit vit_msn", "learned positions of patches, behind a class token's",
                       "hf-vit --len {image_size.0/patch_size.0*image_size.1/patch_size.1+1:197} "
                       "--d {hidden_size:768}"},
    UnrotatedPositions{"dinov2 dinov2_with_registers",
                       "learned positions of patches, behind a class token's",
                       "dinov2 --len {image_size.0/patch_size.0*image_size.1/patch_size.1+1:257} "
                       "--d {hidden_size:768}"},
    UnrotatedPositions{"deit", "learned positions of patches, behind two tokens'",
                       "deit --len {image_size.0/patch_size.0*image_size.1/patch_size.1+2:198} "
                       "--d {hidden_size:768}"},
    UnrotatedPositions{"whisper", "sinusoids in its encoder, learned positions in its decoder",
                       "whisper --len {max_source_positions:1500} --d {d_model:384};"
                       "learned --len {max_target_positions:448} --d {d_model:384} "
                       "--init normal:0,{init_std:0.02}"},
    UnrotatedPositions{"qwen2_audio_encoder", "sinusoids",
                       "whisper --len {max_source_positions:1500} --d {d_model:1280}"},
    UnrotatedPositions{"marian pegasus", "sinusoids",
                       "hf-marian --len {max_position_embeddings:1024} --d {d_model:1024}"},
    UnrotatedPositions{"m2m_100 nllb-moe", "sinusoids, from row 2 on",
                       "fairseq --len {max_position_embeddings+2:1026} --d {d_model:1024}"},
    UnrotatedPositions{"xglm", "sinusoids, from row 2 on",
                       "fairseq --len {max_position_embeddings+2:2050} --d {d_model:1024}"},
    UnrotatedPositions{"speech_to_text", "sinusoids, from row 2 on, in its encoder and its decoder",
                       "fairseq --len {max_source_positions+2:6002} --d {d_model:256};"
                       "fairseq --len {max_target_positions+2:1026} --d {d_model:256}"},
    UnrotatedPositions{"ctrl", "sinusoids", "hf-ctrl --len {n_positions:256} --d {n_embd:1280}"},
    UnrotatedPositions{"musicgen_decoder", "sinusoids",
                       "musicgen --len {max_position_embeddings:2048} --d {hidden_size:1024}"},
    UnrotatedPositions{
        "t5 longt5 pop2piano", "buckets of distances",
        "t5 --heads {num_heads:8} --num-buckets {relative_attention_num_buckets:32} "
        "--max-distance {relative_attention_max_distance:128};"
        "t5-decoder --heads {num_heads:8} --num-buckets {relative_attention_num_buckets:32} "
        "--max-distance {relative_attention_max_distance:128}"},
    UnrotatedPositions{
        "mt5 umt5", "buckets of distances",
        "t5 --heads {num_heads:6} --num-buckets {relative_attention_num_buckets:32} "
        "--max-distance {relative_attention_max_distance:128};"
        "t5-decoder --heads {num_heads:6} --num-buckets {relative_attention_num_buckets:32} "
        "--max-distance {relative_attention_max_distance:128}"},
    UnrotatedPositions{
        "switch_transformers", "buckets of distances",
        "t5 --heads {num_heads:12} --num-buckets {relative_attention_num_buckets:32} "
        "--max-distance {relative_attention_max_distance:128};"
        "t5-decoder --heads {num_heads:12} --num-buckets {relative_attention_num_buckets:32} "
        "--max-distance {relative_attention_max_distance:128}"},
    UnrotatedPositions{.names = "deberta-v2",
                       .kind = "learned positions",
                       .commands = "bert --len {max_position_embeddings:512} "
                                   "--d {hidden_size:1536} --init normal:0,{initializer_range}",
                       .switched_off = "relative_attention"},
    UnrotatedPositions{.names = "deberta-v2",
                       .kind = "vectors of clipped distances",
                       .commands = "shaw --d {hidden_size:1536} "
                                   "--left {max_relative_positions|max_position_embeddings:512} "
                                   "--right {max_relative_positions+-1|"
                                   "max_position_embeddings+-1:511} --sign query-key",
                       .switched_off = "position_buckets"},
    UnrotatedPositions{"deberta-v2", "buckets of distances",
                       "deberta-v2 --position-buckets {position_buckets} "
                       "--max-position {max_relative_positions|max_position_embeddings:512}"},
    UnrotatedPositions{"xlnet", "sines of distances", "xlnet --d {d_model:1024}"},
    UnrotatedPositions{"transfo-xl", "sines of distances",
                       "transformer-xl --d {d_model:1024} --mem-len {mem_len} --clamp {clamp_len}"},
    UnrotatedPositions{
        "swin", "a bias of the offsets in a window, here of the first stage",
        "swin --height {window_size:7} --width {window_size:7} --heads {num_heads.0:3}"},
    UnrotatedPositions{"bloom", "ALiBi", "bloom --heads {n_head|num_attention_heads:8}"},
    UnrotatedPositions{.names = "mpt",
                       .kind =
                           "learned positions in MosaicML's code, ALiBi in Transformers', which "
                           "ignores attn_config.alibi",
                       .commands = "learned --len {max_seq_len:2048} --d {d_model:2048};"
                                   "mpt --heads {n_heads:16}",
                       .switched_off = "attn_config.alibi",
                       .is_off_by_default = false},
    UnrotatedPositions{"mpt", "ALiBi",
                       "mpt --heads {n_heads:16} --max-bias {attn_config.alibi_bias_max:8}"},
    UnrotatedPositions{"layoutlmv2", "learned positions, and buckets of distances",
                       "bert --len {max_position_embeddings:512} --d {hidden_size:768} "
                       "--init normal:0,{initializer_range:0.02};"
                       "t5 --heads {num_attention_heads:12} --num-buckets {rel_pos_bins:32} "
                       "--max-distance {max_rel_pos:128}"},
    UnrotatedPositions{"layoutlmv3", "learned positions, from row 2 on, and buckets of distances",
                       "bert --len {max_position_embeddings:512} --d {hidden_size:768} "
                       "--init normal:0,{initializer_range:0.02} --padding-row {pad_token_id:1};"
                       "t5 --heads {num_attention_heads:12} --num-buckets {rel_pos_bins:32} "
                       "--max-distance {max_rel_pos:128}"},
    UnrotatedPositions{"sam", "random Fourier features of points and pixels",
                       "sam --d {prompt_encoder_config.hidden_size:256}"},
    UnrotatedPositions{"jamba nemotron_h mamba mamba2 falcon_mamba",
                       "layers that run through the sequence: there is no table", "", true},
    UnrotatedPositions{"kimi_linear",
                       "layers that run through the sequence, and attention that turns nothing", "",
                       true},
    UnrotatedPositions{"inkling_text", "a bias that each token computes: there is no table", "",
                       true},
};

constexpr std::string_view generic =
    "learned --len {max_position_embeddings|n_positions} --d {hidden_size|n_embd|d_model} "
    "--init normal:0,{initializer_range}";

constexpr std::array kinds{
    UnrotatedPositions{"absolute learned learned_absolute", "learned positions", generic},
    UnrotatedPositions{"relative_key relative_key_query", "relative positions",
                       "shaw-hf-bert --d {hidden_size/num_attention_heads} "
                       "--max-distance {max_position_embeddings+-1}"},
    UnrotatedPositions{"relative", "relative positions"},
    UnrotatedPositions{"sinusoidal sinusoid", "sinusoids",
                       "sinusoid --len {max_position_embeddings|n_positions} "
                       "--d {hidden_size|n_embd|d_model}"},
    UnrotatedPositions{"alibi", "ALiBi", "alibi --heads {num_attention_heads|n_head|n_heads}"},
    UnrotatedPositions{"falcon", "ALiBi", "falcon --heads {num_attention_heads|n_head}"},
    UnrotatedPositions{"mpt", "ALiBi",
                       "mpt --heads {n_heads} --max-bias {attn_config.alibi_bias_max}"},
    UnrotatedPositions{"baichuan", "ALiBi", "baichuan --heads {num_attention_heads}"},
    UnrotatedPositions{"nope none", "no positions"},
};

/// A model with positions on a grid, and the pattern of its command.
struct Grid {
    std::string_view names;
    std::string_view command;
};

constexpr std::array grids{
    Grid{"pixtral",
         "pixtral --height {image_size.0/patch_size.0:64} "
         "--width {image_size.1/patch_size.1:64} "
         "--d {head_dim|hidden_size/num_attention_heads:64} "
         "--base {rope_theta|rope_parameters.rope_theta}"},
    Grid{"llama4_vision_model",
         "llama4-vision --height {image_size.0/patch_size.0} "
         "--width {image_size.1/patch_size.1} --d {hidden_size/num_attention_heads} "
         "--base {rope_theta|rope_parameters.rope_theta}"},
    Grid{"qwen2_vl_vision",
         "qwen2-vl-vision --d {embed_dim/num_heads} --merge {spatial_merge_size}"},
    Grid{"qwen2_5_vl_vision qwen2_5_omni_vision_encoder",
         "qwen2.5-vl-vision --d {hidden_size/num_heads} --merge {spatial_merge_size} "
         "--window {window_size/patch_size}"},
    Grid{"qwen3_vl_vision qwen3_vl_moe_vision qwen3_5_vision qwen3_5_moe_vision "
         "qwen3_omni_moe_vision_encoder glm4v_vision glm4v_moe_vision glm_ocr_vision "
         "ernie4_5_vl_moe_vision cohere_compass_vision",
         "qwen2-vl-vision --d {hidden_size/num_heads} --merge {spatial_merge_size}"},
    Grid{"dinov3_vit",
         "dinov3 --height {image_size.0/patch_size.0} --width {image_size.1/patch_size.1} "
         "--d {hidden_size/num_attention_heads} "
         "--base {rope_theta|rope_parameters.rope_theta}"},
    Grid{"sam2_video edgetam_video sam3_tracker_video",
         "sam2-rope --width {memory_attention_rope_feat_sizes.0} "
         "--height {memory_attention_rope_feat_sizes.1} "
         "--d {memory_attention_hidden_size/memory_attention_num_attention_heads/"
         "memory_attention_downsample_rate} "
         "--base {memory_attention_rope_theta}"},
    Grid{"vjepa2",
         "v-jepa2 --depth {frames_per_clip/tubelet_size} --height {crop_size/patch_size} "
         "--width {crop_size/patch_size} --d {hidden_size/num_attention_heads/3/2*6}"},
    Grid{"FluxTransformer2DModel ChromaTransformer2DModel",
         "flux --d {axes_dims_rope.0+axes_dims_rope.1+axes_dims_rope.2} "
         "--split {axes_dims_rope}"},
    Grid{"Flux2Transformer2DModel",
         "flux2 --d {axes_dims_rope.0+axes_dims_rope.1+axes_dims_rope.2+axes_dims_rope.3} "
         "--split {axes_dims_rope.0},{axes_dims_rope.1},{axes_dims_rope.2} "
         "--unrotated {axes_dims_rope.3} --base {rope_theta}"},
    Grid{"QwenImageTransformer2DModel",
         "qwen-image --d {axes_dims_rope.0+axes_dims_rope.1+axes_dims_rope.2} "
         "--split {axes_dims_rope}"},
    Grid{"WanModel",
         "wan-video --d {dim/num_heads} "
         "--split {dim/num_heads+dim/num_heads/6*-4},{dim/num_heads/6*2},{dim/num_heads/6*2}"},
    Grid{"WanTransformer3DModel WanVACETransformer3DModel SkyReelsV2Transformer3DModel "
         "ChronoEditTransformer3DModel",
         "wan-video --d {attention_head_dim} "
         "--split {attention_head_dim+attention_head_dim/6*-4},{attention_head_dim/6*2},"
         "{attention_head_dim/6*2}"},
    Grid{"HunyuanVideoTransformer3DModel HunyuanVideoFramepackTransformer3DModel "
         "HunyuanVideo15Transformer3DModel",
         "hunyuan-video --d {rope_axes_dim.0+rope_axes_dim.1+rope_axes_dim.2} "
         "--split {rope_axes_dim} --base {rope_theta}"},
    Grid{"CogVideoXTransformer3DModel ConsisIDTransformer3DModel",
         "cogvideox --height {sample_height/patch_size} --width {sample_width/patch_size} "
         "--d {attention_head_dim} --split {attention_head_dim/4},{attention_head_dim/8*3},"
         "{attention_head_dim/8*3}"},
    Grid{"Lumina2Transformer2DModel",
         "lumina2 --d {axes_dim_rope.0+axes_dim_rope.1+axes_dim_rope.2} "
         "--split {axes_dim_rope}"},
    Grid{"LuminaNextDiT2DModel", "lumina-next --d {hidden_size/num_attention_heads}"},
    Grid{"HunyuanDiT2DModel", "hunyuan-dit --d {attention_head_dim}"},
    Grid{"ZImageTransformer2DModel",
         "z-image --d {axes_dims.0+axes_dims.1+axes_dims.2} --split {axes_dims} "
         "--base {rope_theta}"},
    Grid{"LTXVideoTransformer3DModel", "ltx-video --d {num_attention_heads*attention_head_dim}"},
    Grid{"Kandinsky5Transformer3DModel",
         "kandinsky5 --d {axes_dims.0+axes_dims.1+axes_dims.2} --split {axes_dims}"},
    Grid{"CosmosTransformer3DModel",
         "cosmos-rope --base 10000*{rope_scale.0}^(44/42),10000*{rope_scale.1}^(42/40),"
         "10000*{rope_scale.2}^(42/40)"},
};

/// True if the value at a place such as "attn_config.alibi" meets the condition of the positions.
bool is_met(const UnrotatedPositions& positions, Section section) {
    if (positions.switched_off.empty()) return true;
    const std::vector<std::string_view> keys = words(positions.switched_off, '.');
    for (const std::string_view key : std::span(keys).first(keys.size() - 1)) {
        const std::optional<Section> inner = section.object_if_one(key);
        if (!inner) return positions.is_off_by_default;
        section = *inner;
    }
    if (!section.has(keys.back())) return positions.is_off_by_default;
    if (section.is_true(keys.back()) || section.is_false(keys.back())) {
        return section.is_false(keys.back());
    }
    return section.number(keys.back()).value() < 1;
}

}  // namespace

const UnrotatedPositions* find_unrotated(const Section& root, std::string_view model_type) {
    const auto found = std::ranges::find_if(unrotated, [&](const UnrotatedPositions& positions) {
        return has_word(positions.names, model_type) && is_met(positions, root);
    });
    return found == unrotated.end() ? nullptr : &*found;
}

const UnrotatedPositions* find_kind(std::string_view kind) {
    const auto found = std::ranges::find_if(kinds, [&](const UnrotatedPositions& positions) {
        return has_word(positions.names, kind);
    });
    return found == kinds.end() ? nullptr : &*found;
}

std::string_view grid_command(std::string_view name) {
    const auto found =
        std::ranges::find_if(grids, [&](const Grid& grid) { return has_word(grid.names, name); });
    return found == grids.end() ? "" : found->command;
}

}  // namespace pegen::encodings
