#include <doctest/doctest.h>
#include <fmt/format.h>

#include "encodings/rotary/config/config_file.h"
#include "encodings/table_of.h"

using namespace pegen;
using namespace pegen::testing;

TEST_CASE("model config: Gemma 4's layers with full attention have larger heads") {
    const char* const layers =
        R"("rope_parameters": {
            "full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25,
                               "rope_theta": 1000000.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}})";
    const auto gemma = [&](const char* more) {
        return ConfigFile(
            fmt::format(R"({{"model_type": "gemma4_text", "head_dim": 256, {}{})", more, layers));
    };
    const ConfigFile file = gemma(R"("global_head_dim": 384, )");
    CHECK(settings_of(file, "--layer-type full_attention") ==
          "d=384 partial-rotary-factor=0.25 base=1e+06 scaling=proportional factor=1");
    CHECK(settings_of(file, "--layer-type sliding_attention") == "d=256");
    CHECK(settings_of(gemma(""), "--layer-type full_attention") ==
          "d=512 partial-rotary-factor=0.25 base=1e+06 scaling=proportional factor=1");
    CHECK(settings_of(gemma(R"("global_head_dim": null, )"), "--layer-type full_attention") ==
          "d=256 partial-rotary-factor=0.25 base=1e+06 scaling=proportional factor=1");
    CHECK(refusal(R"({"model_type": "gemma4_text", "head_dim": 256})") ==
          "rope_parameters: needs an object for each layer type, full_attention and "
          "sliding_attention");
    CHECK(refusal(
              fmt::format(R"({{"model_type": "gemma4_text", "per_layer_config": {{}}, {})", layers),
              "--layer-type full_attention") ==
          "per_layer_config: is not read; give the size of heads with full attention as "
          "global_head_dim");
}

TEST_CASE("model config: OLMo 3 does not scale layers with a sliding window") {
    const ConfigFile olmo(
        R"({"model_type": "olmo3", "head_dim": 128, "rope_theta": 500000, "layer_types":
            ["sliding_attention", "full_attention"], "rope_scaling": {"rope_type": "yarn",
            "factor": 8.0, "original_max_position_embeddings": 8192}})");
    const std::string scaled =
        "base=5e+05 scaling=yarn factor=8 original-max-position-embeddings=8192 "
        "attention-factor=1.2079441541679836 beta-fast=32 beta-slow=1";
    CHECK(settings_of(olmo) == scaled);
    CHECK(note_of(olmo).ends_with(
        "; layers with a sliding window differ: --layer-type sliding_attention"));
    CHECK(settings_of(olmo, "--layer-type full_attention") == scaled);
    CHECK(settings_of(olmo, "--layer-type sliding_attention") == "base=5e+05");
    CHECK(note_of(olmo, "--layer-type sliding_attention") ==
          "config.json: took default of olmo3: pairing half, rope_theta 500000, head_dim 128; "
          "ignored rope_scaling.rope_type yarn, of --layer-type full_attention, "
          "rope_scaling.factor 8, rope_scaling.original_max_position_embeddings 8192");
}

TEST_CASE("model config: ModernBERT's layers have two bases, or one") {
    const ConfigFile two(R"({"model_type": "modernbert", "head_dim": 64})");
    CHECK(settings_of(two, "--layer-type full_attention") == "d=64 base=160000");
    CHECK(settings_of(two, "--layer-type sliding_attention") == "d=64");
    const ConfigFile one(
        R"({"model_type": "modernbert", "head_dim": 64, "global_rope_theta": 5000,
            "local_rope_theta": null})");
    CHECK(settings_of(one, "--layer-type sliding_attention") == "d=64 base=5000");
}

