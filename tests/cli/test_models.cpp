#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/help/search.h"
#include "core/error.h"
#include "core/names.h"
#include "core/shape.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"
#include "program.h"

using namespace pegen;
using namespace pegen::cli;

namespace {

/// Returns the command that a search names first, or why there is no table.
std::string first_command(std::string_view text) {
    try {
        return std::string(search_names(text).front().command);
    } catch (const UsageError& error) {
        const std::string message = error.what();
        return message.ends_with("there is no table") ? "no table" : message;
    }
}

/// A name as users copy it, and the command whose table that model has.
struct Wanted {
    const char* name;
    const char* command;
};

// The hundred: by downloads from the hub, and by what its tags are named after.
constexpr std::array hundred{
    // Text encoders and embeddings
    Wanted{"sentence-transformers/all-MiniLM-L6-v2", "bert"},
    Wanted{"google-bert/bert-base-uncased", "bert"},
    Wanted{"sentence-transformers/all-mpnet-base-v2", "bert --len 514 --padding-row 1"},
    Wanted{"sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2", "bert"},
    Wanted{"cross-encoder/ms-marco-MiniLM-L6-v2", "bert"},
    Wanted{"FacebookAI/xlm-roberta-base", "bert --len 514 --padding-row 1"},
    Wanted{"FacebookAI/roberta-large", "bert --len 514 --padding-row 1"},
    Wanted{"distilbert/distilbert-base-uncased", "bert"},
    Wanted{"google/electra-base-discriminator", "bert"},
    Wanted{"BAAI/bge-small-en-v1.5", "bert"},
    Wanted{"BAAI/bge-m3", "bert --len 514 --padding-row 1"},
    Wanted{"BAAI/bge-reranker-v2-m3", "bert --len 514 --padding-row 1"},
    Wanted{"intfloat/multilingual-e5-large", "bert --len 514 --padding-row 1"},
    Wanted{"intfloat/e5-base-v2", "bert"},
    Wanted{"thenlper/gte-large", "bert"},
    Wanted{"Alibaba-NLP/gte-multilingual-base", by_config.data()},
    Wanted{"nomic-ai/nomic-embed-text-v1.5", "rope --d 64 --base 1000"},
    Wanted{"jinaai/jina-embeddings-v2-base-en", "x-transformers-alibi --heads 12"},
    Wanted{"jinaai/jina-embeddings-v3", by_config.data()},
    Wanted{"mixedbread-ai/mxbai-embed-large-v1", "bert"},
    Wanted{"Qwen/Qwen3-Embedding-0.6B", "qwen2"},
    Wanted{"google/embeddinggemma-300m", "gemma3 --scaling none"},
    Wanted{"answerdotai/ModernBERT-base", "rope --d 64 --base 160000"},
    Wanted{"microsoft/deberta-v3-base", "deberta-v2"},
    Wanted{"albert/albert-base-v2", "bert --d 128"},
    Wanted{"almanach/camembert-base", "bert --len 514 --padding-row 1"},
    Wanted{"allenai/longformer-base-4096", "bert --len 4098 --padding-row 1"},
    Wanted{"ProsusAI/finbert", "bert"},
    Wanted{"google-bert/bert-base-chinese", "bert"},
    // Language models
    Wanted{"openai-community/gpt2", "gpt2"},
    Wanted{"distilbert/distilgpt2", "gpt2"},
    Wanted{"openai/gpt-oss-20b", "gpt-oss"},
    Wanted{"meta-llama/Llama-3.1-8B-Instruct", "llama3.1"},
    Wanted{"meta-llama/Meta-Llama-3-8B-Instruct", "llama3"},
    Wanted{"meta-llama/Llama-3.2-1B-Instruct", "llama3.2"},
    Wanted{"meta-llama/Llama-2-7b-hf", "llama"},
    Wanted{"meta-llama/Llama-4-Scout-17B-16E-Instruct", "llama4"},
    Wanted{"TinyLlama/TinyLlama-1.1B-Chat-v1.0", "llama --d 64"},
    Wanted{"mistralai/Mistral-7B-Instruct-v0.2", "mistral"},
    Wanted{"mistralai/Mixtral-8x7B-Instruct-v0.1", "mistral"},
    Wanted{"mistralai/Mistral-7B-v0.1", "llama"},
    Wanted{"Qwen/Qwen2.5-7B-Instruct", "qwen2"},
    Wanted{"Qwen/Qwen3-0.6B", "qwen2"},
    Wanted{"Qwen/Qwen3.5-35B-A3B", by_config.data()},
    Wanted{"Qwen/Qwen2.5-VL-7B-Instruct", "qwen2.5-vl"},
    Wanted{"Qwen/Qwen3-VL-2B-Instruct", "qwen3-vl"},
    Wanted{"deepseek-ai/DeepSeek-R1", "deepseek"},
    Wanted{"deepseek-ai/DeepSeek-V3.1", "deepseek"},
    Wanted{"deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", by_config.data()},
    Wanted{"google/gemma-2-2b-it", "gemma"},
    Wanted{"google/gemma-3-4b-it", "gemma3"},
    Wanted{"google/gemma-4-31B-it", by_config.data()},
    Wanted{"microsoft/phi-2", "phi2"},
    Wanted{"microsoft/Phi-4", by_config.data()},
    Wanted{"tiiuae/falcon-7b", "llama --d 64"},
    Wanted{"bigscience/bloom-560m", "bloom"},
    Wanted{"mosaicml/mpt-7b", "mpt"},
    Wanted{"facebook/opt-125m", "bart --len 2050 --d 768"},
    Wanted{"EleutherAI/pythia-70m", by_config.data()},
    Wanted{"EleutherAI/gpt-neo-1.3B", "gpt2 --len 2048 --d 2048"},
    Wanted{"HuggingFaceTB/SmolLM2-135M", by_config.data()},
    Wanted{"moonshotai/Kimi-K2-Instruct", by_config.data()},
    Wanted{"zai-org/GLM-4.5-Air", by_config.data()},
    // Encoders and decoders
    Wanted{"google-t5/t5-small", "t5"},
    Wanted{"google/flan-t5-base", "t5"},
    Wanted{"google/mt5-base", "t5"},
    Wanted{"facebook/bart-large-mnli", "bart"},
    Wanted{"facebook/mbart-large-50", "bart"},
    Wanted{"facebook/nllb-200-distilled-600M", "fairseq --d 1024"},
    Wanted{"Helsinki-NLP/opus-mt-en-de", "hf-marian"},
    Wanted{"amazon/chronos-t5-small", "t5"},
    // Images
    Wanted{"openai/clip-vit-base-patch32", "clip-vision"},
    Wanted{"openai/clip-vit-large-patch14", "clip-vision"},
    Wanted{"laion/CLIP-ViT-B-32-laion2B-s34B-b79K", "clip-vision"},
    Wanted{"google/siglip-so400m-patch14-384", "clip-vision --len 196 --burn 1"},
    Wanted{"google/vit-base-patch16-224", "vit"},
    Wanted{"facebook/dinov2-base", "timm-vit"},
    Wanted{"facebook/dinov3-vits16-pretrain-lvd1689m", "dinov3"},
    Wanted{"facebook/deit-base-distilled-patch16-224", "timm-vit"},
    Wanted{"microsoft/swin-base-patch4-window7-224", "swin"},
    Wanted{"facebook/sam-vit-huge", "sam"},
    Wanted{"facebook/sam2.1-hiera-large", "sam2"},
    Wanted{"facebook/detr-resnet-50", "mask2former"},
    Wanted{"microsoft/table-transformer-detection", "mask2former"},
    Wanted{"IDEA-Research/grounding-dino-base", "dino"},
    Wanted{"facebook/vit-mae-base", "mae --d 768 --prefix-rows 1"},
    Wanted{"microsoft/beit-base-patch16-224", "beit"},
    Wanted{"Salesforce/blip-image-captioning-large", "timm-vit --len 577 --burn 1"},
    Wanted{"timm/mobilenetv3_small_100.lamb_in1k", "no table"},
    Wanted{"facebook/convnext-base-224", "no table"},
    // Generated images and videos, sound
    Wanted{"stabilityai/stable-diffusion-xl-base-1.0", "guided-diffusion --d 320"},
    Wanted{"stable-diffusion-v1-5/stable-diffusion-v1-5", "guided-diffusion --d 320"},
    Wanted{"stabilityai/stable-diffusion-3-medium",
           "mae --d 1536 --height 192 --width 192 --step 1/3"},
    Wanted{"black-forest-labs/FLUX.1-dev", "flux"},
    Wanted{"Wan-AI/Wan2.1-T2V-14B", "wan-video"},
    Wanted{"openai/whisper-large-v3", "whisper"},
    Wanted{"facebook/wav2vec2-base-960h", "no table"},
    Wanted{"nvidia/parakeet-tdt-0.6b-v2", "conformer"},
    Wanted{"hexgrad/Kokoro-82M", "bert --d 128"},
    Wanted{"facebook/esm2_t33_650M_UR50D", "rope --d 64"},
};

// Where positions in words and pictures come from.
constexpr std::array teachers{
    Wanted{"d2l", "vaswani"},
    Wanted{"Dive into Deep Learning", "vaswani"},
    Wanted{"动手学深度学习", "vaswani"},
    Wanted{"attention is all you need", "vaswani"},
    Wanted{"The Annotated Transformer", "vaswani"},
    Wanted{"Illustrated Transformer", "tensor2tensor --d 512 --len 20"},
    Wanted{"kazemnejad", "vaswani --d 128 --len 50"},
    Wanted{"harvardnlp", "vaswani"},
    Wanted{"karpathy/minGPT", "gpt2"},
    Wanted{"nanoGPT", "nanogpt"},
    Wanted{"nanochat", "rope --d 128 --base 100000 --layout single"},
    Wanted{"lit-gpt", "llama"},
    Wanted{"litgpt", "llama"},
    Wanted{"llama2.c", "meta-llama"},
    Wanted{"tensor2tensor", "tensor2tensor"},
    Wanted{"nerf-pytorch", "nerf"},
    Wanted{"通义千问", "qwen2"},
    Wanted{"旋转", "rope"},
};

/// An element of a model's table.
struct Element {
    const char* name;
    const char* more;  ///< options beside the model's command
    std::int64_t row, column;
    double value;
    DType dtype = DType::float64;
};

// What the functions of the models' own code give: of Diffusers (sd3, pixart), Transformers 4.33
// (nllb, deberta-v1, roberta, siglip, blip), TimesFM and nanochat, in float64; the drawn
// ones, and VITS' keys by those of Transformers, by PyTorch 1.13 in float32, with seed 0.
constexpr Element elements[] = {
    {"sd3", "", 9607, 0, 0.7230858817383246},
    {"sd3", "", 9607, 773, 0.7985404819801921},
    {"pixart", "", 3207, 3, -0.03820955760765016},
    {"pixart", "", 3207, 576, -0.13235175009777303},
    {"nllb", "--len 42", 1, 3, 0},
    {"nllb", "--len 42", 41, 7, -0.9999305772600647},
    {"nllb", "--len 42", 41, 700, 0.18563832006940617},
    {"timesfm", "--len 40", 39, 3, -0.3424950175239022},
    {"timesfm", "--len 40", 39, 700, -0.7544425211268543},
    {"nanochat", "--len 40", 39, 5, -0.9876977324544689},
    {"nanochat", "--len 40", 39, 20, 0.4818919886026703},
    {"deberta-v1", "--len 1100", 0, 0, 512},
    {"deberta-v1", "--len 1100", 5, 3, 514},
    {"deberta-v1", "--len 1100", 0, 600, 0},
    {"deberta-v1", "--len 1100", 600, 0, 1023},
    {"roberta", "", 1, 3, 0, DType::float32},
    {"roberta", "", 513, 767, 0.015362130478024483, DType::float32},
    {"siglip", "", 195, 767, -0.0036898949183523655, DType::float32},
    {"blip", "", 576, 767, -0.015489109791815281, DType::float32},
    {"vits", "--len 20 --table key-gathered", 2 * 20 + 5, 95, -0.02374127507209778, DType::float32},
    {"vits", "--len 20 --table key-gathered", 2 * 20 + 7, 95, 0, DType::float32},
};

}  // namespace

