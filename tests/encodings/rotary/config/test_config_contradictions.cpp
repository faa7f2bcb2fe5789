#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <string>

#include "encodings/rotary/config/config_file.h"
#include "encodings/table_of.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

/// Returns a model of four layers with heads of 128 channels and these keys.
std::string with(std::string_view keys) {
    return fmt::format(R"({{"hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 4,
                            "max_position_embeddings": 4096, "vocab_size": 1000, {}}})",
                       keys);
}

std::string refused(std::string_view keys, std::string_view more = "") {
    return refusal(with(keys), more);
}

std::string settings(std::string_view keys, std::string_view more = "") {
    return settings_of(ConfigFile(with(keys)), more);
}

std::string note(std::string_view keys, std::string_view more = "") {
    return note_of(ConfigFile(with(keys)), more);
}

bool doubts(std::string_view keys) {
    return note(keys).find("; not known, and may change the table: ") != std::string::npos;
}

}  // namespace

TEST_CASE("model config: rope_scaling beside rope_parameters says the same or is refused") {
    constexpr std::array<std::array<const char*, 3>, 8> blocks{{
        {R"("type": "linear", "factor": 4)", R"("rope_type": "default")", "rope_type default"},
        {R"("type": "linear", "factor": 4)", R"("rope_theta": 10000)", "rope_type default"},
        {R"("rope_type": "yarn", "factor": 4)", R"("type": "linear", "factor": 4)",
         "rope_type linear"},
        {R"("rope_type": "default")", R"("rope_type": "linear", "factor": 4)", "rope_type linear"},
        {R"("type": "linear", "factor": 4)", R"("rope_type": "linear", "factor": 8)", "factor"},
        {R"("type": "linear", "factor": 4)", R"("rope_type": "linear", "factor": 4.0)", ""},
        {R"("type": "mrope", "mrope_section": [1])", R"("rope_type": "default")", ""},
        {"", R"("rope_type": "linear", "factor": 4)", ""},
    }};
    for (const auto& block : blocks) {
        const char *const old = block[0], *const now = block[1], *const what = block[2];
        CAPTURE(old);
        CAPTURE(now);
        const std::string expected =
            *what ? fmt::format("rope_parameters: {} contradicts rope_scaling; remove one of them",
                                what)
                  : "accepted";
        CHECK(refused(fmt::format(
                  R"("model_type": "llama", "rope_scaling": {{{}}}, "rope_parameters": {{{}}})",
                  old, now)) == expected);
        // Transformers applies rope_scaling to the layers with full attention.
        const std::string by_layer = fmt::format(
            R"("model_type": "gemma3_text", "head_dim": 128, "rope_scaling": {{{}}},
               "rope_parameters": {{"full_attention": {{{}}}, "sliding_attention": {{}}}})",
            old, now);
        for (const char* type : {"full_attention", "sliding_attention"}) {
            CHECK(refused(by_layer, fmt::format("--layer-type {}", type)) == expected);
        }
    }
    CHECK(note(R"("model_type": "llama", "rope_scaling": {"type": "yarn", "factor": 4,
                  "beta_fast": 16}, "rope_parameters": {"rope_type": "yarn", "factor": 4})")
              .find("rope_scaling.beta_fast, since rope_parameters has no beta_fast") !=
          std::string::npos);
    CHECK(refused(R"("rope_theta": 1e4, "rope_scaling": {"full_attention": {"rope_theta": 5}},
                     "rope_parameters": {"rope_type": "default"})") ==
          "rope_parameters: without full_attention contradicts rope_scaling; remove one of them");
}

TEST_CASE("model config: a base of some layers beside another in their own object") {
    constexpr std::array<std::array<const char*, 3>, 6> keys{
        {{"gemma3_text", "rope_local_base_freq", "sliding_attention"},
         {"modernbert", "local_rope_theta", "sliding_attention"},
         {"modernbert", "global_rope_theta", "full_attention"},
         {"mimo_v2_flash", "swa_rope_theta", "sliding_attention"},
         {"novel", "full_rope_theta", "full_attention"},
         {"novel", "compress_rope_theta", "compress"}}};
    for (const auto& row : keys) {
        const char *const model = row[0], *const key = row[1], *const layers = row[2];
        CAPTURE(key);
        const auto file = [&](int base) {
            return fmt::format(R"("model_type": "{}", "head_dim": 128, "{}": 50000,
                                  "rope_parameters": {{"{}": {{"rope_theta": {}}}, "other":
                                  {{"rope_theta": 3}}}})",
                               model, key, layers, base);
        };
        const std::string more = fmt::format("--layer-type {}", layers);
        CHECK(refused(file(10000), more) ==
              fmt::format("{}: 50000 contradicts rope_parameters.{}.rope_theta 10000; remove one "
                          "of them",
                          key, layers));
        CHECK(settings(file(50000), more).find("base=50000") != std::string::npos);
    }
}

