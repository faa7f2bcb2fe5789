#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "encodings/rotary/config/config_file.h"
#include "encodings/table_of.h"

using namespace pegen;
using namespace pegen::testing;

TEST_CASE("model config: Hugging Face's, in both spellings") {
    const std::string expected =
        "base=5e+05 scaling=llama3 factor=8 original-max-position-embeddings=8192 "
        "low-freq-factor=1 high-freq-factor=4";
    CHECK(settings_of(ConfigFile(
              R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
                  "max_position_embeddings": 131072, "rope_theta": 500000.0, "rope_scaling":
                  {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                   "original_max_position_embeddings": 8192, "rope_type": "llama3"}})")) ==
          expected);
    CHECK(settings_of(ConfigFile(
              R"({"head_dim": 128, "max_position_embeddings": 131072, "rope_parameters":
                  {"rope_theta": 500000, "factor": 8, "original_max_position_embeddings": 8192,
                   "rope_type": "llama3"}})")) == expected);
    CHECK(settings_of(ConfigFile(
              R"({"head_dim": 128, "rope_theta": 1e4, "rope_scaling": {"type": "linear",
                  "factor": 2.5}, "head_size": 7})")) == "scaling=linear factor=2.5");
    CHECK(settings_of(ConfigFile(R"({"head_dim": 128, "rope_scaling": null})")) == "");
    CHECK(settings_of(ConfigFile(R"({"head_dim": 128, "rope_scaling": {"type": "mrope",
                                     "rope_type": "default", "mrope_section": [16, 24, 24]}})"))
              .empty());
}

TEST_CASE("model config: the lengths of yarn and longrope complete each other") {
    CHECK(settings_of(ConfigFile(
              R"({"head_dim": 64, "max_position_embeddings": 2048, "rope_scaling":
                  {"type": "yarn", "factor": 4}})")) ==
          "d=64 scaling=yarn factor=4 max-position-embeddings=2048 "
          "original-max-position-embeddings=2048 attention-factor=1.138629436111989 beta-fast=32 "
          "beta-slow=1");
    CHECK(settings_of(ConfigFile(
              R"({"head_dim": 4, "max_position_embeddings": 131072,
                  "original_max_position_embeddings": 4096, "rope_scaling":
                  {"type": "su", "short_factor": [1, 1.5], "long_factor": [2, 3]}})")) ==
          "d=4 scaling=longrope factor=32 max-position-embeddings=131072 "
          "original-max-position-embeddings=4096 seq-len=512 attention-factor=1.1902380714238083 "
          "short-factor=1,1.5 long-factor=2,3");
    CHECK(settings_of(ConfigFile(
                          R"({"head_dim": 64, "max_position_embeddings": 4096, "rope_parameters":
                  {"rope_type": "yarn", "factor": 32, "truncate": false, "rope_theta": 150000,
                   "original_max_position_embeddings": 4096}})"))
              .find("no-truncate=true") != std::string::npos);
}

TEST_CASE("model config: a part of a head, by every word there is for it") {
    CHECK(settings_of(ConfigFile(R"({"head_dim": 96, "partial_rotary_factor": 0.25})")) ==
          "d=96 partial-rotary-factor=0.25");
    CHECK(settings_of(ConfigFile(R"({"hidden_size": 6144, "num_attention_heads": 64,
                                     "rotary_pct": 0.25, "rotary_emb_base": 5000})")) ==
          "d=96 partial-rotary-factor=0.25 base=5000");
    const auto dim = [](const char* content) {
        return table_of(ConfigFile(content).command("")).shape[1];
    };
    CHECK(dim(R"({"n_embd": 4096, "n_head": 16, "rotary_dim": 64})") == 64);
    CHECK(dim(R"({"n_embd": 4096, "n_head": 16, "model_type": "gptj"})") == 32);
    CHECK(dim(R"({"hidden_size": 2560, "num_attention_heads": 32, "model_type": "phi"})") == 40);
    CHECK(dim(R"({"hidden_size": 7168, "num_attention_heads": 128, "qk_rope_head_dim": 64})") ==
          64);
    CHECK(dim(R"({"head_dim": 96, "rope_parameters": {"rope_type": "default",
                  "partial_rotary_factor": 0.5}})") == 48);
}

