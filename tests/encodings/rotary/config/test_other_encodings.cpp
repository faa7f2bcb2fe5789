#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/names.h"
#include "encodings/other_encodings.h"
#include "encodings/rotary/config/config_file.h"
#include "encodings/table_of.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

/// Returns the commands that a file without rotary positions is refused with, without "pe-gen ".
std::vector<std::string> commands_of(std::string_view content) {
    const ConfigFile file(content);
    std::vector<std::string> commands;
    try {
        table_of(file.command(""));
    } catch (const OtherEncodings& other) {
        for (const std::string& command : other.commands) {
            commands.push_back(command.substr(7));
            CAPTURE(command);
            CHECK_NOTHROW(table_of(commands.back()));
        }
    }
    return commands;
}

std::string all_commands(std::string_view keys) {
    return joined(commands_of(fmt::format("{{{}}}", keys)), "; ");
}

}  // namespace

TEST_CASE("model config: the sizes of models with other positions are in the commands") {
    CHECK(all_commands(R"("model_type": "bert", "hidden_size": 1024, "num_attention_heads": 16,
                          "max_position_embeddings": 256, "initializer_range": 0.01)") ==
          "bert --len 256 --d 1024 --init normal:0,0.01");
    CHECK(all_commands(R"("model_type": "roberta", "hidden_size": 768,
                          "max_position_embeddings": 514, "pad_token_id": 1)") ==
          "learned --len 514 --d 768 --init normal:0,0.02 --burn 1 --padding-row 1");
    CHECK(all_commands(R"("model_type": "gpt2", "n_positions": 2048, "n_embd": 1600)") ==
          "gpt2 --len 2048 --d 1600");
    CHECK(
        all_commands(R"("model_type": "gpt2", "max_position_embeddings": 64, "hidden_size": 8)") ==
        "gpt2 --len 64 --d 8");
    CHECK(all_commands(R"("model_type": "opt", "max_position_embeddings": 2048,
                          "hidden_size": 4096)") == "bart --len 2050 --d 4096");
    CHECK(all_commands(R"("model_type": "t5", "num_heads": 12, "relative_attention_num_buckets": 64,
                          "relative_attention_max_distance": 256)") ==
          "t5 --heads 12 --num-buckets 64 --max-distance 256; "
          "t5-decoder --heads 12 --num-buckets 64 --max-distance 256");
    CHECK(all_commands(R"("model_type": "bloom", "n_head": 112, "hidden_size": 14336)") ==
          "bloom --heads 112");
    CHECK(all_commands(R"("model_type": "whisper", "d_model": 1280)") ==
          "whisper --len 1500 --d 1280; learned --len 448 --d 1280 --init normal:0,0.02");
    CHECK(all_commands(R"("model_type": "mpt", "n_heads": 64, "attn_config":
                          {"alibi": true, "alibi_bias_max": 16})") ==
          "mpt --heads 64 --max-bias 16");
    CHECK(all_commands(R"("model_type": "m2m_100", "max_position_embeddings": 1024)") ==
          "fairseq --len 1026 --d 1024");
    CHECK(all_commands(R"("model_type": "vit", "hidden_size": 1024, "image_size": 384,
                          "patch_size": 16)") == "hf-vit --len 577 --d 1024");
    CHECK(all_commands(R"("model_type": "vit", "image_size": [33, 64], "patch_size": [16, 8])") ==
          "hf-vit --len 17 --d 768");
    CHECK(all_commands(R"("model_type": "clip", "text_config": {"model_type": "clip_text_model",
                          "hidden_size": 768})") == "clip-text --len 77 --d 768");
    CHECK(all_commands(R"("position_embedding_type": "relative_key", "hidden_size": 768,
                          "num_attention_heads": 12, "max_position_embeddings": 128)") ==
          "shaw-hf-bert --d 64 --max-distance 127");
}

TEST_CASE("model config: a key decides which other positions a model has") {
    CHECK(all_commands(R"("model_type": "deberta-v2", "relative_attention": true,
                          "max_relative_positions": 128, "position_buckets": 64)") ==
          "deberta-v2 --position-buckets 64 --max-position 128");
    CHECK(all_commands(R"("model_type": "deberta-v2", "relative_attention": true,
                          "max_relative_positions": -1, "position_buckets": 64,
                          "max_position_embeddings": 256)") ==
          "deberta-v2 --position-buckets 64 --max-position 256");
    CHECK(all_commands(R"("model_type": "deberta-v2", "relative_attention": true,
                          "position_buckets": -1, "hidden_size": 768)") ==
          "shaw --d 768 --left 512 --right 511 --sign query-key");
    // build_relative_position and c2p_pos of Transformers: rows clamp(q - k + 1, 0, 1).
    CHECK(all_commands(R"("model_type": "deberta-v2", "relative_attention": true,
                          "max_relative_positions": 1, "position_buckets": -1)") ==
          "shaw --d 1536 --left 1 --right 0 --sign query-key");
    CHECK(all_commands(R"("model_type": "deberta-v2", "hidden_size": 768)") ==
          "bert --len 512 --d 768");
    CHECK(all_commands(R"("model_type": "mpt", "n_heads": 64, "attn_config": {"alibi": false})") ==
          "learned --len 2048 --d 2048; mpt --heads 64");
    CHECK(all_commands(R"("model_type": "mpt", "n_heads": 64)") == "mpt --heads 64 --max-bias 8");
    CHECK(all_commands(R"("_class_name": "CogVideoXTransformer3DModel",
                          "use_rotary_positional_embeddings": true, "attention_head_dim": 64)") ==
          "cogvideox --d 64 --split 16,24,24");
}

TEST_CASE("model config: the sizes of grids are in the commands") {
    CHECK(all_commands(R"("_class_name": "FluxTransformer2DModel", "axes_dims_rope": [8, 4, 4])") ==
          "flux --d 16 --split 8,4,4");
    CHECK(all_commands(R"("_class_name": "WanTransformer3DModel", "attention_head_dim": 128)") ==
          "wan-video --d 128 --split 44,42,42");
    CHECK(all_commands(R"("_class_name": "WanModel", "dim": 1536, "num_heads": 12)") ==
          "wan-video --d 128 --split 44,42,42");
    CHECK(all_commands(R"("_class_name": "Flux2Transformer2DModel", "rope_theta": 2000,
                          "axes_dims_rope": [32, 32, 32, 32])") ==
          "flux2 --d 128 --split 32,32,32 --unrotated 32 --base 2000");
    CHECK(all_commands(R"("model_type": "qwen2_5_vl_vision", "hidden_size": 1280, "num_heads": 16,
                          "patch_size": 14, "spatial_merge_size": 2, "window_size": 112)") ==
          "qwen2.5-vl-vision --d 80 --merge 2 --window 8");
    CHECK(all_commands(R"("model_type": "vjepa2", "hidden_size": 1024, "num_attention_heads": 16,
                          "frames_per_clip": 64, "tubelet_size": 2, "crop_size": 256,
                          "patch_size": 16)") ==
          "v-jepa2 --depth 32 --height 16 --width 16 --d 60");
    CHECK(all_commands(R"("model_type": "sam2_video", "memory_attention_rope_feat_sizes": [32, 64],
                          "memory_attention_hidden_size": 256, "memory_attention_rope_theta": 500,
                          "memory_attention_num_attention_heads": 2,
                          "memory_attention_downsample_rate": 2)") ==
          "sam2-rope --width 32 --height 64 --d 64 --base 500");
}

TEST_CASE(
    "model config: values that are no numbers, or give none, in models with other positions") {
    CHECK(refusal(R"({"model_type": "bert", "hidden_size": "wide"})") ==
          "hidden_size: must be a number, and is \"wide\"");
    CHECK(all_commands(R"("model_type": "vit", "image_size": 224, "patch_size": 0)") ==
          "hf-vit --len 197 --d 768");
    CHECK(all_commands(R"("model_type": "bert", "hidden_size": null)") == "bert --len 512 --d 768");
    CHECK(
        refusal(R"({"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16]})") ==
        "asks for pe-gen flux --split 16, but --split 16: must be 3 numbers, for depth, height and "
        "width");
    CHECK(
        refusal(R"({"model_type": "deberta-v2", "relative_attention": true,
                      "max_relative_positions": 1, "position_buckets": 64})") ==
        "asks for pe-gen deberta-v2 --position-buckets 64 --max-position 1, but --max-position 1: "
        "must be greater than 33, half of --position-buckets and 1");
}

