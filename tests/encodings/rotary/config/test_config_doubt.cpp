#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "encodings/rotary/config/config_file.h"
#include "encodings/table_of.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

/// Returns a configuration with heads of 64 channels and these keys.
std::string with_heads(std::string_view keys) {
    return fmt::format(R"({{"hidden_size": 512, "num_attention_heads": 8, {}}})", keys);
}

bool names_usual_base(const std::string& note) {
    return note.find("; base 10000, the usual one, since the file gives none") != std::string::npos;
}

}  // namespace

TEST_CASE("model config: a model that is not known to be rotary needs a key that says so") {
    CHECK(refusal(with_heads(R"("model_type": "novel")")) ==
          "model_type: novel is not known to have rotary positions, and there is no rope_theta or "
          "any other key of them; add what its code has, or give the parameters in the place of "
          "--config");
    CHECK(refusal(with_heads(R"("vocab_size": 100)"))
              .starts_with("says nothing about rotary positions: there is no model_type, and "));
    for (const char* type : {"jamba", "nemotron_h", "whisper", "clip", "camembert", "longformer"}) {
        CAPTURE(type);
        CHECK(refusal(with_heads(fmt::format(R"("model_type": "{}")", type)))
                  .find("has no rotary positions, but ") != std::string::npos);
    }
    for (const char* keys :
         {R"("model_type": "novel", "rope_theta": 10000)", R"("rope_theta": 10000)",
          R"("model_type": "novel", "rope_scaling": null)",
          R"("model_type": "novel", "attn_config": {"rope_theta": 5e5})",
          R"("model_type": "llama")", R"("model_type": "internlm2")", R"("dim": 512, "n_heads": 8)",
          R"("model_type": "esm", "position_embedding_type": "rotary")"}) {
        CAPTURE(keys);
        CHECK(refusal(with_heads(keys)) == "accepted");
    }
}

TEST_CASE("model config: switches and types that say no are refused") {
    for (const char* key : {"use_rope", "rotary", "use_rotary_embeddings"}) {
        CHECK(refusal(with_heads(fmt::format(R"("rope_theta": 1e4, "{}": false)", key))) ==
              fmt::format("{}: false: the model has no rotary positions", key));
    }
    for (const char* type : {"sinusoidal", "none", "relative", "alibi", "learned"}) {
        CAPTURE(type);
        CHECK(refusal(with_heads(fmt::format(
                          R"("rope_theta": 1e4, "position_embeddings_type": "{}")", type)))
                  .starts_with(fmt::format("position_embeddings_type: {} is not rotary", type)));
    }
    CHECK(refusal(with_heads(R"("position_embedding_type": "sinusoidal")")) ==
          "position_embedding_type: sinusoidal is not rotary; the model has sinusoids: pe-gen "
          "sinusoid --d 512");
    CHECK(settings_of(ConfigFile(with_heads(
              R"("position_embeddings_type": "rotary", "rotary_embedding_base": 5000)"))) ==
          "d=64 base=5000");
}

TEST_CASE("model config: a base that neither file nor family gives is named") {
    const auto base = [](const char* type) {
        const ConfigFile file(with_heads(fmt::format(R"("model_type": "{}")", type)));
        CHECK_FALSE(names_usual_base(note_of(file)));
        return table_of(file.command("")).provenance.parameters.real("base");
    };
    CHECK(base("smollm3") == 2e6);
    CHECK(base("qwen2_vl") == 1e6);
    CHECK(base("qwen2_5_vl_text") == 1e6);
    CHECK(base("ernie4_5") == 5e5);
    CHECK(base("phimoe") == 1e6);
    CHECK(base("persimmon") == 25000);
    const ConfigFile llama(with_heads(R"("model_type": "llama")"));
    CHECK(names_usual_base(note_of(llama)));
    CHECK_FALSE(names_usual_base(note_of(llama, "--base 10000")));
    CHECK_FALSE(names_usual_base(note_of(ConfigFile(with_heads(R"("rope_theta": 1e4)")))));
}