TEST_CASE("model config: nested models, layer types, and Meta's params.json") {
    const ConfigFile gemma(
        R"({"model_type": "gemma3", "text_config": {"head_dim": 256, "rope_theta": 1000000,
            "rope_local_base_freq": 10000.0, "rope_scaling": {"factor": 8, "rope_type":
            "linear"}}, "vision_config": {"hidden_size": 8}})");
    CHECK(settings_of(gemma) == "d=256 base=1e+06 scaling=linear factor=8");
    CHECK(settings_of(gemma, "--layer-type full_attention") ==
          "d=256 base=1e+06 scaling=linear factor=8");
    CHECK(settings_of(gemma, "--layer-type sliding_attention") == "d=256");
    const char* const by_layer =
        R"({"head_dim": 128, "rope_parameters": {
            "full_attention": {"rope_type": "linear", "factor": 8, "rope_theta": 1e6},
            "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}})";
    CHECK(settings_of(ConfigFile(by_layer), "--layer-type full_attention") ==
          "base=1e+06 scaling=linear factor=8");
    CHECK(settings_of(ConfigFile(by_layer), "--layer-type sliding_attention").empty());
    CHECK(refusal(by_layer) ==
          "rope_parameters: is for each layer type; choose one with --layer-type: full_attention, "
          "sliding_attention");
    CHECK(refusal(by_layer, "--layer-type chunked") ==
          "rope_parameters: has no layer type chunked; it has full_attention, sliding_attention");
    CHECK(refusal(R"({"head_dim": 8, "rope_theta": 5})", "--layer-type full_attention") ==
          "has no layer types, and --layer-type full_attention was given");
    CHECK(settings_of(ConfigFile(R"({"dim": 4096, "n_heads": 32, "n_layers": 32, "rope_theta":
                                     500000.0, "use_scaled_rope": true})")) ==
          "base=5e+05 layout=single pairing=interleaved scaling=llama3 factor=8 "
          "original-max-position-embeddings=8192 "
          "low-freq-factor=1 high-freq-factor=4");
}

TEST_CASE("model config: one line says what was taken, replaced and ignored") {
    const ConfigFile file(
        R"({"hidden_size": 64, "num_attention_heads": 4, "rope_theta": 5000.0, "rope_scaling":
            {"type": "linear", "factor": 2, "beta_fast": 3, "surprise": [1]},
            "max_position_embeddings": 100})");
    CHECK(note_of(file, "--base 300") ==
          "config.json: took hidden_size 64 / num_attention_heads 4, rope_scaling.type linear, "
          "rope_scaling.factor 2; replaced rope_theta 5000; ignored max_position_embeddings 100, "
          "rope_scaling.beta_fast 3; not known, and may change the table: rope_scaling.surprise; "
          "which channels are a pair is not known for this model: half unless --pairing says "
          "otherwise");
    const ConfigFile yarn(
        R"({"head_dim": 8, "max_position_embeddings": 32768, "rope_scaling": {"type": "yarn",
            "factor": 4.0, "original_max_position_embeddings": 32768}})");
    CHECK(note_of(yarn).ends_with(
        "; factor 4 is not max_position_embeddings / original_max_position_embeddings, 1, which "
        "Transformers 4.51 to 4.55 took instead"));
}