TEST_CASE("model config: every command that a model is refused with makes a table") {
    for (const char* type : {"bert",
                             "electra",
                             "convbert",
                             "rembert",
                             "distilbert",
                             "roberta",
                             "mpnet",
                             "gpt2",
                             "openai-gpt",
                             "gpt_neo",
                             "bart",
                             "plbart",
                             "opt",
                             "biogpt",
                             "blenderbot",
                             "blenderbot-small",
                             "bigbird_pegasus",
                             "led",
                             "clip",
                             "siglip",
                             "clip_vision_model",
                             "siglip_vision_model",
                             "vit",
                             "dinov2",
                             "deit",
                             "whisper",
                             "qwen2_audio_encoder",
                             "marian",
                             "m2m_100",
                             "xglm",
                             "speech_to_text",
                             "ctrl",
                             "musicgen_decoder",
                             "t5",
                             "mt5",
                             "switch_transformers",
                             "deberta-v2",
                             "xlnet",
                             "transfo-xl",
                             "swin",
                             "bloom",
                             "mpt",
                             "pixtral",
                             "llama4_vision_model",
                             "qwen2_vl_vision",
                             "qwen2_5_vl_vision",
                             "qwen3_vl_vision",
                             "dinov3_vit",
                             "sam2_video",
                             "vjepa2"}) {
        CAPTURE(type);
        const std::vector<std::string> commands =
            commands_of(fmt::format(R"({{"model_type": "{}"}})", type));
        CHECK_FALSE(commands.empty());
        for (const std::string& command : commands) CHECK_NOTHROW(table_of(command));
    }
    for (const char* name :
         {"FluxTransformer2DModel", "Flux2Transformer2DModel", "QwenImageTransformer2DModel",
          "WanTransformer3DModel", "HunyuanVideoTransformer3DModel", "CogVideoXTransformer3DModel",
          "Lumina2Transformer2DModel", "LuminaNextDiT2DModel", "HunyuanDiT2DModel",
          "ZImageTransformer2DModel", "LTXVideoTransformer3DModel", "Kandinsky5Transformer3DModel",
          "CosmosTransformer3DModel"}) {
        CAPTURE(name);
        for (const std::string& command :
             commands_of(fmt::format(R"({{"_class_name": "{}"}})", name))) {
            CHECK_NOTHROW(table_of(command));
        }
    }
}

