#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "encodings/encoding.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"
#include "files/gguf_bytes.h"
#include "files/temporary_folder.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

/// Returns a model with heads of 8 channels, of which all turn.
GgufBytes model(const std::string& architecture) {
    GgufBytes file;
    file.text("general.architecture", architecture);
    file.count(architecture + ".context_length", 64);
    file.count(architecture + ".attention.key_length", 8);
    return file;
}

/// A file in a folder of its own.
struct Model {
    explicit Model(const GgufBytes& file) { put(path(), file.bytes()); }

    std::string path() const { return folder.path("m.gguf"); }

    TemporaryFolder folder;
};

/// True if the file has the same table as these settings.
bool is_same(const GgufBytes& file, std::string_view settings, std::string_view more = "",
             std::string_view encoding = "rope") {
    const Model whole(file);
    const Table table = table_of(fmt::format("{} --config {} {}", encoding, whole.path(), more));
    const Table wanted = table_of(fmt::format("{} {} {}", encoding, settings, more));
    return table.shape == wanted.shape &&
           read_rows(table, {0, table.shape.rows()}) == read_rows(wanted, {0, wanted.shape.rows()});
}

/// Returns why the file, or one of its tensors, is refused.
std::string refusal(const GgufBytes& file, std::string_view more = "",
                    std::string_view encoding = "rope") {
    const Model whole(file);
    try {
        table_of(fmt::format("{} --config {} {}", encoding, whole.path(), more));
    } catch (const FormatError& error) {
        const std::string message = error.what();
        const std::string rest = message.substr(message.find("m.gguf:") + 7);
        return rest.starts_with(' ') ? rest.substr(1) : rest;
    }
    return "accepted";
}

std::string note_of(const GgufBytes& file, std::string_view more = "") {
    const Model whole(file);
    const Encoding& rope = *find_encoding("rope");
    Parameters parameters(rope.parameters);
    parameters.set_all(fmt::format("--config {} {}", whole.path(), more), Origin::user);
    const std::string note =
        plan_table(rope, rope.tables.front(), parameters, DType::float32).notes.at(0);
    return note.substr(note.find("m.gguf") + 8);
}

}  // namespace

TEST_CASE("GGUF config: the base, the width and the pairing of the architecture") {
    CHECK(is_same(model("llama"), "--d 8 --pairing interleaved", "--table rotation"));
    CHECK(is_same(model("llama").real("llama.rope.freq_base", 500000),
                  "--d 8 --base 500000 --pairing interleaved", "--table rotation"));
    CHECK(is_same(model("qwen2").count("qwen2.rope.dimension_count", 4), "--d 8 --rotary-dim 4",
                  "--table rotation"));
    // A vector of its own turns beside the 8 channels of a head.
    CHECK(is_same(model("deepseek2")
                      .count("deepseek2.rope.dimension_count", 4)
                      .count("deepseek2.attention.kv_lora_rank", 2),
                  "--d 4"));
    GgufBytes sizes;
    sizes.text("general.architecture", "gptneox").count("gptneox.embedding_length", 96);
    sizes.count("gptneox.attention.head_count", 4).count("gptneox.rope.dimension_count", 6);
    CHECK(is_same(sizes, "--d 24 --rotary-dim 6"));
    CHECK(note_of(model("mine").count("mine.rope.dimension_count", 8)) ==
          "took default of llama.cpp: base 10000, mine.rope.dimension_count 8, "
          "mine.attention.key_length 8; ignored mine.context_length 64; which channels are a pair "
          "is not known for this model: half unless --pairing says otherwise");
}