TEST_CASE("model config: what is contradictory, unknown or missing is refused by its key") {
    CHECK(refusal(R"({"head_dim": 8, "rope_scaling": {"type": "foo", "factor": 2}})") ==
          "rope_scaling.type: 'foo' is not a known scaling type; use default, linear, dynamic, "
          "yarn, longrope, llama3, ntk, proportional");
    CHECK(refusal(R"({"head_dim": 8, "rope_scaling": {"type": "yarn", "rope_type": "linear",
                      "factor": 2}})") ==
          "rope_scaling.rope_type: linear contradicts type yarn; remove one of them");
    CHECK(refusal(R"({"head_dim": 8, "rope_scaling": {"type": "linear", "rope_type": "default",
                      "factor": 2}})") ==
          "rope_scaling.rope_type: default contradicts type linear; remove one of them");
    CHECK(refusal(R"({"head_dim": 8, "rope_theta": 10000, "rope_parameters": {"rope_theta":
                      5e5}})") ==
          "rope_parameters.rope_theta: 5e+05 contradicts rope_theta 10000; remove one of them");
    CHECK(refusal(R"({"head_dim": 8, "rope_scaling": {"type": "linear", "factor": 2},
                      "rope_parameters": {"rope_type": "linear", "factor": 3}})") ==
          "rope_parameters: factor contradicts rope_scaling; remove one of them");
    CHECK(refusal("[1]") == R"(must be an object, {"rope_theta": ...})");
    CHECK(refusal(R"({"rope_theta": 8})") ==
          "does not say the size of a head: needs head_dim, or hidden_size and "
          "num_attention_heads; is this a model's config.json?");
    CHECK(refusal(R"({"hidden_size": 8, "num_attention_heads": 0, "rope_theta": 5})") ==
          "num_attention_heads: must be a whole number from 1 on, and is 0");
    CHECK(refusal(R"({"head_dim": 8, "rope_scaling": "yarn"})") ==
          R"(rope_scaling: must be an object, {"rope_type": ...})");
    CHECK(refusal(R"({"head_dim": 8, "rope_scaling": {"type": "linear", "factor": -1}})") ==
          "rope_scaling.factor -1: --factor -1: must be greater than 0");
    CHECK(refusal(R"({"head_dim": 8, "rope_scaling": {"type": "linear", "factor": [true]}})") ==
          "rope_scaling.factor: must be a number, and is [true]");
    CHECK(refusal(R"({"head_dim": {}, "rope_theta": 5})") ==
          "head_dim: must be a number, and is {}");
}

TEST_CASE("model config: scaling without a type is refused") {
    for (const char* block : {"rope_scaling", "rope_parameters"}) {
        CHECK(refusal(fmt::format(R"({{"head_dim": 8, "{}": {{"factor": 4}}}})", block)) ==
              fmt::format("{}.factor: needs rope_type next to it, such as \"linear\"; without it "
                          "Transformers 4 fails and 5 does not scale",
                          block));
    }
    CHECK(settings_of(ConfigFile(R"({"head_dim": 8, "rope_scaling": {}})")) == "d=8");
    CHECK(settings_of(ConfigFile(R"({"head_dim": 8, "rope_parameters": {"rope_theta": 5}})")) ==
          "d=8 base=5");
}

TEST_CASE("model config: truncate is true or false, as a number, too") {
    const auto truncates = [](const char* value) {
        const ConfigFile file(fmt::format(
            R"({{"head_dim": 64, "rope_scaling": {{"type": "yarn", "factor": 2, "truncate": {},
                 "original_max_position_embeddings": 4096}}}})",
            value));
        return !table_of(file.command("")).provenance.parameters.flag("no-truncate");
    };
    CHECK(truncates("true"));
    CHECK(truncates("1"));
    CHECK_FALSE(truncates("false"));
    CHECK_FALSE(truncates("0"));
    CHECK(refusal(R"({"head_dim": 64, "rope_scaling": {"type": "yarn", "truncate": "false"}})") ==
          "rope_scaling.truncate: must be true or false, and is \"false\"");
}

TEST_CASE("model config: Python's NaN and Infinity have no effect, or are refused by their key") {
    CHECK(settings_of(ConfigFile(
              R"({"head_dim": 8, "time_step_limit": [0.0, Infinity], "eps": NaN,
                  "clip": -Infinity, "rope_scaling": null, "name": "\"NaN, Infinity\\"})")) ==
          "d=8");
    CHECK(refusal(R"({"head_dim": 8, "rope_theta": Infinity})") ==
          "rope_theta: must be a number, and is \"Infinity\"");
    CHECK(refusal(R"({"hidden_size": Infinity, "num_attention_heads": 4, "rope_theta": 5})") ==
          "hidden_size: must be a whole number from 1 on, and is \"Infinity\"");
    CHECK(
        refusal(R"({"head_dim": 2, "rope_scaling": {"type": "longrope", "long_factor": [NaN]}})") ==
        "rope_scaling.long_factor: must be a number, and is [\"NaN\"]");
    CHECK(refusal(R"({"head_dim": 8, "eps": Inf})").starts_with("line 1, column 24: "));
}