namespace {

/// Returns the parameters of the table that this configuration gives, of those asked for.
std::string parameters_of(const char* encoding, std::string_view content, std::string_view names,
                          std::string_view more = "") {
    const ConfigFile file(content);
    const Table table = table_of(fmt::format("{} --config {} {}", encoding, file.path(), more));
    std::vector<std::string> settings;
    for (const std::string_view name : words(names)) {
        settings.push_back(to_string(table.provenance.parameters.value(name)));
    }
    return joined(settings, "; ");
}

std::string failure_of(const char* encoding, std::string_view content, std::string_view more = "") {
    try {
        parameters_of(encoding, content, "", more);
    } catch (const Error& error) {
        const std::string message = error.what();
        const std::size_t at = message.find("config.json: ");
        return at == message.npos ? message : message.substr(at + 13);
    }
    return "accepted";
}

}  // namespace

TEST_CASE("model config: mrope takes sections, order, base and width from a model's file") {
    constexpr const char* names = "d base sections order layout frame-step";
    CHECK(parameters_of("mrope",
                        R"({"model_type": "qwen2_vl", "hidden_size": 512, "num_attention_heads": 8,
                            "rope_theta": 5e5, "rope_scaling": {"type": "mrope",
                            "mrope_section": [8, 12, 12]}})",
                        names) == "64; 5e+05; 8,12,12; contiguous; half; 1");
    CHECK(parameters_of("mrope",
                        R"({"model_type": "qwen3_5_text", "head_dim": 256, "rope_parameters":
                            {"rope_type": "default", "rope_theta": 1e7, "mrope_interleaved": true,
                             "mrope_section": [11, 11, 10], "partial_rotary_factor": 0.25}})",
                        names) == "64; 1e+07; 11,11,10; interleaved; half; 1");
    CHECK(parameters_of("mrope",
                        R"({"model_type": "ernie4_5_vl_moe_text", "head_dim": 128,
                            "rope_parameters": {"mrope_section": [22, 22, 20]}})",
                        names) == "128; 5e+05; 20,22,22; alternating; interleaved; 1");
    CHECK(parameters_of("mrope", R"({"model_type": "qwen3_5_text"})", names) ==
          "64; 10000; 11,11,10; interleaved; half; 1");
    CHECK(parameters_of("mrope", R"({"model_type": "qwen2_5_vl", "head_dim": 128})", names) ==
          "128; 1e+06; 16,24,24; contiguous; half; 4");
    CHECK(parameters_of("mrope",
                        R"({"model_type": "novel", "head_dim": 12, "rope_parameters":
                            {"rope_theta": 5, "mrope_section": [2, 2, 2],
                             "mrope_interleaved": true}})",
                        names) == "12; 5; 2,2,2; interleaved; half; 1");
    CHECK(parameters_of("mrope", R"({"model_type": "qwen2_vl", "head_dim": 128})", names,
                        "--d 64 --sections 8,12,12") == "64; 1e+06; 8,12,12; contiguous; half; 1");
}