TEST_CASE("model config: layers without rotary positions") {
    const char* const cohere = R"({"model_type": "cohere2", "head_dim": 128, "rope_theta": 50000})";
    CHECK(settings_of(ConfigFile(cohere), "--layer-type sliding_attention") ==
          "base=50000 layout=interleaved pairing=interleaved");
    CHECK(refusal(cohere, "--layer-type full_attention") ==
          "layer_types: layers of type full_attention have no rotary positions");
    CHECK(note_of(ConfigFile(cohere))
              .ends_with("; only layers of type sliding_attention have rotary positions"));
    CHECK(refusal(R"({"model_type": "exaone4", "head_dim": 128, "sliding_window": 4096})",
                  "--layer-type full_attention") ==
          "layer_types: layers of type full_attention have no rotary positions");
    const ConfigFile all(
        R"({"model_type": "exaone4", "head_dim": 64, "sliding_window": null,
            "layer_types": ["full_attention"]})");
    CHECK(settings_of(all, "--layer-type full_attention") == "d=64");
    const char* const llama =
        R"({"model_type": "llama4_text", "layer_types": ["chunked_attention", "full_attention"]})";
    CHECK(note_of(ConfigFile(llama))
              .ends_with("; only layers of type chunked_attention have rotary positions"));
    CHECK(refusal(R"({"model_type": "llama4_text"})", "--layer-type sliding_attention") ==
          "has no layer types, and --layer-type sliding_attention was given");
    CHECK(refusal(llama, "--layer-type full_attention") ==
          "layer_types: layers of type full_attention have no rotary positions");
    CHECK(settings_of(ConfigFile(llama), "--layer-type chunked_attention") ==
          "base=5e+05 layout=single pairing=interleaved");
    CHECK(note_of(ConfigFile(R"({"model_type": "smollm3", "head_dim": 64,
                                 "no_rope_layers": [1, 1, 1, 0]})"))
              .ends_with("; layers with a 0 in no_rope_layers have no rotary positions"));
    const char* const by_block =
        R"({"head_dim": 64, "rope_parameters": {"full_attention": null, "rope_theta": 1e4,
            "sliding_attention": {"rope_theta": 5e4}}})";
    CHECK(settings_of(ConfigFile(by_block), "--layer-type sliding_attention") == "d=64 base=50000");
    CHECK(refusal(by_block, "--layer-type full_attention") ==
          "rope_parameters: layers of type full_attention have no rotary positions");
    CHECK(refusal(by_block) ==
          "rope_parameters: is for each layer type; choose one with --layer-type: "
          "sliding_attention");
}

TEST_CASE("model config: a layer type of which nothing is known") {
    CHECK(refusal(R"({"head_dim": 8, "rope_theta": 1e4, "layer_types": ["full_attention"]})",
                  "--layer-type full_attention") ==
          "layer_types: which of them have which positions is not known for this model");
    CHECK(refusal(R"({"model_type": "qwen2", "head_dim": 8, "layer_types": ["full_attention"]})",
                  "--layer-type chunked_attention") ==
          "layer_types: there is no chunked_attention");
    CHECK(refusal(R"({"model_type": "gemma3_text", "rope_local_base_freq": 10000})",
                  "--layer-type chunked_attention") ==
          "has no layer types, and --layer-type chunked_attention was given");
    CHECK(settings_of(ConfigFile(R"({"model_type": "qwen2", "head_dim": 8, "layer_types":
                                     ["full_attention"]})"),
                      "--layer-type full_attention") == "d=8");
}

TEST_CASE("model config: ChatGLM turns half of a head by a multiple of the base") {
    const char* const glm =
        R"({{"model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32,
             "kv_channels": 128, {}}})";
    CHECK(settings_of(ConfigFile(fmt::format(fmt::runtime(glm), R"("rope_ratio": 500)"))) ==
          "partial-rotary-factor=0.5 base=5e+06 pairing=interleaved");
    CHECK(settings_of(ConfigFile(fmt::format(fmt::runtime(glm), R"("original_rope": false)"))) ==
          "partial-rotary-factor=0.5");
    CHECK(note_of(ConfigFile(fmt::format(fmt::runtime(glm), R"("rope_ratio": 50)")))
              .ends_with("rope_ratio 50 times 10000, as ChatGLM3 and GLM-4 take it"));
    CHECK(refusal(fmt::format(fmt::runtime(glm), R"("position_encoding_2d": true)")) ==
          "position_encoding_2d: halves of a head turn by two positions, for which there is no "
          "table here");
}

TEST_CASE("model config: yarn of Mistral's params.json") {
    const auto mistral = [](const char* more) {
        return ConfigFile(fmt::format(
            R"({{"dim": 5120, "n_heads": 32, "head_dim": 128, "hidden_dim": 16384, "rope_theta":
                 1e9, "yarn": {{"original_max_position_embeddings": 16384, "factor": 16,
                 "beta": 48, "alpha": 2{}}}}})",
            more));
    };
    const std::string yarn =
        "base=1e+09 layout=single pairing=interleaved scaling=yarn factor=16 "
        "original-max-position-embeddings=16384 attention-factor={} beta-fast=48 beta-slow=2";
    CHECK(settings_of(mistral(R"(, "apply_scale": false)")) == fmt::format(fmt::runtime(yarn), 1));
    const std::string formula = fmt::format(fmt::runtime(yarn), "1.2772588722239782");
    CHECK(settings_of(mistral("")) == formula);
    CHECK(settings_of(mistral(R"(, "apply_scale": true)")) == formula);
    CHECK(note_of(mistral(R"(, "gamma": 3)")) ==
          "config.json: took default of Mistral's code: pairing interleaved, default of Mistral's "
          "code: "
          "layout single, head_dim 128, rope_theta 1e+09, yarn, yarn.factor 16, "
          "yarn.original_max_position_embeddings 16384, "
          "yarn.beta 48, yarn.alpha 2; not known, and may change the table: yarn.gamma");
    CHECK(refusal(R"({"dim": 8, "n_heads": 1, "qk_rope_head_dim": 8, "yarn": {"factor": 2}})")
              .starts_with("yarn.apply_scale: what it multiplies is not known"));
}

