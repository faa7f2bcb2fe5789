#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/folder.h"
#include "core/dtype.h"
#include "encodings/npy_file.h"
#include "files/array_file.h"
#include "files/zip_bytes.h"

using namespace pegen;
using namespace std::string_literals;
using pegen::testing::Folder;
using pegen::testing::put;
using pegen::testing::zip_of;
using Json = nlohmann::json;

namespace {

/// An array of a model, and the arguments of pe-gen that make it.
struct Weight {
    std::string name;
    std::string arguments;
    std::string shape = "";  ///< "" for the table's
};

const char* const drawn = "learned --init normal:0,0.02 --seed 123456789";

/// Writes the arrays as a safetensors file.
void write_model(const Folder& folder, const std::string& file,
                 const std::vector<Weight>& weights) {
    std::string header, elements;
    for (const auto& [name, arguments, shape] : weights) {
        folder.make(arguments + " --npy array.npy");
        const Table table = read_array(folder.path("array.npy"));
        const std::size_t begin = elements.size();
        elements.resize(begin + total_bytes(table));
        table.rows({0, table.shape.rows()},
                   std::as_writable_bytes(std::span(elements).subspan(begin)));
        header += fmt::format(R"({}"{}":{{"dtype":"{}","shape":{},"data_offsets":[{},{}]}})",
                              header.empty() ? '{' : ',', name, info(table.dtype).safetensors,
                              shape.empty() ? Json(table.shape.extents()).dump() : shape, begin,
                              elements.size());
    }
    header += '}';
    std::ofstream out(folder.path(file), std::ios::binary);
    for (std::size_t i = 0, size = header.size(); i < 8; ++i, size >>= 8) {
        out.put(static_cast<char>(size & 255));
    }
    out << header << elements;
}

void write_config(const Folder& folder, const std::string& json) {
    std::ofstream(folder.path("config.json")) << json;
}

/// Returns the report on a model.
std::string report(const Folder& folder, int status) {
    const ProgramRun run = folder.run("identify model.safetensors");
    CHECK(run.status == status);
    CHECK(run.errors == "");
    return run.output;
}

const char* const llama_config =
    R"({"model_type": "llama", "hidden_size": 256, "num_attention_heads": 4, "rope_theta": 500000})";

}  // namespace

TEST_CASE("identify: a llama whose frequencies were saved with another base") {
    const Folder folder;
    std::vector<Weight> weights{
        {"model.embed_tokens.weight", std::string(drawn) + " --len 50 --d 256"}};
    for (const int layer : {0, 1, 2}) {
        const std::string name = fmt::format("model.layers.{}.self_attn.", layer);
        weights.push_back({name + "q_proj.weight", std::string(drawn) + " --len 256 --d 256"});
        weights.push_back({name + "rotary_emb.inv_freq", "rope --d 64 --table inv-freq"});
    }
    write_model(folder, "model.safetensors", weights);
    write_config(folder, llama_config);
    CHECK(report(folder, 1) ==
          R"(model       model.safetensors, safetensors, 7 arrays, of which 3 may be positions
config      config.json: rotary positions of llama
            pe-gen rope --d 64 --base 5e+05

array       model.layers.0.self_attn.rotary_emb.inv_freq, (32,) float32; 2 more with the same values, to model.layers.2.self_attn.rotary_emb.inv_freq
made by     pe-gen rope --table inv-freq --d 64; every value is the same
also called gemma, gemma3-local, llama, meta-llama, phi3, roformer, sinusoid --table frequencies
config      differs: base 10000, where the configuration says rope_theta 500000
)");
    CHECK(folder.make("rope --config . --len 3 -q") ==
          folder.make("rope --config config.json --len 3 -q"));
    CHECK(folder.make("describe --config .").find("rotary positions of llama") !=
          std::string::npos);
    const Json json = Json::parse(folder.run("identify model.safetensors --json").output);
    CHECK(json["schema"] == "pe-gen/identify-model/1");
    CHECK(json["config"]["commands"] == Json{"pe-gen rope --d 64 --base 5e+05"});
    CHECK(json["arrays"].size() == 1);
    CHECK(json["arrays"][0]["names"].size() == 3);
    CHECK(json["arrays"][0]["config"] == "differs");
    CHECK(folder.run("identify -q model.safetensors").output == "");
}