TEST_CASE("model config: mrope's frames are as far apart as positions per second say") {
    const auto step_of = [](std::string_view file) {
        return parameters_of("mrope", file, "frame-step");
    };
    CHECK(step_of(R"({"model_type": "qwen2_5_vl", "head_dim": 128,
                      "vision_config": {"tokens_per_second": 2}})") == "2");
    CHECK(step_of(R"({"thinker_config": {"position_id_per_seconds": 13, "text_config":
                      {"model_type": "qwen2_5_omni_text", "head_dim": 128, "hidden_size": 1}}})") ==
          "13");
    CHECK(parameters_of("mrope",
                        R"({"model_type": "qwen3_vl_text", "head_dim": 128, "rope_scaling":
                            {"mrope_section": [24, 20, 20], "rope_type": "default",
                             "mrope_interleaved": false}})",
                        "order") == "interleaved");
}

TEST_CASE("model config: what mrope cannot take from a file is refused") {
    CHECK(failure_of("mrope", R"({"model_type": "llama", "head_dim": 64})")
              .starts_with("says nothing about sections of the frequencies; needs mrope_section"));
    CHECK(failure_of("mrope",
                     R"({"model_type": "qwen2_vl", "head_dim": 128, "rope_scaling": {"type": "yarn",
                         "factor": 4, "original_max_position_embeddings": 32768,
                         "mrope_section": [16, 24, 24]}})") ==
          "rope_scaling.type yarn: mrope has no scaled frequencies; text has the table of pe-gen "
          "rope --config");
    CHECK(failure_of("mrope", R"({"model_type": "qwen2_vl", "head_dim": 64})") ==
          "default of qwen2_vl: sections 16,24,24: --sections 16,24,24: must add up to 32, half of "
          "--d 64");
    CHECK(failure_of("mrope", R"({"model_type": "qwen2_vl", "head_dim": 128})", "--d 64") ==
          "--sections 16,24,24: must add up to 32, half of --d 64");
    CHECK(failure_of("qwen2-vl", R"({"model_type": "qwen2_vl"})")
              .ends_with("what the model is; use pe-gen mrope --config"));
}

TEST_CASE("model config: rope-grid takes the preset and its sizes from a model's file") {
    CHECK(parameters_of("rope-grid",
                        R"({"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [8, 4, 4]})",
                        "depth height d split layout",
                        "--height 3 --width 2") == "1; 3; 16; 8,4,4; interleaved");
    CHECK(parameters_of("rope-grid",
                        R"({"_class_name": "CosmosTransformer3DModel", "rope_scale": [1, 1, 1]})",
                        "base split") == "10000,10000,10000; 44,42,42");
    const char* const qwen =
        R"({"model_type": "qwen2_5_vl", "hidden_size": 3584, "num_attention_heads": 28,
            "vision_config": {"model_type": "qwen2_5_vl", "hidden_size": 1280, "num_heads": 16,
            "patch_size": 14, "spatial_merge_size": 2, "window_size": 56}})";
    CHECK(parameters_of("rope-grid", qwen, "d merge window") == "80; 2; 4");
    CHECK(parameters_of("rope-grid", qwen, "d merge window", "--window 6") == "80; 2; 6");
    CHECK(parameters_of("rope-grid",
                        R"({"text_config": {}, "vision_config": {"model_type": "pixtral",
                            "image_size": [64, 32], "patch_size": 16, "hidden_size": 64,
                            "num_attention_heads": 4, "rope_parameters": {"rope_theta": 500}}})",
                        "height width d spectrum base") == "4; 2; 16; strided; 500");
}

TEST_CASE("model config: what rope-grid cannot take from a file is refused") {
    CHECK(failure_of("rope-grid", R"({"model_type": "bert"})") ==
          "model_type: 'bert' is not known to have rotary positions on a grid; give the parameters "
          "in the place of --config");
    CHECK(failure_of("rope-grid", R"({"_class_name": "UNet2DConditionModel"})")
              .starts_with("_class_name: 'UNet2DConditionModel' is not known"));
    CHECK(failure_of("rope-grid",
                     R"({"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16, 55, 57]})")
              .starts_with("--split 16,55,57: must be even numbers"));
    CHECK(failure_of("rope-grid", R"({"_class_name": "FluxTransformer2DModel"})", "--d 8")
              .starts_with("--split 16,56,56: adds up to 128 channels, but --d is 8"));
    CHECK(failure_of("flux", R"({"_class_name": "FluxTransformer2DModel"})")
              .ends_with("what the model is; use pe-gen rope-grid --config"));
    CHECK(failure_of("rope-grid", R"({"_class_name": "CogVideoXTransformer3DModel"})")
              .starts_with("use_rotary_positional_embeddings: CogVideoXTransformer3DModel has "
                           "sinusoids of time, rows and columns unless it is true: pe-gen "
                           "diffusers-3d"));
}