TEST_CASE("model config: keys that say what is a pair") {
    const auto pairing = [](const char* keys) {
        return table_of(ConfigFile(fmt::format(R"({{"head_dim": 8, {}}})", keys)).command(""))
            .provenance.parameters.word("pairing");
    };
    CHECK(pairing(R"("model_type": "deepseek_v3", "rope_interleave": false)") == "half");
    CHECK(pairing(R"("model_type": "deepseek_v3", "rope_interleave": true)") == "interleaved");
    CHECK(pairing(R"("rope_interleave": true)") == "interleaved");
    CHECK(pairing(R"("model_type": "nomic_bert", "rotary_emb_interleaved": true)") ==
          "interleaved");
    CHECK(note_of(ConfigFile(R"({"head_dim": 8, "rotary_emb_interleaved": false,
                                 "rotary_emb_fraction": 0.5, "rope_theta": 5, "indexer_rope_interleave": 1})")) ==
          "config.json: took rotary_emb_interleaved false, rotary_emb_fraction 0.5, head_dim 8, "
          "rope_theta 5; not known, and may change the table: indexer_rope_interleave");
    CHECK(refusal(R"({"head_dim": 8, "rope_interleave": "yes"})") ==
          "rope_interleave: must be true or false, and is \"yes\"");
}

TEST_CASE("model config: models without rotary positions are refused with what they have") {
    const auto refused = [](const char* keys) {
        return refusal(fmt::format(R"({{"hidden_size": 64, "num_attention_heads": 4, {}}})", keys));
    };
    CHECK(refused(R"("model_type": "bloom")") ==
          "model_type: bloom has no rotary positions, but ALiBi: pe-gen bloom --heads 4");
    CHECK(refused(R"("model_type": "bert", "position_embedding_type": "absolute")") ==
          "model_type: bert has no rotary positions, but learned positions: pe-gen bert --len 512 "
          "--d 64");
    CHECK(refused(R"("model_type": "bert", "position_embedding_type": "relative_key")") ==
          "position_embedding_type: relative_key is not rotary; the model has relative positions: "
          "pe-gen shaw-hf-bert --d 16");
    CHECK(refused(R"("position_embedding_type": "absolute")") ==
          "position_embedding_type: absolute is not rotary; the model has learned positions: "
          "pe-gen learned --d 64");
    CHECK(refused(R"("model_type": "falcon", "alibi": true, "rope_theta": 10000)") ==
          "alibi: the model has no rotary positions, but ALiBi: pe-gen falcon --heads 4");
    CHECK(refused(R"("model_type": "mpt", "attn_config": {"alibi": true, "rope": false})") ==
          "attn_config.alibi: the model has no rotary positions, but ALiBi: pe-gen mpt");
    CHECK(refused(R"("model_type": "mpt", "attn_config": {"rope": false, "rope_theta": 1e4})") ==
          "model_type: mpt has no rotary positions, but ALiBi: pe-gen mpt --heads 16 "
          "--max-bias 8");
    CHECK(refusal(R"({"model_type": "qwen3_5_text", "layer_types": ["linear_attention",
                      "full_attention"]})",
                  "--layer-type linear_attention") ==
          "layer_types: layers of type linear_attention have no rotary positions");
    CHECK(refused(R"("model_type": "baichuan")") ==
          "model_type: baichuan has no rotary positions, but ALiBi, unless hidden_size is 4096: "
          "pe-gen baichuan --heads 4");
    CHECK(refused(R"("position_embedding_type": "nope", "rope_theta": 10000)") ==
          "position_embedding_type: nope is not rotary; the model has no positions");
    CHECK(refused(R"("model_type": "zamba2", "rope_theta": 10000)") ==
          "use_mem_rope: zamba2 has no positions unless it is true");
    for (const char* type : {"roberta", "gpt2", "opt", "t5"}) {
        CHECK(refused(fmt::format(R"("model_type": "{}")", type).c_str())
                  .find("has no rotary positions") != std::string::npos);
    }
    for (const char* keys :
         {R"("model_type": "bert", "position_embedding_type": "rotary")",
          R"("model_type": "bert", "position_embedding_type": "rope")",
          R"("model_type": "gpt2", "rotary_dim": 8)",
          R"("model_type": "mpt", "attn_config": {"rope": true, "rope_theta": 1e4})",
          R"("model_type": "falcon", "alibi": false)",
          R"("model_type": "zamba2", "use_mem_rope": true)",
          R"("model_type": "llama", "position_embedding_type": "absolute")"}) {
        CAPTURE(keys);
        CHECK(refused(keys) == "accepted");
    }
}

