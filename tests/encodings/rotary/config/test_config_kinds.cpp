#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

#include "encodings/rotary/config/config_file.h"
#include "encodings/table_of.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

constexpr const char* step35 =
    R"({"model_type": "step3p5", "head_dim": 128, "rope_theta": [5e6, 1e4], "partial_rotary_factors":
        [0.5, 1.0], "layer_types": ["full_attention", "sliding_attention"], "rope_scaling": null})";

constexpr const char* deepseek_v4 =
    R"({"model_type": "deepseek_v4", "hidden_size": 4096, "num_attention_heads": 64, "head_dim": 512,
        "qk_rope_head_dim": 64, "max_position_embeddings": 1048576, "rope_theta": 10000,
        "compress_rope_theta": 160000.0, "compress_ratios": [0, 0, 4, 128], "rope_scaling":
        {"type": "yarn", "factor": 16, "original_max_position_embeddings": 65536, "beta_fast": 32,
         "beta_slow": 1}})";

std::vector<double> frequencies(const char* content, std::string_view more) {
    return all_values(
        table_of(ConfigFile(content).command(fmt::format("{} --table inv-freq", more))));
}

/// A model's keys, the number of its frequencies, the second and the last of them, and the
/// attention factor that the model's own code has.
struct Model {
    const char* keys;
    const char* layer_type;
    std::size_t count;
    double second, last, attention_factor;
    const char* pairing;
};

// Frequencies and attention factors as computed, in float32, by the classes of Transformers 5.16
// that these model types have; of gte, vibevoice and step3p5 by their formulas. The pairs are those
// of their functions that apply the table.
constexpr std::array models{
    Model{R"("model_type": "helium", "head_dim": 128, "rope_theta": 1e5)", "", 64, 0.83536255,
          1.19708502e-5, 1, "interleaved"},
    Model{R"("model_type": "longcat_flash", "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
             "rope_theta": 1e7)",
          "", 32, 0.60429639, 1.65481706e-7, 1, "interleaved"},
    Model{R"("model_type": "glm4v_text", "head_dim": 128, "partial_rotary_factor": 0.5,
             "rope_theta": 1e4)",
          "", 32, 0.74989421, 1.33352143e-4, 1, "interleaved"},
    Model{R"("model_type": "moonshine", "hidden_size": 288, "decoder_num_attention_heads": 8,
             "encoder_num_attention_heads": 8, "rope_theta": 1e4)",
          "", 16, 0.56234133, 1.77827941e-4, 1, "interleaved"},
    Model{R"("model_type": "qwen3_5_text", "head_dim": 256, "rope_theta": 1e7)", "", 32, 0.60429639,
          1.65481706e-7, 1, "half"},
    Model{R"("model_type": "minicpm3", "qk_rope_head_dim": 32)", "", 16, 0.56234133, 1.77827941e-4,
          1, "half"},
    Model{R"("model_type": "new", "head_dim": 64, "rope_theta": 160000, "position_embedding_type":
             "rope", "rope_scaling": {"type": "ntk", "factor": 2.0})",
          "", 32, 0.65850166, 4.54442323e-6, 1, "half"},
    Model{R"("model_type": "mimo_v2_flash", "head_dim": 192, "swa_head_dim": 192,
             "partial_rotary_factor": 0.334, "rope_theta": 5e6, "swa_rope_theta": 1e4)",
          "sliding_attention", 32, 0.74989421, 1.33352143e-4, 1, "half"},
    Model{R"("model_type": "granite_swa", "head_dim": 128, "rope_theta": 5e5, "layer_types":
             ["sliding_attention", "full_attention"], "layer_rope_theta": [1e4, 0])",
          "sliding_attention", 64, 0.86596432, 1.15478198e-4, 1, "half"},
};

std::string refusal_of_keys(std::string_view keys, std::string_view more = "") {
    return refusal(fmt::format("{{{}}}", keys), more);
}

}  // namespace