TEST_CASE("model config: a base of some layers that is that of the others, which no key gives") {
    for (const char* const key : {"rope_local_base_freq", "swa_rope_theta", "full_rope_theta"}) {
        CAPTURE(key);
        const auto file = [&](int base) {
            return fmt::format(R"("model_type": "novel", "head_dim": 128, "{}": {})", key, base);
        };
        CHECK(settings(file(10000)) == "");
        CHECK(refused(file(10001)).find("--layer-type") != std::string::npos);
    }
}

TEST_CASE("model config: models that are rotary only if a key says so") {
    struct Model {
        const char* type;
        const char* key;
        const char* yes;
        const char* no;
        bool is_default;
    };
    constexpr std::array models{
        Model{"esm", "position_embedding_type", R"("rotary")", R"("absolute")", false},
        Model{"xlm-roberta-flash", "position_embedding_type", R"("rotary")", R"("absolute")",
              false},
        Model{"new", "position_embedding_type", R"("rope")", R"("absolute")", true},
        Model{"granitemoehybrid", "position_embedding_type", R"("rope")", R"("none")", false},
        Model{"zamba2", "use_mem_rope", "true", "null", false}};
    for (const Model& model : models) {
        CAPTURE(model.type);
        const std::string type =
            fmt::format(R"("model_type": "{}", "rope_theta": 1e4)", model.type);
        const auto value = [&](const char* text) {
            return refused(fmt::format(R"({}, "{}": {})", type, model.key, text));
        };
        const std::string rule = fmt::format("{}: {} has ", model.key, model.type);
        CHECK(value(model.yes) == "accepted");
        CHECK_FALSE(doubts(fmt::format(R"({}, "{}": {})", type, model.key, model.yes)));
        CHECK(value(model.no).starts_with(rule));
        for (const std::string& missing : {refused(type), value("null")}) {
            if (model.is_default) {
                CHECK(missing == "accepted");
            } else {
                CHECK(missing.starts_with(rule));
            }
        }
    }
    const auto olmo = [](const char* keys) {
        return refused(fmt::format(R"("model_type": "olmo_hybrid", {})", keys));
    };
    CHECK(olmo(R"("rope_parameters": null, "rope_theta": null)") ==
          "rope_theta: null: the model has no rotary positions");
    CHECK(olmo(R"("rope_parameters": {"rope_theta": null}, "rope_theta": 5)") ==
          "rope_parameters.rope_theta: null: the model has no rotary positions");
    CHECK(olmo(R"("rope_parameters": null, "rope_theta": 5e5)") == "accepted");
    CHECK(olmo(R"("rope_parameters": {"rope_theta": 5e5}, "rope_theta": null)") == "accepted");
    CHECK(olmo(R"("rope_parameters": null)") == "accepted");
}

TEST_CASE("model config: position_embedding_type of a model that is not known") {
    const auto keys = [](const char* model, const char* type) {
        return fmt::format(
            R"("model_type": "{}", "rope_theta": 1e4, "position_embedding_type": {})", model, type);
    };
    for (const char* type : {R"("rope")", R"("rotary")", R"("rope_gptj")", R"("mrope")", "null"}) {
        CAPTURE(type);
        CHECK_FALSE(doubts(keys("novel", type)));
    }
    for (const char* type :
         {R"("absolute")", R"("xpos")", R"("rpe")", R"("t5")", R"("fire")", R"("kerple")",
          R"("yarn")", R"("rotary_2d")", R"("rotary_xpos")", R"("")", "7", "{}"}) {
        CAPTURE(type);
        CHECK(doubts(keys("novel", type)));
        CHECK_FALSE(doubts(keys("llama", type)));
    }
    CHECK(refused(keys("roberta", R"("absolute")")) ==
          "position_embedding_type: absolute is not rotary; the model has learned positions: "
          "pe-gen learned --len 4096 --d 4096");
    for (const char* key : {"pos_emb_type", "pos_encoding_type", "positional_embedding"}) {
        CHECK(doubts(fmt::format(R"("model_type": "novel", "rope_theta": 5, "{}": "fire")", key)));
        CHECK_FALSE(
            doubts(fmt::format(R"("model_type": "novel", "rope_theta": 5, "{}": "rope")", key)));
    }
}