TEST_CASE("identify: a model's tables that its configuration asks for") {
    const Folder folder;
    write_config(folder, llama_config);
    write_model(folder, "model.safetensors",
                {{"inv_freq", "rope --d 64 --base 500000 --table inv-freq"},
                 {"cos_sin_cached", "rope --d 64 --base 500000 --len 9 --table cos-sin"},
                 {"freqs_cos", "rope --d 64 --base 500000 --len 9 --layout single"}});
    CHECK(report(folder, 0) ==
          R"(model       model.safetensors, safetensors, 3 arrays, of which 3 may be positions
config      config.json: rotary positions of llama
            pe-gen rope --d 64 --base 5e+05

array       inv_freq, (32,) float32
made by     pe-gen rope --table inv-freq --d 64 --base 500000; every value is the same
also called llama3, sinusoid --table frequencies --base 500000
config      agrees: the values of pe-gen rope --d 64 --base 5e+05 --table inv-freq

array       cos_sin_cached, (9, 64) float32
made by     pe-gen rope --table cos-sin --len 9 --d 64 --base 500000; every value is the same
also called llama3, sinusoid --base 500000 --layout halves --first cos
config      agrees: the values of pe-gen rope --d 64 --base 5e+05 --table cos-sin

array       freqs_cos, (9, 32) float32
made by     pe-gen rope --len 9 --d 64 --base 500000 --layout single; every value is the same
also called llama3 --layout single, meta-llama --base 5e+05, roformer --base 5e+05
config      agrees: the values of pe-gen rope --d 64 --base 5e+05 --layout single
)");
}

TEST_CASE("identify: a BERT of two rows more than its configuration has") {
    const Folder folder;
    write_config(folder,
                 R"({"model_type": "bert", "hidden_size": 64, "max_position_embeddings": 80})");
    write_model(
        folder, "model.safetensors",
        {{"bert.embeddings.position_embeddings.weight", std::string(drawn) + " --len 82 --d 64"},
         {"bert.embeddings.position_ids", "shaw --len 1 --key-len 82 --max-distance 81",
          "[1, 82]"}});
    CHECK(report(folder, 1) ==
          R"(model       model.safetensors, safetensors, 2 arrays, of which 2 may be positions
config      config.json: bert has learned positions
            pe-gen bert --len 80 --d 64

array       bert.embeddings.position_embeddings.weight, (82, 64) float32
made by     random numbers, normal with mean 0 and deviation 0.02, as before training
config      differs: 82 rows, where pe-gen bert --len 80 --d 64 has 80

array       bert.embeddings.position_ids, (1, 82) int64
made by     pe-gen index --len 82; every value is the same
)");
}

TEST_CASE("identify: the bias of a T5 is random before training") {
    const Folder folder;
    write_config(folder, R"({"model_type": "t5", "num_heads": 8})");
    const std::string name = "coder.block.0.layer.0.SelfAttention.relative_attention_bias.weight";
    write_model(folder, "model.safetensors",
                {{"en" + name, std::string(drawn) + " --len 32 --d 8"},
                 {"de" + name, "learned --init normal:0,0.02 --seed 987654321 --len 32 --d 12"}});
    CHECK(report(folder, 1) ==
          R"(model       model.safetensors, safetensors, 2 arrays, of which 2 may be positions
config      config.json: t5 has buckets of distances
            pe-gen t5 --heads 8 --num-buckets 32 --max-distance 128
            pe-gen t5-decoder --heads 8 --num-buckets 32 --max-distance 128

array       encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight, (32, 8) float32
made by     random numbers, normal with mean 0 and deviation 0.02, as before training
config      agrees: the buckets and heads of pe-gen t5 --heads 8 --num-buckets 32 --max-distance 128

array       decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight, (32, 12) float32
made by     random numbers, normal with mean 0 and deviation 0.02, as before training
config      differs: 32 buckets and 12 heads, where pe-gen t5 --heads 8 --num-buckets 32 --max-distance 128 has 32 and 8
)");
}

TEST_CASE("identify: a model whose configuration cannot be read is still looked at") {
    const Folder folder;
    write_model(folder, "model.safetensors",
                {{"inv_freq", "rope --d 8 --table inv-freq"}, {"wpe", "sinusoid --d 8 --len 9"}});
    std::filesystem::create_symlink("config.json", folder.path("config.json"));
    CHECK(folder.run("identify .").output.find("config.json: not read; no regular file") !=
          std::string::npos);
    std::filesystem::remove(folder.path("config.json"));
    std::filesystem::create_directory(folder.path("config.json"));
    CHECK(folder.run("identify .").output.find("config.json: not read; no regular file") !=
          std::string::npos);
}