TEST_CASE("model config: frequencies, attention factors and pairs of families by their own code") {
    for (const Model& model : models) {
        INFO(std::string(model.keys));
        const ConfigFile file(fmt::format("{{{}}}", model.keys));
        const std::string more =
            *model.layer_type ? fmt::format(" --layer-type {}", model.layer_type) : "";
        const Table table = table_of(file.command(more + " --table inv-freq"));
        const std::vector<double> values = all_values(table);
        REQUIRE(values.size() == model.count);
        CHECK(values[1] == doctest::Approx(model.second).epsilon(1e-6));
        CHECK(values.back() == doctest::Approx(model.last).epsilon(1e-6));
        CHECK(table.provenance.parameters.word("pairing") == model.pairing);
        const Table first = table_of(file.command("--len 1" + more + " --table cos"));
        CHECK(all_values(first).at(0) == model.attention_factor);
    }
}

TEST_CASE("model config: with qk_rope_head_dim no factor changes the width") {
    const char* const mla =
        R"({{"model_type": "mistral4", "hidden_size": 4096, "num_attention_heads": 32,
             "qk_nope_head_dim": 64, "qk_rope_head_dim": 64, {}}})";
    for (const char* factor : {"null", "1", "0.5", "0.125", "0.25"}) {
        CAPTURE(factor);
        for (const char* keys :
             {R"("rope_theta": 1e4, "partial_rotary_factor": {})",
              R"("rope_theta": 1e4, "head_dim": 128, "partial_rotary_factor": {})",
              R"("rope_parameters": {{"rope_type": "default", "partial_rotary_factor": {}}})",
              R"("rope_scaling": {{"rope_type": "yarn", "factor": 128,
                 "original_max_position_embeddings": 8192, "partial_rotary_factor": {}}})",
              R"("rope_theta": 1e4, "rotary_pct": {})"}) {
            const ConfigFile file(
                fmt::format(fmt::runtime(mla), fmt::format(fmt::runtime(keys), factor)));
            CHECK(table_of(file.command("--table inv-freq")).shape[0] == 32);
        }
    }
}

TEST_CASE("model config: a base of some layers is chosen or asked for, alone with its scaling") {
    CHECK(refusal(deepseek_v4) ==
          "compress_rope_theta: is the base of some layers only; choose with --layer-type: main, "
          "compress");
    for (const char* type : {"main", "sliding_attention"}) {
        CHECK(settings_of(ConfigFile(deepseek_v4), fmt::format("--layer-type {}", type)) ==
              "d=64 layout=single pairing=interleaved");
    }
    for (const char* type :
         {"compress", "compressed_sparse_attention", "heavily_compressed_attention"}) {
        CHECK(settings_of(ConfigFile(deepseek_v4), fmt::format("--layer-type {}", type)) ==
              "d=64 base=160000 layout=single pairing=interleaved scaling=yarn factor=16 "
              "max-position-embeddings=1048576 original-max-position-embeddings=65536 "
              "attention-factor=1 beta-fast=32 beta-slow=1");
    }
    const char* const labels =
        R"({"head_dim": 8, "rope_parameters": {"main": {"rope_theta": 5}, "compress": {"rope_theta":
            7}, "rope_type": "default"}, "compress_rope_theta": 7})";
    CHECK(settings_of(ConfigFile(labels), "--layer-type compress") == "d=8 base=7");
    CHECK(refusal(labels) ==
          "rope_parameters: is for each layer type; choose one with --layer-type: main, compress");
    // A word before the key names the layer type that has its value, and the type of the other
    // layers.
    constexpr std::array<std::array<const char*, 3>, 6> words{
        {{"swa", "sliding_attention", "full_attention"},
         {"sliding_window", "sliding_attention", "full_attention"},
         {"full", "full_attention", "sliding_attention"},
         {"compress", "compress", "main"},
         {"linear", "linear", "main"},
         {"cross", "cross", "main"}}};
    for (const auto& row : words) {
        const char *const word = row[0], *const own = row[1], *const rest = row[2];
        CAPTURE(word);
        const std::string keys =
            fmt::format(R"("head_dim": 8, "rope_theta": 5, "{}_rope_theta": 7)", word);
        const ConfigFile file(fmt::format("{{{}}}", keys));
        CHECK(refusal_of_keys(keys) ==
              fmt::format("{}_rope_theta: is the base of some layers only; choose with "
                          "--layer-type: {}, {}",
                          word, rest, own));
        CHECK(settings_of(file, fmt::format("--layer-type {}", own)) == "d=8 base=7");
        CHECK(settings_of(file, fmt::format("--layer-type {}", rest)) == "d=8 base=5");
        const std::string scaled = keys + R"(, "rope_scaling": {"type": "linear", "factor": 2})";
        for (const char* type : {own, rest}) {
            CHECK(refusal_of_keys(scaled, fmt::format("--layer-type {}", type))
                      .starts_with("rope_scaling: which layers it is of is not known"));
        }
        CHECK(refusal_of_keys(fmt::format(R"("head_dim": 8, "rope_theta": 5, "{}_rope_theta": 5.0)",
                                          word)) == "accepted");
    }
}