TEST_CASE("model config: a switch that says what is the case is no news") {
    for (const char* keys :
         {R"("model_type": "olmo", "rope": true)",
          R"("model_type": "hunyuan_v1_dense", "use_rotary_pos_emb": true)",
          R"("model_type": "qwen2", "use_mrope": false)",
          R"("model_type": "zamba2", "use_mem_rope": true)",
          R"("model_type": "novel", "rope_theta": 5, "nope": false, "alibi": false)"}) {
        CAPTURE(keys);
        CHECK_FALSE(doubts(keys));
    }
    for (const char* key :
         {"use_mrope", "use_xpos", "alibi_bias_max", "freq_base", "ntk_alpha", "xpos_scale"}) {
        CAPTURE(key);
        CHECK(doubts(fmt::format(R"("model_type": "novel", "rope_theta": 5, "{}": true)", key)));
    }
}

TEST_CASE("model config: heads of Zamba2 are of twice the width") {
    const char* const zamba = R"("model_type": "zamba2", "use_mem_rope": true)";
    CHECK(settings(zamba) == "d=256");
    CHECK(settings(fmt::format(R"({}, "kv_channels": 128)", zamba)) == "d=256");
    CHECK(note(fmt::format(R"({}, "kv_channels": 128)", zamba)).find("ignored kv_channels") !=
          std::string::npos);
    CHECK(settings(fmt::format(R"({}, "attention_head_dim": 160)", zamba)) == "d=160");
}

TEST_CASE("model config: two keys for one thing") {
    const char* const linear =
        R"("rope_theta": 5, "rope_scaling": {"type": "linear", "factor": 2})";
    for (const auto& [key, other] :
         {std::pair{"use_scaled_rope", R"("use_scaled_rope": true)"},
          {"yarn", R"("yarn": {"factor": 2, "original_max_position_embeddings": 9})"},
          {"rotary.type", R"("rotary": {"type": "dynamic"})"}}) {
        CHECK(refused(fmt::format("{}, {}", linear, other)) ==
              fmt::format("{}: contradicts rope_scaling.type linear; remove one of them", key));
    }
    CHECK(refused(R"("rope_theta": 5, "rope_interleave": true, "rotary_emb_interleaved": false)") ==
          "rotary_emb_interleaved: false contradicts rope_interleave true; remove one of them");
    CHECK(refused(R"("rope_theta": 5, "rope_interleave": true, "rotary_emb_interleaved": true)") ==
          "accepted");
    CHECK(note(R"("rope_theta": 5, "head_dim": 64, "attention_head_dim": 64, "kv_channels": 32)")
              .find("ignored kv_channels, since head_dim is there") != std::string::npos);
}

TEST_CASE("model config: another model in the file is named") {
    const ConfigFile omni(
        R"({"model_type": "qwen2_5_omni", "thinker_config": {"text_config": {"head_dim": 128,
            "rope_theta": 1e6}}, "talker_config": {"head_dim": 64, "rope_theta": 5}, "vocoder":
            {"inner": {"head_dim": 8, "rope_theta": 3}}})");
    CHECK(settings_of(omni) == "base=1e+06");
    CHECK(note_of(omni).find("ignored talker_config, a model of its own with rotary positions, "
                             "vocoder.inner, a model of its own with rotary positions") !=
          std::string::npos);
}