TEST_CASE("models: the tables are those of the models' own functions") {
    for (const Element& element : elements) {
        const std::string command =
            fmt::format("{} {}", find_model(element.name)->command, element.more);
        CAPTURE(command);
        const Table table = table_of(command, element.dtype);
        const double value = read_rows(table, {element.row, 1})[to_size(element.column)];
        CHECK(value == doctest::Approx(element.value).epsilon(1e-11));
    }
}

TEST_CASE("models: every command makes a table, or reads the model's own file") {
    for (const Model& model : all_models()) {
        CAPTURE(model.command);
        if (model.command != by_config) CHECK(refusal_of(model.command) == "accepted");
    }
}

TEST_CASE("models: no name is another name, and the search finds each first, in any spelling") {
    // Without points: sd1.5 is sd15.
    const auto key = [](std::string_view name) {
        std::string letters = spelling(name);
        std::erase(letters, '.');
        return letters;
    };
    std::set<std::string> others;
    const auto add = [&](std::string_view list) {
        for (const std::string_view name : words(list)) others.insert(key(name));
    };
    for (const Encoding* encoding : all_encodings()) add(encoding->name);
    for (const Command& command : all_commands()) add(command.name);
    for (const Preset& preset : all_presets()) {
        add(preset.name);
        add(preset.aliases);
    }
    for (const Model& model : all_models()) {
        for (const std::string_view name : words(model.names)) {
            CAPTURE(name);
            CHECK(others.insert(key(name)).second);
            std::string spaced(name);
            std::ranges::replace(spaced, '-', ' ');
            for (char& c : spaced) c = static_cast<char>(std::toupper(c));
            for (const std::string& text :
                 {std::string(name), spaced, "owner/" + spaced + "-8bit"}) {
                CAPTURE(text);
                CHECK(search_names(text).front().model == &model);
            }
        }
    }
}

TEST_CASE("models: the hundred most used are found by their names on the hub") {
    CHECK(hundred.size() == 100);
    for (const Wanted& wanted : hundred) {
        CAPTURE(wanted.name);
        CHECK(first_command(wanted.name) == wanted.command);
    }
}

TEST_CASE("models: tutorials, code bases and Chinese names are found") {
    for (const Wanted& wanted : teachers) {
        CAPTURE(wanted.name);
        CHECK(first_command(wanted.name) == wanted.command);
    }
}

TEST_CASE("models: list models has every row") {
    const std::string text = run_program("list models").output;
    const std::string json = run_program("list models --json").output;
    for (const Model& model : all_models()) {
        CAPTURE(model.command);
        CHECK(text.find("  " + std::string(model.command)) != text.npos);
        CHECK(json.find(fmt::format("\"command\": \"{}\"", model.command)) != json.npos);
    }
    CHECK(run_program("list --search minilm --json").output.find("\"minilm\"") !=
          std::string::npos);
}