TEST_CASE("model config: values for each layer, by type, by number, or the same for all") {
    CHECK(refusal(step35) ==
          "partial_rotary_factors: differs between layers; choose with --layer-type: "
          "full_attention, sliding_attention, the number of a layer, 0 to 1");
    CHECK(frequencies(step35, "--layer-type full_attention").size() == 32);
    CHECK(frequencies(step35, "--layer-type full_attention") ==
          frequencies(step35, "--layer-type 0"));
    CHECK(settings_of(ConfigFile(step35), "--layer-type sliding_attention") == "");
    const char* const scaled =
        R"({"model_type": "step3p5", "head_dim": 8, "rope_theta": [5, 7], "layer_types":
            ["full_attention", "sliding_attention"], "yarn_only_types": ["full_attention"],
            "rope_scaling": {"rope_type": "linear", "factor": 2}})";
    CHECK(settings_of(ConfigFile(scaled), "--layer-type full_attention") ==
          "d=8 base=5 scaling=linear factor=2");
    CHECK(settings_of(ConfigFile(scaled), "--layer-type 1") == "d=8 base=7");
    const char* const none =
        R"({"head_dim": 8, "rope_theta": 5, "layer_rope_theta": [5, 0], "layer_types":
            ["sliding_attention", "full_attention"]})";
    CHECK(settings_of(ConfigFile(none), "--layer-type sliding_attention") == "d=8 base=5");
    CHECK(refusal(none, "--layer-type full_attention") ==
          "layer_rope_theta: layers of type full_attention have no rotary positions");
    CHECK(refusal(none).starts_with("layer_rope_theta: differs between layers; choose with "));
    CHECK(refusal_of_keys(R"("head_dim": 8, "rope_theta": [5, 7])", "--layer-type 2") ==
          "rope_theta: has the layers 0 to 1, and --layer-type 2 was given");
    CHECK(refusal_of_keys(R"("head_dim": 8, "rope_theta": [5, 7], "layer_types": ["a", "a"])",
                          "--layer-type a") ==
          "rope_theta: differs between layers; choose with --layer-type: the number of a layer, 0 "
          "to 1");
    CHECK(settings_of(ConfigFile(R"({"head_dim": 8, "rope_theta": [5, 5, 5]})")) == "d=8 base=5");
    const char* const by_type = R"({"head_dim": 8, "rope_theta": {"full": 5, "sliding": 7}})";
    CHECK(settings_of(ConfigFile(by_type), "--layer-type sliding") == "d=8 base=7");
    CHECK(refusal(by_type) ==
          "rope_theta: is for each layer type; choose with --layer-type: full, sliding");
}