TEST_CASE("model config: what else a family's code has where its file is silent") {
    const auto dim = [](const char* keys) {
        return table_of(ConfigFile(with_heads(keys)).command("--table inv-freq")).shape[0] * 2;
    };
    CHECK(dim(R"("model_type": "qwen3_next")") == 64);
    CHECK(dim(R"("model_type": "glm4_moe")") == 32);
    CHECK(dim(R"("model_type": "deepseek_v3")") == 64);
    CHECK(dim(R"("model_type": "bamba")") == 32);
    CHECK(dim(R"("model_type": "bamba", "attn_rotary_emb": 32)") == 32);
}

TEST_CASE("model config: the table is in the layout of the model's own code") {
    const auto same = [](const char* preset, std::string_view config) {
        CAPTURE(preset);
        const Table named = table_of(fmt::format("{} --len 8", preset));
        const Table read = table_of(ConfigFile(config).command("--len 8"));
        CHECK(all_values(read) == all_values(named));
    };
    same("cohere", R"({"model_type": "cohere", "head_dim": 128, "rope_theta": 8e6})");
    same("gpt-j", R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary_dim": 64})");
    same("roformer", R"({"model_type": "roformer", "head_dim": 64})");
    same("meta-llama", R"({"dim": 4096, "n_heads": 32})");
    same("gpt-oss", R"({"model_type": "gpt_oss", "rope_scaling": {"rope_type": "yarn", "factor":
         32, "original_max_position_embeddings": 4096, "truncate": false}})");
    same("llama4", R"({"model_type": "llama4_text", "rope_scaling": {"rope_type": "llama3",
         "factor": 16, "low_freq_factor": 1, "high_freq_factor": 1,
         "original_max_position_embeddings": 8192}})");
    const ConfigFile cohere(R"({"model_type": "cohere", "head_dim": 8, "rope_theta": 5})");
    CHECK(note_of(cohere).find("default of cohere: layout interleaved") != std::string::npos);
    CHECK(table_of(cohere.command("--layout half")).provenance.parameters.word("layout") == "half");
}

TEST_CASE("model config: text_config wins over the whole file") {
    const ConfigFile file(
        R"({"model_type": "qwen2_5_vl", "hidden_size": 512, "num_attention_heads": 4,
            "rope_theta": 5, "max_window_layers": 3, "rope_scaling": {"type": "default"},
            "text_config": {"model_type": "qwen2_5_vl_text", "hidden_size": 512,
            "num_attention_heads": 8, "rope_theta": 7}})");
    CHECK(settings_of(file) == "d=64 base=7");
    CHECK(note_of(file) ==
          "config.json: took default of qwen2_5_vl_text: pairing half, text_config.rope_theta 7, "
          "text_config.hidden_size 512 / num_attention_heads 8; ignored "
          "num_attention_heads, rope_theta, rope_scaling");
    CHECK(settings_of(ConfigFile(
              R"({"head_dim": 8, "rope_theta": 5, "text_config": {"vocab_size": 100}})")) ==
          "d=8 base=5");
    CHECK(settings_of(ConfigFile(
              R"({"head_dim": 8, "thinker_config": {"text_config": {"head_dim": 16,
                  "rope_theta": 5}}})")) == "d=16 base=5");
    CHECK(settings_of(ConfigFile(
              R"({"model_type": "cohere", "text_config": {"head_dim": 16, "rope_theta": 5}})")) ==
          "d=16 base=5 layout=interleaved pairing=interleaved");
    CHECK(refusal(R"({"model_type": "llava", "text_config": {"model_type": "llama"}})") ==
          "text_config was read, and does not say the size of a head: needs head_dim, or "
          "hidden_size and num_attention_heads in it");
    CHECK(refusal(R"({"text_config": 7})") ==
          R"(text_config: must be an object, {"hidden_size": ...})");
}