TEST_CASE("model config: models of which no layer turns") {
    const char* const full =
        R"("layer_types": ["full_attention", "full_attention", "full_attention", "full_attention"])";
    for (const char* model : {"cohere2", "exaone4", "afmoe", "llama4_text"}) {
        CAPTURE(model);
        CHECK(refused(fmt::format(R"("model_type": "{}", "sliding_window": 8, {})", model, full))
                  .starts_with("layer_types: only layers of type "));
    }
    CHECK(refused(fmt::format(R"("model_type": "cohere2", "sliding_window": null, {})", full)) !=
          "accepted");
    CHECK(refused(fmt::format(R"("model_type": "exaone4", "sliding_window": null, {})", full)) ==
          "accepted");
    for (const char* model : {"smollm3", "llama4_text"}) {
        const std::string keys = fmt::format(R"("model_type": "{}", {})", model, full);
        CHECK(refused(fmt::format(R"({}, "no_rope_layers": [0, 0, 0, 0])", keys)) ==
              "no_rope_layers: is 0 for every layer: the model has no rotary positions");
        CHECK(refused(fmt::format(R"({}, "no_rope_layers": [0, 0, 1, 0])", keys)) == "accepted");
    }
}

TEST_CASE("model config: layers by their number") {
    struct Model {
        const char* keys;
        const char* rotated;    ///< layers with the settings of the first; "" if the first differs
        const char* unrotated;  ///< layers that are refused
    };
    constexpr std::array models{
        Model{R"("model_type": "cohere2", "sliding_window_pattern": 4)", "012", "3"},
        Model{R"("model_type": "cohere2", "layer_types": ["sliding_attention", "full_attention",
                 "sliding_attention", "full_attention"])",
              "02", "13"},
        Model{R"("model_type": "smollm3", "no_rope_layers": [1, 0, 1, 0])", "02", "13"},
        Model{R"("model_type": "smollm3", "no_rope_layer_interval": 2)", "02", "13"},
        Model{R"("model_type": "smollm3", "no_rope_layers": [])", "012", "3"},
        Model{R"("model_type": "llama4_text", "no_rope_layers": [1, 0, 0, 1])", "03", "12"},
        Model{R"("model_type": "llama4_text", "no_rope_layers": [1, 1, 1, 0], "layer_types":
                 ["chunked_attention", "chunked_attention", "chunked_attention",
                  "full_attention"])",
              "012", "3"}};
    for (const Model& model : models) {
        CAPTURE(model.keys);
        CHECK_FALSE(doubts(model.keys));
        const auto of_layer = [&](char number) {
            return refused(model.keys, fmt::format("--layer-type {}", number));
        };
        for (const char* layer = model.rotated; *layer; ++layer) {
            CHECK(of_layer(*layer) == "accepted");
        }
        for (const char* layer = model.unrotated; *layer; ++layer) {
            CHECK(of_layer(*layer).ends_with(
                fmt::format(": layer {} has no rotary positions", *layer)));
        }
        CHECK(of_layer('4') ==
              "num_hidden_layers: the layers are 0 to 3, and --layer-type 4 was "
              "given");
    }
    const char* const gemma =
        R"("model_type": "gemma3_text", "head_dim": 128, "sliding_window_pattern": 2,
           "rope_scaling": {"rope_type": "linear", "factor": 8})";
    for (const char* number : {"0", "2"}) {
        CHECK(settings(gemma, fmt::format("--layer-type {}", number)) == "");
    }
    for (const char* number : {"1", "3"}) {
        CHECK(settings(gemma, fmt::format("--layer-type {}", number)) ==
              "base=1e+06 scaling=linear factor=8");
    }
    CHECK(refused(R"("model_type": "gemma3_text")", "--layer-type 1")
              .starts_with("does not say of what type layer 1 is"));
    for (const char* type : {"full_attention", "sliding_attention"}) {
        const ConfigFile bert(with(R"("model_type": "modernbert", "global_rope_theta": 160000,
                                      "local_rope_theta": 10000)"));
        CHECK(note_of(bert, fmt::format("--layer-type {}", type)).find("not known") ==
              std::string::npos);
    }
}

TEST_CASE("model config: a list has a value for each layer") {
    for (const char* key : {"rope_theta", "partial_rotary_factors", "layer_rope_theta"}) {
        for (const char* list : {"[0.5, 1]", "[1, 1]", "[1, 1, 1]"}) {
            const std::string keys = fmt::format(R"("model_type": "novel", "{}": {})", key, list);
            CHECK(refused(keys, "--layer-type 0")
                      .starts_with(fmt::format("{}: has {} values for 4 layers", key,
                                               std::string_view(list).size() / 3)));
        }
    }
    CHECK(refused(R"("rope_theta": [5, 5, 5, 5, 7])", "--layer-type 0") == "accepted");
}