TEST_CASE("model config: keys that say no are stronger than rope_theta") {
    for (const char* key : {"mla_use_nope", "use_nope", "nope", "no_rope", "disable_rope",
                            "attn_nope", "disable_rotary_embeddings"}) {
        CHECK(
            refusal_of_keys(fmt::format(R"("head_dim": 8, "rope_theta": 1e4, "{}": true)", key)) ==
            fmt::format("{}: true: the model has no rotary positions", key));
        CHECK(refusal_of_keys(fmt::format(R"("head_dim": 8, "rope_theta": 1e4, "{}": false)",
                                          key)) == "accepted");
    }
    for (const char* key : {"use_rope", "apply_rope", "enable_rotary_embedding", "add_rope"}) {
        CHECK(
            refusal_of_keys(fmt::format(R"("head_dim": 8, "rope_theta": 1e4, "{}": false)", key)) ==
            fmt::format("{}: false: the model has no rotary positions", key));
    }
    for (const char* key :
         {"positional_embedding_type", "position_encoding_type", "pos_emb_type"}) {
        CHECK(refusal_of_keys(
                  fmt::format(R"("head_dim": 8, "rope_theta": 1e4, "{}": "nope")", key)) ==
              fmt::format("{}: nope is not rotary; the model has no positions", key));
    }
    // Keys for layers without positions, for sizes, and for disabled scaling do not refuse the
    // whole model.
    for (const char* keys :
         {R"("qk_nope_head_dim": 1)", R"("no_rope_layers": [1, 0])", R"("nope_layer_interval": 4)",
          R"("use_scaled_rope": false)", R"("position_embedding_type": "rope")"}) {
        CHECK(refusal_of_keys(fmt::format(R"("head_dim": 8, "rope_theta": 1e4, {})", keys)) ==
              "accepted");
    }
    for (const char* type : {"nemotron_h", "kimi_linear", "jamba", "mamba2"}) {
        CHECK(refusal_of_keys(
                  fmt::format(R"("model_type": "{}", "head_dim": 8, "rope_theta": 1e4)", type))
                  .starts_with(fmt::format("model_type: {} has no rotary positions, but ", type)));
    }
}

TEST_CASE("model config: positions on a grid are refused, with the preset that makes them") {
    constexpr std::array<std::array<const char*, 3>, 14> grids{
        {{R"("model_type": "pixtral")", "model_type",
          ": pe-gen pixtral --height 64 --width 64 --d 64 --base 10000"},
         {R"("model_type": "llama4_vision_model")", "model_type",
          ": pe-gen llama4-vision --base 10000"},
         {R"("model_type": "qwen2_vl_vision")", "model_type", ": pe-gen qwen2-vl-vision"},
         {R"("model_type": "qwen2_5_vl_vision")", "model_type", ": pe-gen qwen2.5-vl-vision"},
         {R"("model_type": "sam2_video")", "model_type", ": pe-gen sam2-rope"},
         {R"("model_type": "edgetam_video")", "model_type", ": pe-gen sam2-rope"},
         {R"("_class_name": "FluxTransformer2DModel")", "_class_name", ": pe-gen flux"},
         {R"("_class_name": "WanTransformer3DModel")", "_class_name", ": pe-gen wan-video"},
         {R"("model_type": "sam3_vit_model")", "model_type", ""},
         {R"("model_type": "mlcd_vision_model")", "model_type", ""},
         {R"("model_type": "gemma4_vision")", "model_type", ""},
         {R"("axes_dims_rope": [16, 56, 56])", "axes_dims_rope", ""},
         {R"("model_type": "novel", "patch_size": 14)", "patch_size", ""},
         {R"("image_size": 224)", "image_size", ""}}};
    for (const auto& [keys, key, preset] : grids) {
        const std::string remedy =
            *preset ? preset : "; if they are rotary, pe-gen rope-grid makes it";
        CHECK(refusal_of_keys(fmt::format(R"("head_dim": 64, "rope_theta": 1e4, {})", keys)) ==
              fmt::format("{}: positions are on the grid of an image or a video, and rope is the "
                          "table of one axis{}",
                          key, remedy));
    }
    CHECK(refusal_of_keys(
              R"("model_type": "minicpmv", "vocab_size": 9, "head_dim": 8, "rope_theta": 1e4,
                 "patch_size": 14, "image_size": 448)") == "accepted");
    CHECK(note_of(ConfigFile(R"({"model_type": "qwen2_vl", "head_dim": 128, "rope_scaling":
                                 {"type": "mrope", "mrope_section": [16, 24, 24]}})"))
              .find("for images and video see pe-gen mrope --config") != std::string::npos);
}

TEST_CASE("model config: models within models, by any name") {
    const char* const one =
        R"({"model_type": "vibevoice", "decoder_config": {"model_type": "qwen2", "hidden_size": 1536,
            "num_attention_heads": 12, "rope_theta": 1e6}, "acoustic_vae_dim": 64, "tower":
            {"num_attention_heads": 2, "head_dim": 8, "rope_theta": 5, "patch_size": 14}})";
    CHECK(settings_of(ConfigFile(one)) == "base=1e+06");
    CHECK(note_of(ConfigFile(one)).find("decoder_config.rope_theta 1e+06") != std::string::npos);
    const char* const two =
        R"({{"encoder": {{"text_config": {{"head_dim": 8, "rope_theta": 5}}}}, "decoder":
             {{"head_dim": 8, "rope_theta": {}}}}})";
    const ConfigFile same(fmt::format(fmt::runtime(two), "5.0"));
    CHECK(settings_of(same) == "d=8 base=5");
    CHECK(note_of(same).ends_with("; encoder.text_config, decoder have the same positions"));
    CHECK(refusal(fmt::format(fmt::runtime(two), "7")) ==
          "has several models with rotary positions that differ: encoder.text_config, decoder; "
          "give one of these objects as a file of its own");
    const char* const blt =
        R"({"model_type": "blt", "rope_theta": 5e5, "patcher_config": {"model_type": "blt_patcher",
            "hidden_size": 768, "num_attention_heads": 12, "rope_theta": 1e4}, "global_config":
            {"model_type": "blt_global_transformer", "hidden_size": 2048, "num_attention_heads": 16}})";
    CHECK(refusal(blt) ==
          "has several models with rotary positions that differ: patcher_config, global_config; "
          "give one of these objects as a file of its own");
}