TEST_CASE("GGUF config: divisors of the frequencies in tensors") {
    const std::vector<float> divisors{1, 1.5F, 2, 8}, others{1, 2, 3, 4};
    const auto list = [](const char* numbers) {
        return fmt::format(
            "--d 8 --scaling longrope --factor 1 --original-max-position-embeddings 64 "
            "--short-factor {} --long-factor {}",
            numbers, numbers);
    };
    const GgufBytes all = model("llama").floats("rope_freqs.weight", {4}, divisors);
    CHECK(is_same(all, list("1,1.5,2,8"), "--len 100"));
    CHECK(note_of(all) ==
          "took general.architecture llama: pairing interleaved, default of llama.cpp: base 10000, "
          "llama.context_length 64, llama.attention.key_length 8, divisors of the frequencies, "
          "rope_freqs.weight as short-factor, rope_freqs.weight as long-factor, default of "
          "llama.cpp: attention-factor 1, llama.context_length 64");
    GgufBytes two = model("phi3")
                        .count("phi3.rope.scaling.original_context_length", 16)
                        .real("phi3.rope.scaling.attn_factor", 1.25F)
                        .floats("rope_factors_long.weight", {4}, others)
                        .floats("rope_factors_short.weight", {4}, divisors);
    const std::string settings =
        "--d 8 --scaling longrope --factor 4 --original-max-position-embeddings 16 --short-factor "
        "1,1.5,2,8 --long-factor 1,2,3,4 --attention-factor 1.25";
    CHECK(is_same(two, settings, "--len 16"));
    CHECK(is_same(two, settings, "--len 17"));
    // The tensor for all lengths comes first.
    CHECK(is_same(two.floats("rope_freqs.weight", {4}, others),
                  "--d 8 --scaling longrope --factor 4 --original-max-position-embeddings 16 "
                  "--short-factor 1,2,3,4 --long-factor 1,2,3,4 --attention-factor 1.25",
                  "--len 16"));
    CHECK(refusal(model("phi3").floats("rope_factors_long.weight", {4}, others)) ==
          "has rope_factors_long.weight without rope_factors_short.weight");
    CHECK(refusal(model("llama").floats("rope_freqs.weight", {3}, {1, 1, 1}))
              .starts_with("rope_freqs.weight as short-factor: --short-factor: 3 numbers; must be "
                           "4"));
    CHECK(refusal(model("llama").floats("rope_freqs.weight", {2, 2}, divisors)) ==
          "rope_freqs.weight: shape (2, 2): must be a divisor for each pair");
    GgufBytes quantized = model("llama");
    quantized.elements = std::string(18, '\0');
    CHECK(refusal(quantized.listed("rope_freqs.weight", {32}, 2, 0))
              .starts_with("rope_freqs.weight: Q4_0 (32): not read; in Python: "));
    GgufBytes both = all;
    CHECK(refusal(both.real("llama.rope.scaling.factor", 8)) ==
          "llama.rope.scaling.factor: 8 beside a tensor of divisors is not read");
}

TEST_CASE("GGUF config: linear, yarn and no scaling") {
    const std::string scaling = "llama.rope.scaling.";
    CHECK(is_same(model("llama").real(scaling + "factor", 4), "--d 8 --scaling linear --factor 4"));
    CHECK(is_same(model("llama").real("llama.rope.scale_linear", 4),
                  "--d 8 --scaling linear --factor 4"));
    CHECK(is_same(model("llama").real(scaling + "factor", 0), "--d 8"));
    CHECK(is_same(model("llama").real(scaling + "factor", 4).text(scaling + "type", "none"),
                  "--d 8"));
    GgufBytes yarn = model("llama").real(scaling + "factor", 4).text(scaling + "type", "yarn");
    const std::string settings = "--d 8 --scaling yarn --factor 4 --beta-fast 8 --beta-slow 2 ";
    yarn.real(scaling + "yarn_beta_fast", 8).real(scaling + "yarn_beta_slow", 2);
    CHECK(is_same(yarn, settings + "--original-max-position-embeddings 64"));
    yarn.count(scaling + "original_context_length", 32);
    CHECK(is_same(yarn, settings + "--original-max-position-embeddings 32"));
    yarn.real(scaling + "yarn_ext_factor", 1).real(scaling + "yarn_attn_factor", 3);
    CHECK(is_same(yarn, settings + "--original-max-position-embeddings 32"));

    const auto with_multiplier = [](const std::string& architecture, float multiplier) {
        const std::string prefix = architecture + ".rope.scaling.";
        GgufBytes file = model(architecture);
        file.real(prefix + "factor", 4).text(prefix + "type", "yarn");
        return file.real(prefix + "yarn_log_multiplier", multiplier);
    };
    const std::string plain =
        "--d 8 --scaling yarn --factor 4 --original-max-position-embeddings 64";
    CHECK(is_same(with_multiplier("deepseek2", 0.0625F), plain + " --attention-factor 1"));
    CHECK(is_same(with_multiplier("mistral3", 1), plain + " --attention-factor 1"));
    CHECK(is_same(with_multiplier("mistral3", 0.5F), plain + " --mscale 1 --mscale-all-dim 0.5"));
    CHECK(is_same(with_multiplier("mistral4", 0.05F), plain + " --mscale 1 --mscale-all-dim 0.5"));
    CHECK(is_same(with_multiplier("llama", 0), plain));

    CHECK(refusal(model("llama").text(scaling + "type", "ntk")) ==
          "llama.rope.scaling.type: 'ntk' is not known; must be none, linear, yarn or longrope");
    CHECK(refusal(model("llama").text(scaling + "type", "longrope")) ==
          "llama.rope.scaling.type: longrope needs rope_factors_short.weight and "
          "rope_factors_long.weight, which the file does not have");
    CHECK(refusal(model("llama").real(scaling + "attn_factor", 2)) ==
          "llama.rope.scaling.attn_factor: 2 without a tensor of divisors is not read");
    CHECK(refusal(yarn.real(scaling + "x", 1)) == "accepted");
    CHECK(refusal(model("llama").real(scaling + "yarn_ext_factor", 0.5F)) ==
          "llama.rope.scaling.yarn_ext_factor: 0.5 is not read with rope.scaling.type linear, only "
          "0");
    CHECK(refusal(model("llama").real(scaling + "factor", -1)) != "accepted");
    CHECK(refusal(model("llama").text("llama.rope.freq_base", "x")) ==
          "llama.rope.freq_base: must be a number, and is \"x\"");
}