TEST_CASE("model config: a value that fails later is the file's fault, unless the user's is") {
    const char* const no_factor = R"({"head_dim": 8, "rope_scaling": {"type": "linear"}})";
    CHECK(refusal(no_factor) == "rope_scaling.type linear: --scaling linear: needs --factor");
    CHECK(refusal(no_factor, "--factor 2") == "accepted");
    CHECK(refusal(R"({"hidden_size": 14, "num_attention_heads": 2, "rope_theta": 5})") ==
          "hidden_size 14 / num_attention_heads 2: --d 7: the rotary dimension is 7 and must be "
          "even, since channels turn in pairs");
    CHECK(refusal(R"({"head_dim": 8, "rope_scaling": {"type": "yarn", "factor": 2}})") ==
          "rope_scaling.type yarn: --scaling yarn: needs --original-max-position-embeddings");
    const ConfigFile fine(R"({"head_dim": 8, "rope_theta": 5})");
    CHECK(refusal_of(fine.command("--rotary-dim 7")) ==
          "--rotary-dim 7: the rotary dimension is 7 and must be even, since channels turn in "
          "pairs");
}

TEST_CASE("model config: what a family's code has where its file is silent") {
    const ConfigFile gemma(
        R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "hidden_size": 3840,
            "num_attention_heads": 16, "rope_scaling": {"factor": 8.0, "rope_type": "linear"}}})");
    CHECK(settings_of(gemma) == "d=256 base=1e+06 scaling=linear factor=8");
    CHECK(settings_of(gemma, "--layer-type sliding_attention") == "d=256");
    CHECK(settings_of(ConfigFile(R"({"model_type": "gemma3_text", "head_dim": 128})")) ==
          "base=1e+06");
    CHECK(settings_of(ConfigFile(R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16})")) ==
          "d=256 layout=single pairing=interleaved");
}

TEST_CASE("model config: other words for what rope has, and what speaks of it but is not read") {
    CHECK(settings_of(ConfigFile(R"({"head_dim": 8, "rope_theta": 1e4, "rope_scaling": {"type":
                                     "dynamic", "alpha": 1000, "factor": 1}})")) ==
          "d=8 scaling=ntk factor=1000");
    CHECK(settings_of(ConfigFile(R"({"head_dim": 4, "max_position_embeddings": 131072,
              "rope_scaling": {"type": "longrope", "short_factor": [1, 1], "long_factor": [2, 2],
              "short_mscale": 1.25, "long_mscale": 1.25,
              "original_max_position_embeddings": 4096}})"))
              .find("attention-factor=1.25") != std::string::npos);
    CHECK(note_of(ConfigFile(R"({"head_dim": 128, "attn_config": {"rope_theta": 5e5, "rope_impl":
                                 "x"}, "rope_ratio": 500, "eps": 1})")) ==
          "config.json: took head_dim 128, attn_config.rope_theta 5e+05; not known, and may "
          "change the table: attn_config.rope_impl, rope_ratio; which channels are a pair is not "
          "known for this model: half unless --pairing says otherwise");
    CHECK(settings_of(ConfigFile(R"({"hidden_size": 64.0, "num_attention_heads": 4, "rope_scaling":
              {"rope_type": "linear", "factor": 2}, "rope_parameters": {"rope_type": "linear",
              "factor": 2, "rope_theta": 1e5}})")) == "d=16 base=1e+05 scaling=linear factor=2");
}

TEST_CASE("model config: a preset already says what the model is") {
    const ConfigFile file(R"({"head_dim": 8})");
    CHECK(refusal_of(fmt::format("llama3.1 --config {}", file.path())) ==
          "--config: a preset already says what the model is; use pe-gen rope --config");
}