TEST_CASE("model config: alpha of xdrope, and what is missing of models that scale by default") {
    CHECK(
        settings_of(ConfigFile(
            R"({"model_type": "hunyuan_vl", "head_dim": 128, "rope_theta": 10000.0, "rope_scaling":
                  {"type": "xdrope", "alpha": 1000.0, "factor": 1.0, "xdrope_section":
                  [16, 16, 16, 16]}})")) == "scaling=ntk factor=1000");
    CHECK(refusal_of_keys(R"("head_dim": 8, "rope_scaling": {"type": "xdrope"})") ==
          "rope_scaling.type: xdrope needs alpha");
    CHECK(settings_of(
              ConfigFile(R"({"head_dim": 8, "rope_scaling": {"type": "ntk", "factor": 4}})")) ==
          "d=8 scaling=ntk factor=4");
    for (const char* type :
         {"apertus", "cwm", "gpt_oss", "ministral3", "mimo_v2_flash", "laguna"}) {
        CHECK(refusal_of_keys(fmt::format(R"("model_type": "{}", "head_dim": 8)", type))
                  .starts_with("rope_parameters: is missing, and the code of this model has more"));
    }
}

TEST_CASE("model config: keys that may change the table are named, harmless ones are not") {
    const auto doubts = [](const char* keys) {
        const std::string note =
            note_of(ConfigFile(fmt::format(R"({{"head_dim": 8, "rope_theta": 1e4, {}}})", keys)));
        return note.find("; not known, and may change the table: ") != std::string::npos;
    };
    for (const char* keys :
         {R"("rope_impl": 1)", R"("my_rotary": 2)", R"("theta_boost": 3)",
          R"("position_offset": 4)", R"("nope_layers": [1])", R"("layer_group": 5)",
          R"("rope_scaling": {"type": "default", "q": 1})", R"("depth_config": {"rope_theta": 5})",
          R"("attention": {"inner": {"rope_impl": 5}})"}) {
        CAPTURE(keys);
        CHECK(doubts(keys));
    }
    for (const char* keys :
         {R"("num_hidden_layers": 2)", R"("layer_norm_eps": 1e-5)", R"("max_window_layers": 3)",
          R"("max_position_embeddings": 4)", R"("layer_types": ["full_attention"])",
          R"("qk_nope_head_dim": 8)", R"("n_layer": 5, "layernorm_epsilon": 1)",
          R"("model_type": "llama", "depth_config": {"rope_theta": 5})",
          R"("depth_config": {"rope_theta": 5, "hidden_size": 64})"}) {
        CAPTURE(keys);
        CHECK_FALSE(doubts(keys));
    }
}