TEST_CASE("identify: the index and the biases of a Swin") {
    const Folder folder;
    write_config(folder, R"({"model_type": "swin", "window_size": 7, "num_heads": [3, 6]})");
    std::vector<Weight> weights;
    for (const int block : {0, 1}) {
        const std::string name = fmt::format("layers.0.blocks.{}.attn.relative_position_", block);
        weights.push_back(
            {name + "bias_table",
             fmt::format("learned --init normal:0,0.02 --seed 12345{} --len 169 --d 3", block)});
        weights.push_back({name + "index", "swin --height 7 --width 7"});
    }
    write_model(folder, "model.safetensors", weights);
    CHECK(report(folder, 0) ==
          R"(model       model.safetensors, safetensors, 4 arrays, of which 4 may be positions
config      config.json: swin has a bias of the offsets in a window, here of the first stage
            pe-gen swin --height 7 --width 7 --heads 3

array       layers.0.blocks.0.attn.relative_position_bias_table, (169, 3) float32; 1 more of this name and shape, not looked at
made by     random numbers, normal with mean 0 and deviation 0.02, as before training
config      agrees: the extents of pe-gen swin --height 7 --width 7 --heads 3 --table table

array       layers.0.blocks.0.attn.relative_position_index, (49, 49) int64; 1 more with the same values, to layers.0.blocks.1.attn.relative_position_index
made by     pe-gen swin --height 7 --width 7; every value is the same
config      agrees: the values of pe-gen swin --height 7 --width 7 --heads 3
)");
}

TEST_CASE("identify: the sinusoids of an MAE and the random numbers of a DETR") {
    const Folder folder;
    write_model(
        folder, "model.safetensors",
        {{"pos_embed", "mae --height 4 --width 4 --d 32 --prefix-rows 1", "[1, 17, 32]"},
         {"decoder_pos_embed", "mae --height 4 --width 4 --d 16 --prefix-rows 1", "[1, 17, 16]"},
         {"row_embed.weight", "learned --init uniform:0,1 --seed 123456789 --len 50 --d 32"},
         {"patch_embed.proj.bias", std::string(drawn) + " --len 1 --d 32"}});
    CHECK(report(folder, 0) ==
          R"(model       model.safetensors, safetensors, 4 arrays, of which 3 may be positions

array       pos_embed, (1, 17, 32) float32
made by     pe-gen grid --height 4 --width 4 --d 32 --order afk --axes xy --prefix-rows 1; every value is the same
also called aimv2 --prefix-rows 1, diffusers-2d --prefix-rows 1, mae --prefix-rows 1

array       decoder_pos_embed, (1, 17, 16) float32
made by     pe-gen grid --height 4 --width 4 --d 16 --order afk --axes xy --prefix-rows 1; every value is the same
also called aimv2 --prefix-rows 1, diffusers-2d --prefix-rows 1, mae --prefix-rows 1

array       row_embed.weight, (50, 32) float32
made by     random numbers, uniform from 0 to 1, as before training
)");
}

TEST_CASE("identify: whole numbers of no rule are not called trained") {
    const Folder folder;
    std::string numbers;
    for (const char digit : "\3\1\4\1\5\7\2"s) numbers += digit + std::string(7, '\0');
    put(folder.path("m.npz"),
        zip_of({{"position_ids.npy", npy_file("<i8", "False", "(7,)", numbers)},
                {"other.npy", npy_file("<i8", "False", "(7,)", numbers)}}));
    CHECK(folder.run("identify m.npz")
              .output.find("made by     whole numbers of no rule that is known\n") !=
          std::string::npos);
}

TEST_CASE("identify: arrays without such names, few and many") {
    const Folder folder;
    std::vector<Weight> weights{{"a", "sinusoid --len 20 --d 16"},
                                {"b", "alibi --heads 8 --table slopes"}};
    write_model(folder, "model.safetensors", weights);
    CHECK(report(folder, 0) ==
          R"(model       model.safetensors, safetensors, 2 arrays, of which 2 may be positions

array       a, (20, 16) float32
made by     pe-gen sinusoid --len 20 --d 16; every value is the same
also called vaswani, jadore, keras, tatp22-1d

array       b, (8,) float32
made by     pe-gen alibi --table slopes; every value is the same
also called attention-gym, gpt-neox-alibi, labml-alibi, press, x-transformers-alibi
)");
    for (int i = 0; i < 7; ++i) weights.push_back({fmt::format("c{}", i), "index --len 3"});
    write_model(folder, "model.safetensors", weights);
    CHECK(report(folder, 1) ==
          "model       model.safetensors, safetensors, 9 arrays, of which 0 may be positions\n");
}