TEST_CASE("model config: bases and widths by the words of single families") {
    const ConfigFile internlm(with_heads(
        R"("model_type": "internlm", "rotary": {"base": 5000, "type": "dynamic"},
           "max_position_embeddings": 2048)"));
    CHECK(settings_of(internlm) ==
          "d=64 base=5000 scaling=dynamic factor=1 max-position-embeddings=2048 seq-len=512");
    CHECK(settings_of(ConfigFile(with_heads(R"("rotary": {"base": 5000, "type": "origin"})"))) ==
          "d=64 base=5000");
    CHECK(refusal(with_heads(R"("rotary": {"base": 5000, "type": "spiral"})")) ==
          "rotary.type: must be origin or dynamic, and is \"spiral\"");
    CHECK(settings_of(ConfigFile(
              R"({"model_type": "openelm", "head_dim": 64, "rope_freq_constant": 5000})")) ==
          "d=64 base=5000");
    CHECK(refusal(with_heads(R"("rope_embedding_base": 5, "rope_position_scale": 2)")) ==
          "rope_position_scale: what it does unless it is 1 is not known, and is 2");
    CHECK(refusal(with_heads(R"("rope_embedding_base": 5, "rope_position_scale": 1.0)")) ==
          "accepted");
    const std::string qwen = note_of(ConfigFile(with_heads(
        R"("model_type": "qwen", "rotary_emb_base": 5, "seq_length": 8192,
           "use_dynamic_ntk": true, "use_logn_attn": true)")));
    CHECK(qwen.ends_with(
        "; ignored use_dynamic_ntk true: tables of more than seq_length 8192 positions have "
        "another base, up to twice as many --scaling ntk --factor 3, use_logn_attn true: queries "
        "beyond seq_length 8192 are scaled"));
    for (const char* type : {"RefinedWebModel", "telechat"}) {
        CHECK(table_of(ConfigFile(
                           fmt::format(R"({{"model_type": "{}", "hidden_size": 512, "n_head": 8}})",
                                       type))
                           .command("--table inv-freq"))
                  .shape[0] == 32);
    }
    CHECK(refusal(R"({"model_type": "telechat", "hidden_size": 512, "n_head": 8,
                      "base_seqlen": 8192, "training_seqlen": 16384})") ==
          "training_seqlen: must be base_seqlen, since it changes the base, and is 16384");
}

TEST_CASE("model config: numbers are numbers, and heads share channels evenly") {
    CHECK(refusal(R"({"hidden_size": 4097, "num_attention_heads": 32, "rope_theta": 1e4})") ==
          "hidden_size: 4097 is not divisible by num_attention_heads 32; add head_dim");
    CHECK(refusal(R"({"head_dim": 8, "rope_scaling": {"type": "linear", "factor": "4"}})") ==
          "rope_scaling.factor: must be a number, and is \"4\"");
    CHECK(refusal(R"({"head_dim": 8, "rope_theta": 1e4, "model_type": 7})") ==
          "model_type: must be a text in quotation marks, and is 7");
    CHECK(refusal(R"({"head_dim": 8, "rope_scaling": {"type": 7}})") ==
          "rope_scaling.type: must be a text in quotation marks, and is 7");
    CHECK(refusal(R"({"head_dim": 96, "rope_theta": 1e4, "partial_rotary_factor": 0.33})") ==
          "partial_rotary_factor 0.33: --partial-rotary-factor 0.33: the rotary dimension is 31 "
          "and must be even, since channels turn in pairs");
}

TEST_CASE("model config: the line says which list longrope uses") {
    const ConfigFile file(
        R"({"head_dim": 4, "rope_theta": 1e4, "max_position_embeddings": 131072,
            "original_max_position_embeddings": 4096, "rope_scaling":
            {"type": "su", "short_factor": [1, 1.5], "long_factor": [2, 3]}})");
    CHECK(note_of(file).find("; uses short_factor, since --seq-len 512 is within "
                             "original_max_position_embeddings 4096") != std::string::npos);
    CHECK(note_of(file, "--len 4097")
              .find("; uses long_factor, since --seq-len 4097 is beyond "
                    "original_max_position_embeddings 4096") != std::string::npos);
}