TEST_CASE("GGUF config: sections are those of mrope") {
    CHECK(is_same(model("qwen2vl").counts("qwen2vl.rope.dimension_sections", {1, 1, 2, 0}),
                  "--d 8 --base 10000 --sections 1,1,2", "--table cos", "mrope"));
    CHECK(is_same(model("qwen35").counts("qwen35.rope.dimension_sections", {2, 1, 1, 0}),
                  "--d 8 --base 10000 --sections 2,1,1 --order interleaved", "--table cos",
                  "mrope"));
    // With sections, halves turn.
    CHECK(is_same(model("glm4"), "--d 8 --pairing interleaved", "--table rotation"));
    CHECK(is_same(model("glm4").counts("glm4.rope.dimension_sections", {1, 1, 2, 0}), "--d 8",
                  "--table rotation"));
    CHECK(refusal(model("llama"), "", "mrope").starts_with("says nothing about sections"));
    CHECK(refusal(model("llama"), "", "rope-grid") ==
          "is a GGUF model, which has no grid of positions; use pe-gen rope --config or mrope "
          "--config");
}

TEST_CASE("GGUF config: what cannot be told is refused or named") {
    CHECK(refusal(GgufBytes()) ==
          "has no general.architecture: it is no model, or not the first part of one");
    CHECK(refusal(model("bloom")) ==
          "general.architecture bloom: llama.cpp gives it no rotary positions");
    CHECK(refusal(model("mine")) ==
          "general.architecture mine: not known, and it has no key mine.rope...");
    CHECK(refusal(model("baichuan").count("baichuan.block_count", 40)) ==
          "general.architecture baichuan, block_count 40: it has ALiBi");
    CHECK(refusal(model("baichuan").count("baichuan.block_count", 32)) == "accepted");
    CHECK(refusal(model("llama"), "--layer-type full_attention") ==
          "--layer-type full_attention: a GGUF file has one table, of layers with full attention");
    GgufBytes sizeless;
    sizeless.text("general.architecture", "llama").counts("llama.attention.head_count", {4, 8});
    sizeless.count("llama.embedding_length", 64);
    CHECK(refusal(sizeless) ==
          "llama.embedding_length: does not say the size of a head: needs rope.dimension_count, "
          "attention.key_length, or embedding_length and one attention.head_count");
    CHECK(note_of(model("gemma3")
                      .real("gemma3.rope.freq_base_swa", 500)
                      .real("gemma3.rope.surprise", 1)
                      .count("split.count", 2))
              .ends_with("; not known, and may change the table: gemma3.rope.surprise, "
                         "split.count; layers with a sliding window have rope.freq_base_swa 500, "
                         "and this is the table of the others"));
}