// The numbers are what Transformers' own configuration and rotary classes gave for these keys.
TEST_CASE("model config: what the code of a family has where the file is silent") {
    const auto settings = [](const char* keys, std::string_view more = "") {
        return settings_of(ConfigFile(fmt::format(R"({{"hidden_size": 4096, {}}})", keys)), more);
    };
    const char* const heads = R"("num_attention_heads": 32, "model_type": "{}")";
    const auto of_type = [&](const char* type) {
        return settings(fmt::format(fmt::runtime(heads), type).c_str());
    };
    CHECK(of_type("cohere") == "base=5e+05 layout=interleaved pairing=interleaved");
    CHECK(of_type("helium") == "base=1e+05 pairing=interleaved");
    CHECK(of_type("blt_global_transformer") == "base=5e+05 layout=interleaved pairing=interleaved");
    CHECK(of_type("blt_patcher") == "layout=interleaved pairing=interleaved");
    CHECK(of_type("pe_video_encoder") == "base=20000 pairing=interleaved");
    CHECK(of_type("ernie4_5_vl_moe_text") == "base=5e+05 layout=interleaved pairing=interleaved");
    CHECK(of_type("axk2") == "d=32 pairing=interleaved");
    CHECK(of_type("deepseek_v2") == "d=64 layout=single pairing=interleaved");
    CHECK(of_type("qwen2_5_omni_dit") == "d=64 pairing=interleaved");
    CHECK(of_type("qwen3_vl_text") == "base=5e+05");
    CHECK(of_type("paddleocr_vl_text") == "base=5e+05");
    CHECK(of_type("cosmos3_edge_text") == "base=1e+08");
    CHECK(of_type("jina_embeddings_v3") == "base=20000");
    CHECK(of_type("timesfm2_5") == "d=80");
    CHECK(of_type("glmasr_encoder") == "partial-rotary-factor=0.5");
    CHECK(of_type("nomic_bert") == "base=1000");
    CHECK(settings(R"("num_attention_heads": 64, "model_type": "afmoe")",
                   "--layer-type sliding_attention") == "");
    CHECK(settings(R"("num_attention_heads": 48, "model_type": "laguna", "rope_parameters":
                      {"full_attention": {"rope_theta": 5e5, "partial_rotary_factor": 0.5},
                       "sliding_attention": {"rope_theta": 1e4}})",
                   "--layer-type full_attention") == "partial-rotary-factor=0.5 base=5e+05");
    CHECK(refusal(R"({"model_type": "openai_privacy_filter"})")
              .starts_with("rope_parameters: is missing, and the code of this model has more"));
    CHECK(refusal(R"({"model_type": "wav2vec2-bert", "hidden_size": 64,
                      "num_attention_heads": 4})") ==
          "position_embeddings_type: wav2vec2-bert has relative positions unless it is rotary");
    CHECK(settings(R"("num_attention_heads": 32, "model_type": "wav2vec2-bert",
                      "position_embeddings_type": "rotary", "rotary_embedding_base": 5000)") ==
          "base=5000");
}

TEST_CASE("model config: a base outside the objects of layer types, as Transformers 5 saves it") {
    const ConfigFile v4(
        R"({"model_type": "deepseek_v4", "head_dim": 512, "qk_rope_head_dim": 64,
            "rope_theta": 10000.0, "compress_rope_theta": 160000.0, "rope_parameters": {
            "main": {"rope_type": "default", "rope_theta": 10000.0},
            "compress": {"rope_type": "default", "rope_theta": 160000.0}}})");
    CHECK(settings_of(v4, "--layer-type main") == "d=64 layout=single pairing=interleaved");
    CHECK(settings_of(v4, "--layer-type compress") ==
          "d=64 base=160000 layout=single pairing=interleaved");
    const char* const other =
        R"({"head_dim": 8, "rope_theta": 5, "rope_parameters": {
            "full_attention": {"rope_theta": 10000}, "sliding_attention": {"rope_theta": 50000}}})";
    CHECK(refusal(other, "--layer-type full_attention") ==
          "rope_parameters.full_attention.rope_theta: 10000 contradicts rope_theta 5; remove one "
          "of them");
}
